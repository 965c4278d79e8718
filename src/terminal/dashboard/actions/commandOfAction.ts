import type { Action } from '../../../views/dashboard/actions/action.ts';

/**
 * The words of the command that does the same, without those that name the control plane. Of a state that nothing can
 * change: the command that shows its plan; undefined if there is none.
 */
export function commandOfAction(action: Action, live: boolean): string[] | undefined {
  const words = wordsOf(action);
  if (live) return words;
  return action.name === 'cordon' || action.name === 'uncordon' ? undefined : [...words, '--dry-run=client'];
}

function wordsOf(action: Action): string[] {
  switch (action.name) {
    case 'drain':
    case 'cordon':
    case 'uncordon':
      return [action.name, action.cluster];
    case 'take-back':
      return ['drain', ...action.clusters, '--cancel'];
    case 'hold':
    case 'release':
    case 'cancel':
      return ['eviction', action.name, action.workload, '--from', action.from];
    case 'apply-policies':
      return ['taint-policy', 'apply', '-f', action.file];
    case 'delete-policy':
      return ['taint-policy', 'delete', action.policy];
  }
}
