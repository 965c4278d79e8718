import { rfc3339 } from '../../kubernetes/time.ts';
import type { Cluster } from '../api/cluster.ts';

/**
 * A Cluster as Karmada's aggregated API server stores it: only NoExecute taints without timeAdded get one
 * (pkg/apis/cluster/mutation). Returns the same object if nothing is added.
 *
 * @param now epoch milliseconds
 */
export function storedCluster(cluster: Cluster, now: number): Cluster {
  const taints = cluster.spec?.taints;
  if (!taints?.some(({ effect, timeAdded }) => effect === 'NoExecute' && !timeAdded)) return cluster;
  const stamped = taints.map((taint) =>
    taint.effect === 'NoExecute' && !taint.timeAdded ? { ...taint, timeAdded: rfc3339(now) } : taint,
  );
  return { ...cluster, spec: { ...cluster.spec, taints: stamped } };
}
