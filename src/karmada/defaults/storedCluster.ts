import { rfc3339 } from '../../kubernetes/time.ts';
import type { Taint } from '../../kubernetes/schema/core.ts';
import type { Cluster } from '../api/cluster.ts';

/**
 * A Cluster as Karmada's aggregated API server stores it: taints that start an eviction timer get a missing timeAdded:
 * NoExecute (pkg/apis/cluster/mutation) and, in the design optimize-cluster-failover, PreferNoExecute. Returns the same
 * object if nothing is added.
 *
 * @param now epoch milliseconds
 */
export function storedCluster(cluster: Cluster, now: number): Cluster {
  const taints = cluster.spec?.taints;
  if (!taints?.some(isUndated)) return cluster;
  const stamped = taints.map((taint) => (isUndated(taint) ? { ...taint, timeAdded: rfc3339(now) } : taint));
  return { ...cluster, spec: { ...cluster.spec, taints: stamped } };
}

function isUndated({ effect, timeAdded }: Taint): boolean {
  return (effect === 'NoExecute' || effect === 'PreferNoExecute') && !timeAdded;
}
