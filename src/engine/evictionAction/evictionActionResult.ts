import type { EvictionAction } from './actionOutcome.ts';

/**
 * changed: written; planned: would be, in a dry run; unchanged: it is so already; refused: it may lose the
 * last ready copy, and that was not accepted; impossible: it cannot be done; failed: the control plane did not take it.
 */
export type EvictionActionVerdict = 'changed' | 'planned' | 'unchanged' | 'refused' | 'impossible' | 'failed';

/** An action with what became of it. */
export interface EvictionActionResult {
  action: EvictionAction;
  result: EvictionActionVerdict;
  /** why it was refused, or failed */
  message?: string;
}
