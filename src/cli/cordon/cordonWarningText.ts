import type { CordonWarning } from '../../operations/cordon.ts';
import { commandLine } from '../commandLine.ts';

/** An unexpected side effect of uncordoning, in one line. */
export function cordonWarningText(cluster: string, warning: CordonWarning): string {
  if (warning.kind === 'drain-stops')
    return `${cluster} was being drained; a drain that is still running stops now`;
  const { evictions } = warning;
  return (
    `${evictions === 1 ? '1 eviction' : `${evictions} evictions`} from ${cluster} by a drain ` +
    `${evictions === 1 ? 'is' : 'are'} still running and will continue; ` +
    `"${commandLine(['drain', cluster, '--cancel'])}" restores workloads that still have a copy there`
  );
}
