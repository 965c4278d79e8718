import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { EvictionPace } from '../../karmada/taints/evictionPace.ts';
import type { ClusterStatus, FailoverStatus } from './failoverStatus.ts';
import type { FailoverSwitch } from './failoverSwitch.ts';

/** A change of the failover switch, or of a cluster, since the last look. */
export interface FailoverStatusChange {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** as it is now */
  failover: FailoverSwitch;
  /** of versions with one eviction queue: its pace now */
  evictionPace?: EvictionPace;
  /** as it is now, or last was if it is gone; null if failover itself, or the pace of evictions, has changed */
  cluster: ClusterStatus | null;
}

/**
 * The changes between two looks: first failover itself, then the clusters in their order, then clusters that are gone.
 * Without an earlier look, everything is new.
 */
export function failoverStatusChanges(
  before: FailoverStatus | undefined,
  after: FailoverStatus,
): FailoverStatusChange[] {
  const { evictionPace } = after;
  const failover = { failover: after.failover, ...(evictionPace && { evictionPace }) };
  const changes: FailoverStatusChange[] = [];
  if (!before) changes.push({ type: 'ADDED', ...failover, cluster: null });
  else if (!deepEqual(before.failover, after.failover) || !deepEqual(before.evictionPace, evictionPace))
    changes.push({ type: 'MODIFIED', ...failover, cluster: null });
  const known = new Map(before?.clusters.map((cluster) => [cluster.name, cluster]));
  for (const cluster of after.clusters) {
    const old = known.get(cluster.name);
    known.delete(cluster.name);
    if (!old) changes.push({ type: 'ADDED', ...failover, cluster });
    else if (!deepEqual(uncosted(old), uncosted(cluster)))
      changes.push({ type: 'MODIFIED', ...failover, cluster });
  }
  for (const cluster of known.values()) changes.push({ type: 'DELETED', ...failover, cluster });
  return changes;
}

/** Leaves out minutes and ranks, which change from one look to the next. */
function uncosted(cluster: ClusterStatus): ClusterStatus {
  return { ...cluster, costIfItFails: null, rank: null };
}
