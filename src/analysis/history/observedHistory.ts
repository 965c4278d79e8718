import { MINUTE } from '../../kubernetes/time.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { bindingKey, objectKey, workloadOf } from '../../karmada/objects/identities.ts';
import { declaredHooks } from '../../karmada/status/healthInterpreter.ts';
import { changeEvents } from '../../simulator/simulation/timeline/timelineOf.ts';
import type { Change, ChangeOf } from '../../karmada/controllers/write.ts';
import type { Span } from '../../simulator/timeline/span.ts';
import { gapOfSpans } from '../../simulator/verdicts/readinessCourse.ts';
import type { World } from '../../karmada/world.ts';
import { followEvictions } from './followEvictions.ts';
import {
  causesOf,
  type History,
  type HistoryEvent,
  type HistoryGap,
  type ObservedChange,
} from './history.ts';
import { eventStep, type EventStep } from './karmadaEvents.ts';
import { bindingsOn, followObservedSpans } from './observedSpans.ts';
import { observedWorld } from './observedWorld.ts';
import { followWanted } from './readyCopies.ts';
import { nameTaintWriters, controllerOf, taintsWriter } from './taintWriters.ts';
import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { evictorOf } from '../../karmada/controllers/registry.ts';
import type { ControllerName } from '../../karmada/controllers/karmada.ts';
import { taskSettings } from '../../karmada/eviction/evictionTasks.ts';
import { groupedBy } from '../../kubernetes/nonEmpty.ts';

interface SeenHistory {
  first: World;
  /** in order of time */
  changes: Iterable<ObservedChange>;
  /** epoch milliseconds */
  start: number;
  end: number;
  configuration: Configuration;
  /** the gaps in observation */
  doubts: HistoryGap[];
  /** earlier events of clusters; those that explain evictions are listed */
  earlier?: readonly HistoryEvent[];
}

/** The history between two instants, from all observed changes. */
export function observedHistory({
  first,
  changes,
  start,
  end,
  configuration,
  doubts,
  earlier = [],
}: SeenHistory): History {
  const world = observedWorld(first);
  const wanted = followWanted(world.clusters, configuration.rules.scheduling);
  const hooks = declaredHooks(first.others, configuration.rules);
  const spans = followObservedSpans(world, { configuration, hooks, wanted });
  const courses = followEvictions(world, wanted, earlier);
  const events: HistoryEvent[] = [];
  const steps: { at: number; step: EventStep }[] = [];
  const flaps = new Map<string, number>();
  const workloads = new Map<string, ResourceBinding>();

  for (const [key, binding] of world.bindings) {
    workloads.set(key, binding);
    spans.update(key, start);
  }
  for (const seen of changes) {
    const { at } = seen;
    const step = seen.after && eventStep(seen.after);
    if (step) steps.push({ at, step });
    const change = world.take(seen);
    if (!change) continue;
    const controller = writerOfChange(change, configuration.rules);
    const added = changeEvents(change, controller, world).map((draft): HistoryEvent => {
      const { evidence: _, ...event } = draft;
      return { time: at, controller, ...event };
    });
    for (const event of added) events.push(event);
    courses.take(change, added, at);
    if (change.kind === 'Cluster') {
      const { key, before, after } = change;
      // A removed cluster has not failed.
      if (before && after && isReady(before) && !isReady(after)) flaps.set(key, (flaps.get(key) ?? 0) + 1);
    }
    if (change.kind === 'Binding' && change.after) workloads.set(change.key, change.after);
    for (const key of concerned(change)) {
      spans.update(key, at);
      courses.update(key, at);
    }
  }

  /** the bindings that a change concerns, by key */
  function concerned(change: Change): string[] {
    if (change.kind === 'Binding') return [change.key];
    if (change.kind === 'Work') {
      const owner = world.bindingOf(change.after ?? change.before);
      const same = change.before && change.after && change.before.metadata === change.after.metadata;
      return owner && !same ? [bindingKey(owner)] : [];
    }
    if (change.kind !== 'Cluster') return [];
    const { before, after, key } = change;
    const same = before?.spec?.taints === after?.spec?.taints && isReady(before) === isReady(after);
    return same ? [] : bindingsOn(world, key);
  }

  const all = spans.all(end);
  const evictions = courses.all();
  const gaps = gapSpans(all);
  return {
    seen: true,
    start,
    end,
    evictions,
    spans: all,
    events: [...causesOf(evictions, start, earlier), ...withEvents(events, steps, start)],
    doubts: [...doubts, ...doubtsOfUnreported(spans.unreported.values())],
    workloads: [...workloads].map(([key, binding]) => {
      const workload = workloadOf(binding);
      const of = objectKey(workload);
      const own = gaps.get(of) ?? [];
      const gap = gapOfSpans(own, end);
      return {
        workload,
        ...(spans.unreported.has(of) ? {} : { missingReplicaMinutes: missingMinutes(own, end) }),
        ...(gap ? { gap } : {}),
        returns: courses.returns.get(key) ?? 0,
      };
    }),
    clusters: [...flaps].map(([name, count]) => ({ name, flaps: count })),
  };
}

/** Names who added taints where Events show it, and adds failed writes, which show in no object. */
function withEvents(
  seen: readonly HistoryEvent[],
  steps: readonly { at: number; step: EventStep }[],
  start: number,
): HistoryEvent[] {
  const failed = steps.flatMap(({ at, step }): HistoryEvent[] => {
    const { type, object, reason, message, controller, cluster, last } = step;
    // The Event's time is in whole seconds, and its watch may report it late.
    const time = Math.min(at, last + 999);
    if (!FAILED.has(type) || time < start) return [];
    const of = cluster === undefined ? {} : { cluster };
    return [{ time, controller, type, object, message, source: `Event ${reason}`, ...of }];
  });
  const all = [
    ...nameTaintWriters(
      seen,
      steps.map(({ step }) => step),
    ),
    ...failed,
  ];
  return failed.length > 0 ? all.sort((a, b) => a.time - b.time) : all;
}

/** Only failures without another record; failed placements are in the condition of the binding. */
const FAILED: ReadonlySet<HistoryEvent['type']> = new Set(['TaintsFailed', 'EvictionFailed', 'WorksFailed']);

function doubtsOfUnreported(workloads: Iterable<ObjectIdentity>): HistoryGap[] {
  const kinds = [...new Set([...workloads].map(({ kind }) => kind))].sort();
  if (kinds.length === 0) return [];
  return [
    {
      text: `Ready replicas of ${kinds.join(', ')} are unknown: Karmada has no health interpreter for them. Applied copies count as ready, and no missing replicas are counted.`,
    },
  ];
}

/** The spans with missing ready replicas, by workload. */
function gapSpans(spans: readonly Span[]): Map<string, Span[]> {
  return groupedBy(
    spans.filter(({ phase }) => phase === 'gap'),
    ({ workload }) => objectKey(workload),
  );
}

/** The sum of each replica's downtime, in minutes. */
function missingMinutes(gaps: readonly Span[], end: number): number {
  return gaps.reduce((sum, { from, to = end, replicas = 0 }) => sum + ((to - from) / MINUTE) * replicas, 0);
}

/**
 * The controller that made the change, by fields that only it writes; "" if several controllers or a user may have
 * written them.
 */
export function writerOfChange(change: Change, rules: Rules): string {
  if (change.kind === 'Binding') return ofBinding(change.before, change.after);
  if (change.kind === 'Work') return ofWork(change);
  if (change.kind !== 'Cluster') return '';
  const { before, after } = change;
  if (!before || !after) return '';
  return before.spec === after.spec ? 'cluster-status' : whoTainted(before, after, rules);
}

/**
 * The binding controller creates, updates and deletes Works. The execution controller does the rest: removing its
 * finalizer deletes the Work.
 */
function ofWork({ before, after }: ChangeOf<'Work'>): ControllerName {
  if (!after) return 'execution-controller';
  if (!before || before.spec !== after.spec) return 'binding-controller';
  const isDeletion = !before.metadata.deletionTimestamp && Boolean(after.metadata.deletionTimestamp);
  return isDeletion ? 'binding-controller' : 'execution-controller';
}

/**
 * Who changed the taints, by managedFields right after the change; "" if the list has no owner, as an empty list has
 * none.
 */
function whoTainted(before: Cluster, after: Cluster, rules: Rules): string {
  const [had = [], has = []] = [before.spec?.taints, after.spec?.taints];
  const writer = taintsWriter(after);
  const changed = [...has, ...had].find(
    (taint) => !(had.some((one) => deepEqual(one, taint)) && has.some((one) => deepEqual(one, taint))),
  );
  return writer && changed ? controllerOf(writer.manager, changed, rules) : '';
}

function ofBinding(
  before: ResourceBinding | undefined,
  after: ResourceBinding | undefined,
): ControllerName | '' {
  if (!before) return 'detector';
  if (!after) return '';
  if (before.spec === after.spec) {
    const scheduled = ({ status }: ResourceBinding) => conditionOf(status?.conditions, 'Scheduled');
    return deepEqual(scheduled(before), scheduled(after)) ? 'binding-status' : 'scheduler';
  }
  const [had = [], has = []] = [before.spec.gracefulEvictionTasks, after.spec.gracefulEvictionTasks];
  const fresh = has.find(({ fromCluster }) => !had.some((task) => task.fromCluster === fromCluster));
  if (fresh) return evictorOf(fresh) ?? '';
  const isEdited = has.some((task) => {
    const old = had.find(({ fromCluster }) => fromCluster === task.fromCluster);
    return old && !deepEqual(taskSettings(old), taskSettings(task));
  });
  if (isEdited) return '';
  // The evictor only adds tasks: a write that also adds a cluster reverts an eviction.
  if (!deepEqual(had, has))
    return deepEqual(before.spec.clusters, after.spec.clusters) ? 'graceful-eviction' : '';
  if (!deepEqual(before.spec.clusters, after.spec.clusters)) return 'scheduler';
  if (!deepEqual(before.spec.requiredBy, after.spec.requiredBy)) return 'dependencies-distributor';
  return deepEqual(before.spec.rescheduleTriggeredAt, after.spec.rescheduleTriggeredAt)
    ? 'detector'
    : 'workload-rebalancer';
}
