import type { AggregatedStatusItem, ResourceBinding } from '../../../karmada/api/work.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { targetClusters } from '../../../karmada/objects/placement.ts';
import { instant } from '../../../kubernetes/time.ts';
import type { Examined } from './examined.ts';

/** A copy of a workload on a cluster of its binding. */
export interface PlacedCopy {
  binding: ResourceBinding;
  cluster: string;
  /** how many are placed there; 0 for objects without replicas */
  replicas: number;
  /** what the cluster reports of it */
  reported(): AggregatedStatusItem | undefined;
}

/**
 * By cluster, or by what the test says of a copy: the bindings with such copies.
 *
 * @param age milliseconds since their placement; younger ones, and bindings that are being deleted, do not count
 * @param test whether a copy counts, or a text to group it by instead of its cluster
 */
export function placedCopies(
  seen: Examined,
  age: number,
  test: (copy: PlacedCopy) => boolean | string,
): Map<string, ResourceBinding[]> {
  const found = new Map<string, ResourceBinding[]>();
  for (const binding of seen.bindings) {
    const { metadata, spec, status } = binding;
    const placed = status?.lastScheduledTime;
    if (metadata.deletionTimestamp || (placed && seen.now - instant(placed) < age)) continue;
    for (const { name: cluster, replicas = 0 } of targetClusters(spec)) {
      const reported = () => status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster);
      const verdict = test({ binding, cluster, replicas, reported });
      if (verdict) getOrAdd(found, verdict === true ? cluster : verdict, () => []).push(binding);
    }
  }
  return found;
}
