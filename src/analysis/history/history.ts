import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { KubernetesObject, ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster, Work } from '../../karmada/api/work.ts';
import type { Span } from '../../simulator/timeline/span.ts';
import type { ReplicaGap } from '../../simulator/verdicts/outcome.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { Changed } from '../../karmada/controllers/write.ts';
import { bindingIdentity, objectKey, workloadOf } from '../../karmada/objects/identities.ts';

/** The creation, change or deletion of an object, as seen by a watch. */
export type ObservedChange = Changed<KubernetesObject> & {
  /** epoch milliseconds */
  at: number;
};

/** The kinds of observed objects whose fields are read. */
interface SeenKinds {
  Cluster: Cluster;
  ClusterTaintPolicy: ClusterTaintPolicy;
  Work: Work;
}

/** Whether an observed object is of this kind. */
export function isObserved<Kind extends keyof SeenKinds>(
  object: KubernetesObject | undefined,
  kind: Kind,
): object is KubernetesObject & SeenKinds[Kind] {
  return object?.kind === kind;
}

/** Whether an observed object is a binding of either kind. */
export function isObservedBinding(
  object: KubernetesObject | undefined,
): object is KubernetesObject & ResourceBinding {
  return object?.kind.endsWith('ResourceBinding') === true;
}

export interface HistoryEvent extends Omit<TimelineEvent, 'evidence'> {
  /**
   * where it is recorded, if it was not observed: "status.conditions[Ready].lastTransitionTime", "Event SyncWorkFailed"
   */
  source?: string;
  /** where its author is recorded, if not in the change itself: "Event TaintClusterSucceed" */
  controllerSource?: string;
  /** how often it was reported, from `time` on */
  count?: number;
  /** when it was last reported, epoch milliseconds */
  until?: number;
  /** it happened between this instant and `time` (epoch milliseconds): known only from two states */
  since?: number;
}

/**
 * An eviction of a workload from a cluster, with the time of each step (epoch milliseconds); steps that were not
 * observed are absent.
 */
export interface EvictionTimes {
  workload: ObjectIdentity;
  from: string;
  reason?: string;
  purgeMode?: string;
  /** its new placement, once scheduled */
  to: TargetCluster[];
  /** the present placement of the workload while the task exists; absent: the task has ended */
  placedNow?: TargetCluster[];
  /** the cluster became not Ready, before the eviction */
  detected?: number;
  /** the cluster got the newest of its evicting taints */
  tainted?: number;
  evicted?: number;
  /** the scheduler placed it elsewhere */
  scheduled?: number;
  /** all desired replicas were ready elsewhere */
  ready?: number;
  /** the task had ended */
  ended?: number;
  /** the Work of the old copy was deleted */
  gone?: number;
}

interface WorkloadHistory {
  workload: ObjectIdentity;
  /** the sum of each replica's downtime, in minutes; absent if unknown */
  missingReplicaMinutes?: number;
  /** how many were missing, and for how long; absent if none was, or if unknown */
  gap?: ReplicaGap;
  /** how often it returned to a cluster that it had been evicted from */
  returns: number;
}

/** How often a cluster became not Ready. */
interface ClusterHistory {
  name: string;
  flaps: number;
}

/** A gap in the history, at an instant or throughout. */
export interface HistoryGap {
  /** one sentence */
  text: string;
  /** epoch milliseconds; absent: throughout */
  from?: number;
  to?: number;
  /** the affected kinds, if not all */
  kinds?: readonly string[];
}

/** What happened on a control plane: observed, or reconstructed from one state. Times are epoch milliseconds. */
export interface History {
  /** every change was observed; otherwise only the last of each kind is known */
  seen: boolean;
  /** reconstructed from two states, at the start and at the end */
  twoStates?: true;
  start: number;
  end: number;
  /** in order of time */
  events: HistoryEvent[];
  evictions: EvictionTimes[];
  workloads: WorkloadHistory[];
  clusters: ClusterHistory[];
  spans: Span[];
  doubts: HistoryGap[];
}

/**
 * The history in a state from an instant on, epoch milliseconds: including evictions in progress then, and earlier
 * causes of later evictions.
 */
export function historySince(history: History, from: number): History {
  const evictions = history.evictions.filter(
    ({ evicted = from, gone = Infinity }) => evicted >= from || gone === Infinity,
  );
  const causes = new Set(causesOf(evictions, from, history.events));
  return {
    ...history,
    start: Math.max(history.start, from),
    events: history.events.filter((event) => (event.until ?? event.time) >= from || causes.has(event)),
    evictions,
    spans: history.spans.filter(({ to = Infinity }) => to >= from),
  };
}

/** Events before an instant that caused evictions from that instant on. */
export function causesOf(
  evictions: readonly EvictionTimes[],
  from: number,
  events: readonly HistoryEvent[],
): HistoryEvent[] {
  const later = evictions.filter(({ evicted = -Infinity }) => evicted >= from);
  return events.filter(
    (event) =>
      event.time < from &&
      isCauseOfEviction(event) &&
      later.some(
        (one) =>
          one.from === event.cluster &&
          event.time === (event.type === 'TaintAdded' ? one.tainted : one.detected),
      ),
  );
}

/** Whether an event of a cluster may cause evictions. */
export function isCauseOfEviction({ type, message, taint }: HistoryEvent): boolean {
  return type === 'TaintAdded'
    ? taint?.effect === 'NoExecute'
    : type === 'ConditionChanged' && message?.startsWith('Ready=') === true;
}

/**
 * The part of a history that concerns some workloads, or a cluster. For a workload, this includes the events of its
 * clusters at that time.
 */
export function narrowedHistory(
  history: History,
  to: { bindings: readonly ResourceBinding[] } | { cluster: string },
): History {
  return 'cluster' in to ? ofCluster(history, to.cluster) : ofBindings(history, to.bindings);
}

function ofCluster(history: History, cluster: string): History {
  const { events, evictions, workloads, clusters, spans } = history;
  const there = spans.filter((span) => span.cluster === cluster);
  const concerned = new Set(there.map(({ workload }) => objectKey(workload)));
  return {
    ...history,
    events: events.filter(
      (event) =>
        event.cluster?.split(',').includes(cluster) ||
        (event.object.kind === 'Cluster' && event.object.name === cluster) ||
        event.clusters?.some(({ name }) => name === cluster),
    ),
    evictions: evictions.filter(
      ({ from, to }) => from === cluster || to.some(({ name }) => name === cluster),
    ),
    workloads: workloads.filter(({ workload }) => concerned.has(objectKey(workload))),
    clusters: clusters.filter(({ name }) => name === cluster),
    spans: there,
  };
}

function ofBindings(history: History, bindings: readonly ResourceBinding[]): History {
  const { events, evictions, workloads, clusters, spans } = history;
  const own = new Set(bindings.map((one) => objectKey(bindingIdentity(one))));
  const named = new Set(bindings.map((one) => objectKey(workloadOf(one))));
  const isNamed = ({ workload }: { workload: ObjectIdentity }) => named.has(objectKey(workload));
  const ownSpans = spans.filter(isNamed);
  const places = new Set(ownSpans.flatMap(({ cluster }) => cluster ?? []));
  return {
    ...history,
    events: events.filter(
      ({ object }) => own.has(objectKey(object)) || (object.kind === 'Cluster' && places.has(object.name)),
    ),
    evictions: evictions.filter(isNamed),
    workloads: workloads.filter(isNamed),
    clusters: clusters.filter(({ name }) => places.has(name)),
    spans: ownSpans,
  };
}
