import type { Event } from '../../karmada/api/event.ts';
import type { KubernetesObject, ObjectIdentity, Taint } from '../../karmada/api/meta.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import { controllerNames, factsOf } from '../../karmada/controllers/registry.ts';
import type { ControllerName, EventReason } from '../../karmada/controllers/karmada.ts';
import { instant } from '../../kubernetes/time.ts';
import type { TimelineEventType } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { Evidence } from '../../karmada/evidence.ts';

/** A step reported by an Event of Karmada. Times are epoch milliseconds, in whole seconds. */
export interface EventStep {
  type: TimelineEventType;
  /** the binding or Cluster */
  object: ObjectIdentity;
  /** "TaintClusterSucceed" */
  reason: string;
  message: string;
  /** its reporter, by its name in simulations */
  controller: string;
  first: number;
  last: number;
  /** how often it was reported from the first to the last time */
  count: number;
  /** the cluster that was tainted or evicted from */
  cluster?: string;
  /** where the scheduler placed the binding */
  clusters?: TargetCluster[];
  /** the taints of the cluster at that time: "key=value:effect" */
  taints?: string[];
}

/** The kinds whose Events are read; templates only get copies of the Events of bindings. */
const SUBJECTS: ReadonlySet<string> = new Set(['Cluster', 'ResourceBinding', 'ClusterResourceBinding']);

/** The steps of Events by their reasons (pkg/events/events.go); other reasons report no step. */
const STEPS: Readonly<Record<EventReason, TimelineEventType>> = {
  TaintClusterSucceed: 'TaintsWritten',
  TaintClusterFailed: 'TaintsFailed',
  EvictWorkloadFromClusterSucceed: 'TaskEnded',
  EvictWorkloadFromClusterFailed: 'EvictionFailed',
  ScheduleBindingSucceed: 'Scheduled',
  ScheduleBindingFailed: 'ScheduleFailed',
  SyncWorkSucceed: 'WorksWritten',
  SyncWorkFailed: 'WorksFailed',
  CleanupWorkFailed: 'WorksFailed',
};

export function isEvent(object: KubernetesObject): object is Event {
  return object.kind === 'Event' && object.apiVersion === 'v1';
}

/** The step that an object reports; undefined if it is not an Event of Karmada, or reports none. */
export function eventStep(event: KubernetesObject): EventStep | undefined {
  if (!isEvent(event)) return undefined;
  const {
    involvedObject = {},
    reason = '',
    message = '',
    source,
    count,
    firstTimestamp,
    lastTimestamp,
  } = event;
  const { kind = '', namespace, name } = involvedObject;
  if (!isReason(reason)) return undefined;
  const component = source?.component ?? '';
  const reporter = reporterOf(reason, component);
  // Up to v1.11 with the gate GracefulEviction off there is no task, so the evictor reports the removal from
  // spec.clusters; otherwise the graceful eviction controllers report the end of a task.
  const evicted =
    STEPS[reason] === 'TaskEnded' && reporter !== undefined && factsOf(reporter).producers.length > 0;
  const type = evicted ? 'Evicted' : STEPS[reason];
  const last = instant(lastTimestamp ?? firstTimestamp ?? '');
  if (!name || !SUBJECTS.has(kind) || Number.isNaN(last)) return undefined;
  const first = instant(firstTimestamp ?? lastTimestamp ?? '');
  return {
    type,
    reason,
    message,
    last,
    first: Math.min(Number.isNaN(first) ? last : first, last),
    object: { kind, ...(namespace ? { namespace } : {}), name },
    controller: reporter ?? component,
    count: Math.max(1, count ?? 1),
    ...clusterOf(type, kind === 'Cluster' ? name : undefined, message),
    ...(type === 'Scheduled' ? placementIn(message) : {}),
    ...(type === 'TaintsWritten' ? { taints: taintsIn(message) } : {}),
  };
}

function isReason(reason: string): reason is EventReason {
  return Object.hasOwn(STEPS, reason);
}

/** The reporter of an Event, by its source or, where a flag sets the source, by its reason. */
function reporterOf(reason: EventReason, component: string): ControllerName | undefined {
  return controllerNames.find((name) => {
    const { events } = factsOf(name);
    return events?.sources ? events.sources.includes(component) : events?.reasons.includes(reason);
  });
}

/** "Evict from cluster member1 succeed." */
const EVICTED_FROM = /^Evict from cluster (\S+) /;

function clusterOf(type: TimelineEventType, cluster: string | undefined, message: string) {
  const evicted = type === 'TaskEnded' || type === 'Evicted' || type === 'EvictionFailed';
  const name = cluster ?? (evicted ? EVICTED_FROM.exec(message)?.[1] : undefined);
  return name === undefined ? {} : { cluster: name };
}

/** "Result: {member1:2, member2:1}"; for ClusterResourceBindings without the colon. Long ones are cut off. */
const RESULT = /Result:? \{([^{}]*)\}/;

function placementIn(message: string): { clusters?: TargetCluster[] } {
  const list = RESULT.exec(message)?.[1];
  if (list === undefined) return {};
  const clusters: TargetCluster[] = [];
  for (const item of list.split(',')) {
    const [, name, replicas] = /^\s*([^\s:]+):(\d+)\s*$/.exec(item) ?? [];
    if (name !== undefined) clusters.push({ name, replicas: Number(replicas) });
    else if (item.trim() !== '') return {};
  }
  return { clusters };
}

/** "{Key:a,Value:b,Effect:NoExecute}" */
const TAINT = /\{Key:([^,{}]*)(?:,Value:([^,{}]*))?,Effect:([^,{}]*)\}/g;

function taintsIn(message: string): string[] {
  return [...message.matchAll(TAINT)].map(
    ([, key = '', value, effect = '']) => `${key}${value ? `=${value}` : ''}:${effect}`,
  );
}

/** A line of the JSON output of `controller run`: a controller's decision, or a state of the controllers. */
export interface LoggedDecision {
  /** the line of the file, from 1 */
  line: number;
  /** epoch milliseconds of the server's clock */
  time: number;
  type: string;
  /** empty for lines about the whole process */
  controller: string;
  object?: ObjectIdentity | undefined;
  cluster?: string | undefined;
  /** the binding's resource, in words: "shop/deployment/web" */
  workload?: string | undefined;
  /** false: decided, but not written */
  written?: boolean | undefined;
  added: readonly Taint[];
  removed: readonly Taint[];
  purgeMode?: string | undefined;
  bindings: number;
  reason: string;
  message: string;
  /** when the toleration of a taint ends, epoch milliseconds */
  until?: number | undefined;
  pace?: { mode: string; rate: number; reason: string } | undefined;
  evidence: readonly Evidence[];
}

/** A log of controllers: its decisions by time, and its gaps. */
export interface ControllerLog {
  decisions: readonly LoggedDecision[];
  /** lines without a decision, such as those of stderr */
  skipped: number;
  /** whether the last line is incomplete: the process was killed, or is still running */
  isCut: boolean;
}
