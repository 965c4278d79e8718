import type { PurgeMode } from '../../karmada/api/policy.ts';

// Each mode but Never has two names that Karmada v1.15 to v1.18 treat alike wherever they look at one. A value is
// never rewritten from one name to the other.

/** The old copy goes at once, before the new one starts. */
export function purgesDirectly(mode: PurgeMode | undefined): boolean {
  return mode === 'Directly' || mode === 'Immediately';
}

/** The old copy stays until the task ends. A task without a mode behaves the same but is not of this mode. */
export function purgesGracefully(mode: PurgeMode | undefined): boolean {
  return mode === 'Gracefully' || mode === 'Graciously';
}
