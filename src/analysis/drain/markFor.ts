import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { drainMarkOf, isMarkOf, markOfDrain } from './cordon.ts';
import type { DrainMark, DrainOptions } from './drainOptions.ts';
import { leavingByDrain } from './drainsUnderWay.ts';

/**
 * The mark that a drain with these options puts on a cluster: when it began, and with how many workloads, stays as an earlier run of it
 * has written that. `now` is epoch milliseconds; `by` says who runs it.
 */
export function markFor(
  cluster: Cluster,
  options: DrainOptions,
  { bindings, now }: { bindings: Iterable<ResourceBinding>; now: number },
  by?: string,
): DrainMark {
  const known = drainMarkOf(cluster);
  const mark = markOfDrain(options, known?.started || rfc3339(now), by);
  const workloads = isMarkOf(known, options) ? known?.workloads : countOf(mark, bindings);
  return workloads === undefined ? mark : { ...mark, workloads };
}

function countOf(mark: DrainMark, bindings: Iterable<ResourceBinding>): number {
  const { waiting, leaving } = leavingByDrain(mark, bindings);
  return waiting + leaving;
}
