import type { Cluster } from '../api/cluster.ts';
import type { Condition, ConditionStatus, Taint } from '../api/meta.ts';
import type { Rules } from '../dialects/rules.ts';
import {
  TAINT_CLUSTER_NOT_READY,
  TAINT_CLUSTER_TERMINATING,
  TAINT_CLUSTER_UNREACHABLE,
} from '../api/names.ts';
import { formatDuration, rfc3339 } from '../../kubernetes/time.ts';
import type { ClusterHealth } from './clusterHealth.ts';
import type { Evidence } from '../evidence.ts';
import { readyCondition } from '../objects/clusterReadiness.ts';
import { findTaint } from '../objects/sameTaint.ts';

/** The taints of a cluster after a pass (the same list if nothing changes), and why they change. */
interface ClusterTaints {
  taints: Taint[];
  evidence: Evidence[];
}

/**
 * The taints of a cluster after the cluster controller's reconcile, by its Ready condition: NoSchedule with not-ready
 * while it is False or absent, with unreachable while it is Unknown, neither while it is True. No gate or flag turns
 * this off; in one design it is off, and no controller removes existing taints. Existing taints keep value and time,
 * new ones are appended. Returns the same list if nothing changes; skips a cluster that is being deleted.
 *
 * @param now epoch milliseconds, the timeAdded of new taints
 */
export function conditionTaints(
  cluster: Cluster,
  now: number,
  { taints }: { taints: Pick<Rules['taints'], 'readinessTaints'> },
): ClusterTaints {
  if (taints.readinessTaints === 'none' || cluster.metadata.deletionTimestamp)
    return { taints: cluster.spec?.taints ?? [], evidence: [] };
  const ready = readyCondition(cluster);
  return changed(cluster, changesFor(ready), now, {
    rule: ready
      ? `a cluster whose Ready condition is ${ready.status} carries ${keyFor(ready.status) ?? 'neither not-ready nor unreachable'}`
      : 'a cluster without a Ready condition counts as not ready',
    field: 'status.conditions[type=Ready]',
    value: ready,
  });
}

function changesFor(ready: Condition | undefined): TaintChange {
  if (!ready) return { add: [{ key: TAINT_CLUSTER_NOT_READY, effect: 'NoSchedule' }], remove: [] };
  return changesOf(ready.status, 'NoSchedule');
}

/** Settings for the NoExecute taints that v1.10 to v1.13 add to a cluster that has failed for long enough. */
interface FailureTaintRules {
  /** --failover-eviction-timeout, milliseconds */
  timeout: number;
  /** gate Failover: without it no taint is added, but recovery still removes all of them */
  failover: boolean;
}

/**
 * The taints of a cluster after the health monitor's reconcile, in versions that taint failed clusters NoExecute by
 * themselves (cluster controller, v1.10 to v1.13): not-ready once Ready has been seen False for longer than the
 * timeout, unreachable once an Unknown cluster has been silent for longer; neither while it is True.
 *
 * @param status of the Ready condition at the start of the reconcile; Unknown if there was none
 * @param health the health monitor's memory after the reconcile
 * @param now epoch milliseconds, the timeAdded of new taints
 */
export function failureTaints(
  cluster: Cluster,
  status: ConditionStatus,
  health: ClusterHealth,
  { timeout, failover }: FailureTaintRules,
  now: number,
): ClusterTaints {
  const since = status === 'Unknown' ? health.heardAt : health.readyChangedAt;
  const nothing = { taints: cluster.spec?.taints ?? [], evidence: [] };
  if (status !== 'True' && (!failover || now <= since + timeout)) return nothing;
  return changed(cluster, changesOf(status, 'NoExecute'), now, {
    rule:
      status === 'True'
        ? 'a cluster that is Ready carries neither not-ready nor unreachable with NoExecute'
        : `a cluster whose Ready condition has been ${status} for longer than ${formatDuration(timeout)} carries ${keyFor(status)} with NoExecute`,
    field: `failover-eviction-timeout=${formatDuration(timeout)}`,
    value: status,
  });
}

/**
 * The taints of a cluster that is being deleted, in versions that thereby evict its workloads (cluster controller,
 * v1.10 to v1.13, with or without the gate Failover).
 *
 * @param now epoch milliseconds, the timeAdded of new taints
 */
export function terminatingTaints(cluster: Cluster, now: number): ClusterTaints {
  const add: Taint[] = [{ key: TAINT_CLUSTER_TERMINATING, effect: 'NoExecute' }];
  return changed(cluster, { add, remove: [] }, now, {
    rule: `a cluster that is being deleted carries ${TAINT_CLUSTER_TERMINATING} with NoExecute`,
    field: 'metadata.deletionTimestamp',
    value: cluster.metadata.deletionTimestamp,
  });
}

function changed(
  cluster: Cluster,
  change: TaintChange,
  now: number,
  evidence: Omit<Evidence, 'object'>,
): ClusterTaints {
  const before = cluster.spec?.taints ?? [];
  const taints = setTaints(before, change, now);
  if (taints === before) return { taints, evidence: [] };
  return { taints, evidence: [{ ...evidence, object: { kind: 'Cluster', name: cluster.metadata.name } }] };
}

function keyFor(status: ConditionStatus): string | undefined {
  if (status === 'False') return TAINT_CLUSTER_NOT_READY;
  return status === 'Unknown' ? TAINT_CLUSTER_UNREACHABLE : undefined;
}

function changesOf(status: ConditionStatus, effect: 'NoSchedule' | 'NoExecute'): TaintChange {
  const wanted = keyFor(status);
  const both = [TAINT_CLUSTER_NOT_READY, TAINT_CLUSTER_UNREACHABLE].map((key): Taint => ({ key, effect }));
  return {
    add: both.filter(({ key }) => key === wanted),
    remove: both.filter(({ key }) => key !== wanted),
  };
}

/** Taints that one pass of the cluster controller adds and removes, by key and effect. */
interface TaintChange {
  add: readonly Taint[];
  remove: readonly Taint[];
}

/**
 * The taints after a change, as the cluster controller writes them: existing ones keep value and time, new ones are
 * appended. Returns the same list if nothing changes.
 *
 * @param now epoch milliseconds, the timeAdded of new taints, whatever their effect
 */
function setTaints(taints: Taint[], { add, remove }: TaintChange, now: number): Taint[] {
  const added = add.filter((taint) => !findTaint(taints, taint));
  const kept = taints.filter((taint) => !findTaint(remove, taint));
  if (added.length === 0 && kept.length === taints.length) return taints;
  const timeAdded = rfc3339(now);
  return [...kept, ...added.map((taint) => ({ ...taint, timeAdded }))];
}
