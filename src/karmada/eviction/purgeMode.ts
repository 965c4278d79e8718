import type { PurgeMode } from '../api/policy.ts';
import type { Rules } from '../dialects/rules.ts';

// Each mode except Never has had two names, in some versions both at once. Karmada never rewrites one name to the
// other; for a name that a version does not know, both functions return false.

/** Whether the old copy goes at once, before the new one starts. */
export function purgesDirectly(mode: PurgeMode | undefined, { eviction }: Rules): boolean {
  return mode !== undefined && eviction.directPurgeModes.includes(mode);
}

/** Whether the old copy stays until the task ends. A task without a mode behaves the same, but is not of this mode. */
export function purgesGracefully(mode: PurgeMode | undefined, { admission }: Rules): boolean {
  return mode !== undefined && admission.gracefulPurgeModes.includes(mode);
}
