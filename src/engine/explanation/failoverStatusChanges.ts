import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { ClusterStatus, FailoverStatus } from './failoverStatus.ts';
import type { FailoverSwitch } from './failoverSwitch.ts';

/** What has become of failover, or of a cluster, since it was looked at last. */
export interface FailoverStatusChange {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** as it is now */
  failover: FailoverSwitch;
  /** as it is now, or was last where it is gone; null if failover itself is what has changed */
  cluster: ClusterStatus | null;
}

/**
 * What differs between two looks: failover itself first, then the clusters in their order, at last those that are
 * gone. Without a look before, everything is new.
 */
export function failoverStatusChanges(
  before: FailoverStatus | undefined,
  after: FailoverStatus,
): FailoverStatusChange[] {
  const { failover } = after;
  const changes: FailoverStatusChange[] = [];
  if (!before) changes.push({ type: 'ADDED', failover, cluster: null });
  else if (!deepEqual(before.failover, failover)) changes.push({ type: 'MODIFIED', failover, cluster: null });
  const known = new Map(before?.clusters.map((cluster) => [cluster.name, cluster]));
  for (const cluster of after.clusters) {
    const old = known.get(cluster.name);
    known.delete(cluster.name);
    if (!old) changes.push({ type: 'ADDED', failover, cluster });
    else if (!deepEqual(uncosted(old), uncosted(cluster)))
      changes.push({ type: 'MODIFIED', failover, cluster });
  }
  for (const cluster of known.values()) changes.push({ type: 'DELETED', failover, cluster });
  return changes;
}

/** Minutes, and ranks by them, are by the moment of the look. */
function uncosted(cluster: ClusterStatus): ClusterStatus {
  return { ...cluster, costIfItFails: null, rank: null };
}
