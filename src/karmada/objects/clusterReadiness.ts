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

/**
 * Whether status that a cluster reported may be out of date: while it is not Ready nothing reports, and Karmada keeps
 * what it last saw.
 */
export function isStale(cluster: Cluster | undefined): boolean {
  return !isReady(cluster);
}

/** How long a cluster that is Ready again counts as recovered recently, in milliseconds. */
const BACK = 600_000;
/** Milliseconds within which a joining cluster becomes Ready. */
export const JOINING = 60_000;

/** Whether a Ready cluster was not Ready a while before `now` (epoch milliseconds), although it had joined. */
export function cameBack(cluster: Cluster, now: number): boolean {
  const since = readyCondition(cluster)?.lastTransitionTime;
  if (!since || !isReady(cluster)) return false;
  const { creationTimestamp } = cluster.metadata;
  const joined = creationTimestamp ? instant(creationTimestamp) : 0;
  return now - instant(since) < BACK && instant(since) - joined > JOINING;
}
