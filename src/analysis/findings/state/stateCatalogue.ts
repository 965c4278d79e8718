import { applicationChecks } from './application.ts';
import { chainChecks } from './chain.ts';
import { placementChecks } from './placement.ts';
import { releaseChecks } from './releases.ts';
import type { StateCheck } from './stateCheck.ts';
import { stuckChecks } from './stuck.ts';
import { observabilityChecks, recoveryChecks, writerChecks } from './surroundings.ts';
import { taintStateChecks } from './taints.ts';
import { writtenChecks } from './written.ts';

/**
 * The checks of a control plane, in the order in which findings of the same severity are ranked: what explains others comes before them.
 * An id stays what it is: people skip and accept findings by it.
 */
export const stateChecks: readonly StateCheck[] = [
  ...chainChecks,
  ...applicationChecks,
  ...taintStateChecks,
  ...placementChecks,
  ...writtenChecks,
  ...stuckChecks,
  ...releaseChecks,
  ...recoveryChecks,
  ...writerChecks,
  ...observabilityChecks,
];
