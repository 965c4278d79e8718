import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { KubernetesObject, ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster, Work } from '../../karmada/api/work.ts';
import type { Span } from '../../simulator/timeline/span.ts';
import type { ReplicaGap } from '../../simulator/verdicts/outcome.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { Changed } from '../../karmada/controllers/write.ts';
import { bindingIdentity, objectKey, workloadOf } from '../../karmada/objects/identities.ts';

/** An object that was seen to be created, changed or deleted. */
export type SeenChange = Changed<KubernetesObject> & {
  /** epoch milliseconds */
  at: number;
};

/** The kinds of seen objects whose fields are read. */
interface SeenKinds {
  Cluster: Cluster;
  ClusterTaintPolicy: ClusterTaintPolicy;
  Work: Work;
}

/** Whether an object that was seen is of this kind. */
export function isSeen<Kind extends keyof SeenKinds>(
  object: KubernetesObject | undefined,
  kind: Kind,
): object is KubernetesObject & SeenKinds[Kind] {
  return object?.kind === kind;
}

/** Whether an object that was seen is a binding, of either kind. */
export function isSeenBinding(
  object: KubernetesObject | undefined,
): object is KubernetesObject & ResourceBinding {
  return object?.kind.endsWith('ResourceBinding') === true;
}

/** Something that happened. */
export interface HistoryEvent extends Omit<TimelineEvent, 'evidence'> {
  /** where it is on record, if nobody saw it happen: "status.conditions[Ready].lastTransitionTime", "Event SyncWorkFailed" */
  source?: string;
  /** where it is on record who did it, if the change alone does not show it: "Event TaintClusterSucceed" */
  controllerSource?: string;
  /** how often it was said, from `time` on */
  count?: number;
  /** when it was said last, epoch milliseconds */
  until?: number;
  /** it happened after this instant, and at `time` at the latest: only two states show it; epoch milliseconds */
  since?: number;
}

/**
 * An eviction of a workload from a cluster, and when each of its steps happened (epoch milliseconds); steps that were
 * not seen are absent.
 */
export interface EvictionCourse {
  workload: ObjectIdentity;
  from: string;
  reason?: string;
  purgeMode?: string;
  /** where it was placed instead, once the scheduler had decided */
  to: TargetCluster[];
  /** while the task is there: where the workload is placed now, whenever that was; absent: the task is over */
  placedNow?: TargetCluster[];
  /** the cluster ceased to be Ready, before the eviction */
  detected?: number;
  /** the cluster got the newest of the taints that evict */
  tainted?: number;
  evicted?: number;
  /** the scheduler placed it elsewhere */
  scheduled?: number;
  /** as many replicas as it is to have were ready elsewhere */
  ready?: number;
  /** the task was over */
  ended?: number;
  /** the Work of the old copy was gone */
  gone?: number;
}

/** The outcome of a workload. */
interface WorkloadHistory {
  workload: ObjectIdentity;
  /** for how many minutes each replica was missing, added up; absent if unknown */
  missingReplicaMinutes?: number;
  /** how many were missing, and for how long; absent if none was, or it is unknown */
  gap?: ReplicaGap;
  /** how often it came back to a cluster that it had been evicted from */
  returns: number;
}

/** How often a cluster ceased to be Ready. */
interface ClusterHistory {
  name: string;
  flaps: number;
}

/** What is not known about an instant, or about the whole time. */
export interface HistoryGap {
  /** one sentence */
  text: string;
  /** epoch milliseconds; absent: about the whole time */
  from?: number;
  to?: number;
  /** the kinds that it is about, if it is about some alone */
  kinds?: readonly string[];
}

/**
 * What happened on a control plane: as it was seen, or reconstructed from one state. Times are epoch
 * milliseconds.
 */
export interface History {
  /** each change was seen; otherwise only the last of each kind is known */
  seen: boolean;
  /** two states show it, that of the start and that of the end */
  twoStates?: true;
  start: number;
  end: number;
  /** in order of time */
  events: HistoryEvent[];
  evictions: EvictionCourse[];
  workloads: WorkloadHistory[];
  clusters: ClusterHistory[];
  spans: Span[];
  doubts: HistoryGap[];
}

/**
 * What a state still shows from an instant on, epoch milliseconds: with evictions that are under way since before, and the causes of later
 * ones.
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

/** What made a cluster evict, of events before an instant, for evictions from then on. */
export function causesOf(
  evictions: readonly EvictionCourse[],
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

/** Whether an event of a cluster may make it evict. */
export function isCauseOfEviction({ type, message, taint }: HistoryEvent): boolean {
  return type === 'TaintAdded'
    ? taint?.effect === 'NoExecute'
    : type === 'ConditionChanged' && message?.startsWith('Ready=') === true;
}

/**
 * The part of a history that concerns some workloads, or a cluster. For a workload, that includes what happened to
 * the clusters that it was on.
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
