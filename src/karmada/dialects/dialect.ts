import type { Component, FlagType } from './flags.ts';
import type { Flags } from './componentFlags.ts';
import type { FeatureGate, FeatureGates } from './featureGates.ts';
import type { Release } from './release.ts';
import type { Rules } from './rules.ts';

/**
 * What one Karmada version does differently from another, as data. Rules read these switches; nothing
 * outside this folder asks for a version.
 */
export interface Dialect {
  release: Release;
  /** "v1.18.2"; "v1.18" for the newest patch release of that minor version; "proposal" for designs */
  version: string;
  rules: Rules;
  /** a Configuration: the rules, and the gates and flags of components started without arguments */
  defaults: Flags & { rules: Rules; featureGates: FeatureGates };
  /** all feature gates that the version knows, even those that no rule of ours reads */
  featureGates: Record<string, FeatureGate>;
  /** the flags of the version that our rules read */
  flags: Record<Component, Record<string, FlagType>>;
  /** the flags that have an effect only in other versions, and what this one does with them */
  otherFlags: Record<Component, Record<string, 'unknown' | 'withoutEffect'>>;
}

/** Whether components of a version take a flag and ignore it; the name may begin with a component's. */
export function takesWithoutEffect({ otherFlags }: Pick<Dialect, 'otherFlags'>, name: string): boolean {
  const bare = name.slice(name.indexOf('.') + 1);
  return Object.values(otherFlags).some(
    (flags) => Object.hasOwn(flags, bare) && flags[bare] === 'withoutEffect',
  );
}
