import type { Flags } from '../dialects/componentFlags.ts';
import type { FeatureGates } from '../dialects/featureGates.ts';
import type { Rules } from '../dialects/rules.ts';

export type { FeatureGates };

/**
 * How Karmada behaves: the rules of its version, and how its components were started. Feature gates and flags decide
 * more outcomes than anything else, and are mostly set outside of the cluster with Karmada's API server;
 * `resolveConfiguration` says where each value is read. Durations are milliseconds, rates per second.
 */
export interface Configuration extends Flags {
  rules: Rules;
  featureGates: FeatureGates;
}

export type ControllerManagerFlags = Flags['controllerManager'];
