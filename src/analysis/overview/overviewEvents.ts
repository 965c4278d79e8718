import type { Changed } from '../../karmada/controllers/write.ts';
import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { ConditionStatus, ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { instant } from '../../kubernetes/time.ts';
import type { DrainUnderWay } from '../drain/drainsUnderWay.ts';
import type { ClusterStatus } from '../explanation/failoverStatus.ts';
import type { EvictionTaskExplanation } from '../explanation/tasks/evictionTask.ts';
import { bindingKey, snapshotKey, workloadOf } from '../../karmada/objects/identities.ts';
import type { TaintOwnerKind } from '../../karmada/taints/taintOwnership.ts';
import { groupedBy } from '../../kubernetes/nonEmpty.ts';
import { largest } from '../../kubernetes/longLists.ts';

/** A past or future event: one per cause, for any number of workloads. Times are epoch milliseconds. */
export type OverviewEvent = { /** one per cause */ id: string; time: number } & (
  | { type: 'readiness'; cluster: string; status: ConditionStatus; reason?: string }
  | { type: 'taint'; cluster: string; taint: string; owner: TaintOwnerKind; policies?: string[] }
  | {
      type: 'evictions';
      cluster: string;
      reason: string;
      producer: string;
      workloads: ConcernedWorkloads;
      /** the time of the latest one */
      last: number;
    }
  /** in the future: the first deadline of the evictions from a cluster */
  | {
      type: 'deadlines';
      cluster: string;
      workloads: ConcernedWorkloads;
      /** it depends on an unverified timeout */ assumed?: true;
      lost: number;
      /** how many of the lost are estimates or unknown */ uncertain: number;
    }
  | {
      type: 'unplaced';
      reason: string;
      workloads: ConcernedWorkloads;
      /** all of them, by `bindingKey` */ keys: string[];
    }
  | { type: 'drain'; clusters: string[]; by: string | null }
);

/** How many workloads an event concerns, with the names of the first. */
export interface ConcernedWorkloads {
  count: number;
  first: ObjectIdentity;
  /** the result of `bindingKey` for it */
  key: string;
}

/** Evictions in progress, and those that ended between overviews; by cause. */
export type ObservedEvictions = Map<string, EvictionsOfCause>;

interface EvictionsOfCause {
  id: string;
  cluster: string;
  reason: string;
  producer: string;
  /** epoch milliseconds */
  first: number;
  last: number;
  /** by `bindingKey` */
  workloads: Map<string, ObjectIdentity>;
  /** those whose evictions have not ended, by `bindingKey` */
  open: Set<string>;
}

interface HappeningSources {
  clusters: readonly ClusterStatus[];
  evictions: readonly EvictionTaskExplanation[];
  /** earlier observations, to which each overview adds */
  seen: ObservedEvictions;
  drains: readonly DrainUnderWay[];
  bindings: readonly ResourceBinding[];
  /** epoch milliseconds */
  now: number;
}

/** Past events from conditions, taints, tasks and marks, and the next ones due; newest first. */
export function overviewEvents(sources: HappeningSources): OverviewEvent[] {
  return [
    ...readinessOf(sources),
    ...taintsOf(sources),
    ...evictionsOf(sources),
    ...deadlinesOf(sources),
    ...unplacedOf(sources),
    ...drainsOf(sources),
  ].sort(newestFirst);
}

/** Newest first; by id if they have the same time. */
export function newestFirst(a: OverviewEvent, b: OverviewEvent): number {
  return b.time - a.time || (a.id < b.id ? -1 : 1);
}

function* readinessOf({ clusters }: HappeningSources): Generator<OverviewEvent> {
  for (const { name: cluster, ready } of clusters) {
    const time = ready.since === undefined ? NaN : instant(ready.since);
    if (Number.isNaN(time) || ready.status === null) continue;
    const { status, reason } = ready;
    const id = `readiness ${cluster} ${ready.since}`;
    yield { id, time, type: 'readiness', cluster, status, ...(reason && { reason }) };
  }
}

function* taintsOf({ clusters }: HappeningSources): Generator<OverviewEvent> {
  for (const { name: cluster, taints } of clusters)
    for (const { taint, since, owner, policies } of taints) {
      const time = since === null ? NaN : instant(since);
      if (Number.isNaN(time)) continue;
      const id = `taint ${cluster} ${taint} ${since}`;
      yield { id, time, type: 'taint', cluster, taint, owner, ...(policies && { policies }) };
    }
}

/** Milliseconds without an eviction after which the next one belongs to a new failure or drain. */
const APART = 60_000;

/**
 * Records the evictions of a changed binding. Many end within a second, so a watch records each change, beyond those
 * present at each overview.
 */
export function observeEvictions(seen: ObservedEvictions, { before, after }: Changed<ResourceBinding>): void {
  const key = bindingKey(after ?? before);
  for (const { open } of seen.values()) open.delete(key);
  for (const { fromCluster, reason, producer, creationTimestamp } of after?.spec.gracefulEvictionTasks ??
    []) {
    const time = creationTimestamp ? instant(creationTimestamp) : NaN;
    if (Number.isNaN(time)) continue;
    const cause = `${fromCluster} ${reason} ${producer}`;
    let all = seen.get(cause);
    if (!all || (all.open.size === 0 && time - all.last > APART)) {
      all = {
        id: `evictions ${cause} ${time}`,
        cluster: fromCluster,
        reason,
        producer,
        first: time,
        last: time,
        workloads: new Map(),
        open: new Set(),
      };
      seen.set(cause, all);
    }
    all.workloads.set(key, workloadOf(after!));
    all.open.add(key);
    all.first = Math.min(all.first, time);
    all.last = Math.max(all.last, time);
  }
}

/** Counts all evictions, including ended ones, whose tasks are gone. */
function evictionsOf({ bindings, seen, now }: HappeningSources): OverviewEvent[] {
  for (const binding of bindings) observeEvictions(seen, { after: binding });
  const there = new Set(bindings.map(bindingKey));
  for (const [cause, { open, last }] of seen) {
    for (const key of open) if (!there.has(key)) open.delete(key);
    if (open.size === 0 && now - last > APART) seen.delete(cause);
  }
  return [...seen.values()].map(({ id, first, last, cluster, reason, producer, workloads }) => ({
    id,
    time: first,
    last,
    type: 'evictions',
    cluster,
    reason,
    producer,
    workloads: concernedOf([...workloads].map(([key, workload]) => ({ workload, key }))),
  }));
}

function deadlinesOf({ evictions, now }: HappeningSources): OverviewEvent[] {
  const due = evictions.flatMap((task) => {
    const time = task.deadline === null ? -Infinity : instant(task.deadline);
    return time > now ? [{ ...task, time }] : [];
  });
  return [...groupedBy(due, ({ fromCluster }) => fromCluster)].map(([cluster, tasks]) => {
    const losses = tasks.filter(({ atDeadline }) => atDeadline === 'lost');
    const uncertain = losses.filter(({ certainty }) => certainty !== 'certain').length;
    const first = tasks.reduce((found, one) => (one.time < found.time ? one : found));
    return {
      id: `deadlines ${cluster}`,
      time: first.time,
      type: 'deadlines',
      cluster,
      workloads: concernedOf(
        tasks
          .toSorted((a, b) => a.time - b.time)
          .map(({ workload, binding }) => ({ workload, key: snapshotKey(binding) })),
      ),
      ...(first.deadlineAssumed && { assumed: true as const }),
      lost: losses.length,
      uncertain,
    };
  });
}

function unplacedOf({ bindings }: HappeningSources): OverviewEvent[] {
  const unplaced = bindings.flatMap((binding) => {
    const condition = conditionOf(binding.status?.conditions, 'Scheduled');
    if (condition?.status !== 'False') return [];
    const time = condition.lastTransitionTime ? instant(condition.lastTransitionTime) : NaN;
    return Number.isNaN(time) ? [] : [{ binding, time, reason: condition.reason ?? '' }];
  });
  return [...groupedBy(unplaced, ({ reason }) => reason)].map(([reason, found]) => {
    const sorted = found.toSorted((a, b) => b.time - a.time);
    return {
      id: `unplaced ${reason}`,
      time: largest(found.map(({ time }) => time)),
      type: 'unplaced',
      reason,
      workloads: concernedOf(
        sorted.map(({ binding }) => ({ workload: workloadOf(binding), key: bindingKey(binding) })),
      ),
      keys: sorted.map(({ binding }) => bindingKey(binding)),
    };
  });
}

function* drainsOf({ drains }: HappeningSources): Generator<OverviewEvent> {
  for (const { clusters, started, by } of drains)
    if (started !== null && !Number.isNaN(instant(started)))
      yield { id: `drain ${clusters.join(',')}`, time: instant(started), type: 'drain', clusters, by };
}

function concernedOf(found: readonly { workload: ObjectIdentity; key: string }[]): ConcernedWorkloads {
  const [{ workload, key }] = found as [{ workload: ObjectIdentity; key: string }];
  return { count: new Set(found.map((one) => one.key)).size, first: workload, key };
}
