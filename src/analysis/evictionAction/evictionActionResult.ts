import type { EvictionAction } from './actionOutcome.ts';

/**
 * changed: written; planned: would be written, in a dry run; unchanged: it is so already; refused: it may lose the last
 * ready copy, and the user has not accepted that; impossible: it cannot be done; failed: the control plane did not
 * accept it.
 */
export type EvictionActionVerdict = 'changed' | 'planned' | 'unchanged' | 'refused' | 'impossible' | 'failed';

/** An action and its result. */
export interface EvictionActionResult {
  action: EvictionAction;
  result: EvictionActionVerdict;
  /** why it was refused, or failed */
  message?: string;
}
