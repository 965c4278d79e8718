import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import { EVICTION_REASON_TAINT_UNTOLERATED } from '../../karmada/api/names.ts';
import type { Change } from '../../karmada/controllers/write.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { bindingKey, workloadOf } from '../../karmada/objects/identities.ts';
import { placedOn } from '../../karmada/objects/placement.ts';
import { instant } from '../../kubernetes/time.ts';
import { clusterOfWork } from '../../karmada/objects/worksOfBinding.ts';
import { isCauseOfEviction, type EvictionTimes, type HistoryEvent } from './history.ts';
import { readyOn, type DesiredReplicasReader } from './readyCopies.ts';
import type { ObservedWorld } from './observedWorld.ts';

/** Follows evictions from the first sign of a failing cluster to the deletion of the old copy. */
interface FollowedEvictions {
  /** records the events of a change after the world has applied it */
  take(change: Change, events: readonly HistoryEvent[], now: number): void;
  /** checks whether a binding (by `bindingKey`) is ready elsewhere now */
  update(key: string, now: number): void;
  all(): EvictionTimes[];
  /** how often each workload returned to a cluster that it had been evicted from, by `bindingKey` */
  returns: ReadonlyMap<string, number>;
}

interface Open {
  course: EvictionTimes;
  /** its placement when it was evicted; undefined: it was evicted earlier, and may already be replaced */
  before: string | undefined;
}

/**
 * Starts without courses. `world` must apply each change before `take` is called with it.
 *
 * @param earlier earlier events of clusters
 */
export function followEvictions(
  world: ObservedWorld,
  wantedOf: DesiredReplicasReader,
  earlier: readonly HistoryEvent[] = [],
): FollowedEvictions {
  const courses: { key: string; course: EvictionTimes }[] = [];
  /** unfinished evictions, by binding */
  const open = new Map<string, Open[]>();
  const returns = new Map<string, number>();
  const left = new Map<string, Set<string>>();
  const unreadySince = new Map<string, number>();
  const taintedSince = new Map<string, number>();

  const openOf = (key: string): readonly Open[] => open.get(key) ?? [];
  /** Removes the completed courses of a binding. */
  function close(key: string): void {
    const left = openOf(key).filter(
      ({ course, before }) =>
        course.gone === undefined || (before !== undefined && course.ready === undefined),
    );
    if (left.length > 0) open.set(key, left);
    else open.delete(key);
  }

  /** Removes the courses of a binding that is deleted, or recreated under the same name. */
  function forget(key: string): void {
    open.delete(key);
    left.delete(key);
  }

  function clusterChanged(event: HistoryEvent): void {
    const { cluster, time, type, taint } = event;
    if (cluster === undefined) return;
    if (type === 'ConditionChanged')
      if (isReady(world.clusters.get(cluster))) unreadySince.delete(cluster);
      else if (!unreadySince.has(cluster)) unreadySince.set(cluster, time);
    if (taint?.effect !== 'NoExecute') return;
    if (type === 'TaintAdded' || type === 'TaintRenewed') {
      taintedSince.set(cluster, time);
      for (const { course } of [...open.values()].flat())
        if (course.from === cluster && isReportedLate(course, time)) course.tainted = course.evicted!;
    }
    if (type === 'TaintRemoved' && !evicts(world.clusters.get(cluster))) taintedSince.delete(cluster);
  }

  function begin(binding: ResourceBinding, from: string, event: HistoryEvent): void {
    const task = binding.spec.gracefulEvictionTasks?.find(({ fromCluster }) => fromCluster === from);
    const workload: ObjectIdentity = workloadOf(binding);
    const [detected, tainted] = [unreadySince.get(from), taintedSince.get(from)];
    const course: EvictionTimes = {
      workload,
      from,
      to: [],
      evicted: event.time,
      ...(event.reason === undefined ? {} : { reason: event.reason }),
      ...(task?.purgeMode ? { purgeMode: task.purgeMode } : {}),
      ...(detected === undefined ? {} : { detected }),
      ...(tainted === undefined ? {} : { tainted }),
    };
    add(binding, course, placeText(binding));
  }

  function add(binding: ResourceBinding, course: EvictionTimes, before?: string): void {
    const key = bindingKey(binding);
    courses.push({ key, course });
    open.set(key, [...openOf(key), { course, before }]);
    left.set(key, (left.get(key) ?? new Set()).add(course.from));
  }

  function bindingChanged(binding: ResourceBinding, event: HistoryEvent): void {
    const key = bindingKey(binding);
    const own = openOf(key);
    if (event.type === 'Evicted')
      for (const from of event.cluster?.split(',') ?? []) begin(binding, from, event);
    else if (event.type === 'Scheduled') {
      for (const { course, before } of own)
        if (isReplaced(course, before, binding)) {
          course.scheduled = event.time;
          course.to = besides(course.from, placedOn(binding.spec));
        }
      for (const { name } of placedOn(binding.spec))
        if (left.get(key)?.delete(name)) returns.set(key, (returns.get(key) ?? 0) + 1);
    } else if (event.type === 'TaskEnded')
      for (const { course } of own)
        if (event.cluster?.split(',').includes(course.from)) course.ended ??= event.time;
  }

  earlier
    .filter(isCauseOfEviction)
    .sort((a, b) => a.time - b.time)
    .forEach(clusterChanged);
  // Evictions in progress at the start.
  for (const binding of world.bindings.values())
    for (const { fromCluster: from, reason, purgeMode, creationTimestamp } of binding.spec
      .gracefulEvictionTasks ?? [])
      add(binding, {
        workload: workloadOf(binding),
        from,
        to: [],
        ...(creationTimestamp ? { evicted: instant(creationTimestamp) } : {}),
        ...(reason ? { reason } : {}),
        ...(purgeMode ? { purgeMode } : {}),
      });

  return {
    returns,
    take(change, events, now) {
      if (change.kind === 'Cluster') events.forEach(clusterChanged);
      else if (change.kind === 'Binding' && change.after) {
        if (!change.before) forget(change.key);
        for (const event of events) bindingChanged(change.after, event);
      } else if (change.kind === 'Binding') {
        // The deletion of a binding ends its tasks.
        for (const { course } of openOf(change.key)) course.ended ??= now;
        forget(change.key);
      } else if (change.kind === 'Work' && !change.after && change.before) {
        const cluster = clusterOfWork(change.before);
        const owner = world.bindingOf(change.before);
        if (!owner) return;
        for (const { course } of openOf(bindingKey(owner))) if (course.from === cluster) course.gone ??= now;
        close(bindingKey(owner));
      }
    },
    update(key, now) {
      const binding = world.bindings.get(key);
      if (!binding) return;
      for (const { course, before } of openOf(key)) {
        if (course.ready !== undefined || before === undefined) continue;
        const elsewhere = placedOn(binding.spec)
          .filter(({ name }) => name !== course.from)
          .reduce((sum, { name }) => sum + readyOn(binding, name, world.clusters), 0);
        const wanted = wantedOf(binding);
        if (wanted > 0 && elsewhere >= wanted) course.ready = now;
      }
      close(key);
    },
    all: () =>
      courses.map(({ key, course }) => ({ ...course, ...presentPlace(world.bindings.get(key), course) })),
  };
}

/** Whether a placement is the first one after an eviction; one after the end of the task is not a replacement. */
function isReplaced(
  { scheduled, ended }: EvictionTimes,
  before: string | undefined,
  binding: ResourceBinding,
): boolean {
  const isFirst = before !== undefined && scheduled === undefined && ended === undefined;
  return isFirst && placeText(binding) !== before;
}

/** The present placement of a workload, while an eviction task exists. */
function presentPlace(
  binding: ResourceBinding | undefined,
  { from, ended }: EvictionTimes,
): Pick<EvictionTimes, 'placedNow'> {
  const tasks = (ended === undefined ? binding?.spec.gracefulEvictionTasks : undefined) ?? [];
  return binding && tasks.some(({ fromCluster }) => fromCluster === from)
    ? { placedNow: placedOn(binding.spec) }
    : {};
}

/** Its placement without the clusters that it was evicted from; the whole placement if it is on no other cluster. */
function besides(from: string, placed: TargetCluster[]): TargetCluster[] {
  const elsewhere = placed.filter(({ name }) => name !== from);
  return elsewhere.length > 0 ? elsewhere : placed;
}

/** Milliseconds by which a watch may report a cause after another watch reported its effect. */
const WATCHES_APART = 1000;

/** Whether a taint reported only now caused the eviction. */
function isReportedLate({ tainted, evicted = NaN, reason }: EvictionTimes, now: number): boolean {
  return (
    tainted === undefined &&
    reason === EVICTION_REASON_TAINT_UNTOLERATED &&
    evicted <= now &&
    now - evicted < WATCHES_APART
  );
}

function evicts(cluster: Cluster | undefined): boolean {
  return cluster?.spec?.taints?.some(({ effect }) => effect === 'NoExecute') === true;
}

function placeText({ spec }: ResourceBinding): string {
  return placedOn(spec)
    .map(({ name, replicas = 0 }) => `${name}×${replicas}`)
    .sort()
    .join(' ');
}
