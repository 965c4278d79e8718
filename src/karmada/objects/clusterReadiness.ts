import { conditionOf, type ConditionOf } from './conditions.ts';
import type { Cluster } from '../api/cluster.ts';
import { CLUSTER_CONDITION_READY } from '../api/names.ts';
import { instant } from '../../kubernetes/time.ts';

/** The Ready condition of a cluster; undefined if no controller has written one yet. */
export function readyCondition(cluster: Cluster | undefined): ConditionOf<'Ready'> | undefined {
  return conditionOf(cluster?.status?.conditions, CLUSTER_CONDITION_READY);
}

/** Whether the Ready condition is True. A cluster that does not exist is not ready. */
export function isReady(cluster: Cluster | undefined): boolean {
  return readyCondition(cluster)?.status === 'True';
}

/** Whether a cluster has ever been reached: its first report has its version, and is kept while it is not Ready. */
export function wasEverReached(cluster: Cluster): boolean {
  const { kubernetesVersion, apiEnablements = [], nodeSummary, resourceSummary } = cluster.status ?? {};
  return (
    isReady(cluster) || !!kubernetesVersion || apiEnablements.length > 0 || !!nodeSummary || !!resourceSummary
  );
}

/**
 * Whether status reported by a cluster may be stale: while it is not Ready it reports nothing, and Karmada keeps the
 * last report.
 */
export function isStale(cluster: Cluster | undefined): boolean {
  return !isReady(cluster);
}

/** Milliseconds for which a cluster that is Ready again counts as recently recovered. */
const BACK = 600_000;
/** Milliseconds within which a joining cluster becomes Ready. */
export const MAX_JOIN_TIME = 60_000;

/** Whether a Ready cluster that joined earlier was not Ready shortly before `now` (epoch milliseconds). */
export function hasRecovered(cluster: Cluster, now: number): boolean {
  const since = readyCondition(cluster)?.lastTransitionTime;
  if (!since || !isReady(cluster)) return false;
  const { creationTimestamp } = cluster.metadata;
  const joined = creationTimestamp ? instant(creationTimestamp) : 0;
  return now - instant(since) < BACK && instant(since) - joined > MAX_JOIN_TIME;
}
