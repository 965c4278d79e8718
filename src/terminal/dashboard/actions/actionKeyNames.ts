import type { ActionName } from '../../../views/dashboard/actions/action.ts';

/** The keys of actions, and what each does to what. */
export const ACTION_KEYS: Readonly<Record<string, { name: ActionName; does: string }>> = {
  D: { name: 'drain', does: 'drains a cluster, in the list of clusters' },
  B: { name: 'take-back', does: 'takes back a drain, in the lists of clusters and drains' },
  C: { name: 'cordon', does: 'cordons a cluster, in the list of clusters' },
  U: { name: 'uncordon', does: 'uncordons a cluster, in the list of clusters' },
  H: { name: 'hold', does: 'holds an eviction, of a workload that is being evicted' },
  R: { name: 'release', does: 'releases an eviction, of a workload that is being evicted' },
  X: { name: 'cancel', does: 'cancels an eviction, of a workload that is being evicted' },
};
