import type { Cluster } from '../../api/cluster.ts';
import type { ResourceBindingSpec } from '../../api/work.ts';
import { providerOf, regionOf, zonesOf } from '../../selection/clusterAffinity.ts';
import type { ClusterSnapshot } from '../clusterSnapshot.ts';
import type { ScheduleError } from '../errors.ts';
import { availableOn, type RankedClusters } from '../rankClusters.ts';
import { isDuplicated } from '../strategy.ts';

const groupsOf: Record<string, (cluster: Cluster) => readonly string[]> = {
  region: (cluster) => [regionOf(cluster) ?? ''],
  provider: (cluster) => [providerOf(cluster) ?? ''],
  zone: zonesOf,
};

/**
 * The crash of karmada-scheduler from v1.12.0 until v1.14.10, v1.15.6 and v1.16.3: for a Duplicated workload it divides
 * by the number of clusters with room, in every group of a spread constraint, chosen or not. Undefined if the version
 * does not crash, or each group has such a cluster.
 */
export function crashWithoutRoom(
  snapshot: ClusterSnapshot,
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
): ScheduleError | undefined {
  if (snapshot.rules.regionScore !== 'roomOrCrash' || !isDuplicated(spec.placement)) return undefined;
  const replicas = spec.replicas ?? 0;
  for (const { spreadByField = '' } of spec.placement?.spreadConstraints ?? []) {
    const hasRoom = new Map<string, boolean>();
    for (const at of ranked.clusters)
      for (const group of groupsOf[spreadByField]?.(snapshot.clusters[at]!) ?? [])
        hasRoom.set(group, hasRoom.get(group) === true || availableOn(ranked, at) >= replicas);
    hasRoom.delete('');
    for (const [group, has] of hasRoom)
      if (!has) {
        const message = `runtime error: integer divide by zero (no cluster of ${spreadByField} ${group} has room for ${replicas} replicas)`;
        return { kind: 'Panic', message };
      }
  }
  return undefined;
}
