import type { Flags } from '../dialects/componentFlags.ts';
import type { FeatureGates } from '../dialects/featureGates.ts';
import type { Rules } from '../dialects/rules.ts';

export type { FeatureGates };

/**
 * How Karmada behaves: what its version does differently from others, and how its components were started. Feature
 * gates and flags decide more outcomes than anything else, and mostly live in another cluster than Karmada's API
 * server; see `resolveConfiguration` for where each value comes from. Durations are milliseconds, rates per second.
 */
export interface Configuration extends Flags {
  rules: Rules;
  featureGates: FeatureGates;
}

export type ControllerManagerFlags = Flags['controllerManager'];
