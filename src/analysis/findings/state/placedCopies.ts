import type { AggregatedStatusItem, ResourceBinding } from '../../../karmada/api/work.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { targetClusters } from '../../../karmada/objects/placement.ts';
import { lazilyFor } from '../../../kubernetes/lazily.ts';
import { instant } from '../../../kubernetes/time.ts';
import type { Examined } from './examined.ts';

/** A copy of a workload on a cluster of its binding. */
export interface PlacedCopy {
  binding: ResourceBinding;
  cluster: string;
  /** replicas placed there; 0 for objects without replicas */
  replicas: number;
  /** the cluster's report of it */
  reported: AggregatedStatusItem | undefined;
  /** epoch milliseconds of its placement; absent: unknown */
  since: number | undefined;
}

/** The copies of all bindings that are not being deleted. */
const copiesOf = lazilyFor(({ bindings }: Examined): readonly PlacedCopy[] =>
  bindings.flatMap((binding) => {
    const { metadata, spec, status } = binding;
    if (metadata.deletionTimestamp) return [];
    const since = status?.lastScheduledTime ? instant(status.lastScheduledTime) : undefined;
    return targetClusters(spec).map(({ name: cluster, replicas = 0 }) => {
      const reported = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster);
      return { binding, cluster, replicas, reported, since };
    });
  }),
);

/**
 * Bindings with matching copies, by cluster or by the group that the test returns.
 *
 * @param age milliseconds since their placement; younger ones, and bindings that are being deleted, do not count
 * @param test whether a copy counts, or the group to list it under instead of its cluster
 */
export function placedCopies(
  seen: Examined,
  age: number,
  test: (copy: PlacedCopy) => boolean | string,
): Map<string, ResourceBinding[]> {
  const found = new Map<string, ResourceBinding[]>();
  for (const copy of copiesOf(seen)) {
    if (copy.since !== undefined && seen.now - copy.since < age) continue;
    const verdict = test(copy);
    if (verdict) getOrAdd(found, verdict === true ? copy.cluster : verdict, () => []).push(copy.binding);
  }
  return found;
}
