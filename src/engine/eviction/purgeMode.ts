import type { PurgeMode } from '../../karmada/api/policy.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';

// Each mode but Never has had two names, and for some versions both at once. A value is never rewritten from one name
// to the other; of a name that a version does not know, neither of these is true.

/** The old copy goes at once, before the new one starts. */
export function purgesDirectly(mode: PurgeMode | undefined, { eviction }: Rules): boolean {
  return mode !== undefined && eviction.directPurgeModes.includes(mode);
}

/** The old copy stays until the task ends. A task without a mode behaves the same but is not of this mode. */
export function purgesGracefully(mode: PurgeMode | undefined, { admission }: Rules): boolean {
  return mode !== undefined && admission.gracefulPurgeModes.includes(mode);
}
