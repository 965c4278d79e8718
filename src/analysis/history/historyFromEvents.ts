import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import { bindingIdentity, objectKey, workloadOf } from '../../karmada/objects/identities.ts';
import type { EvictionTimes, HistoryEvent } from './history.ts';
import type { EventStep } from './karmadaEvents.ts';
import { isSameInstant } from './taintWriters.ts';
import { dividesReplicas, placedOn } from '../../karmada/objects/placement.ts';
import type { ObservedWorld } from './observedWorld.ts';
import { groupedBy } from '../../kubernetes/nonEmpty.ts';
import { knownInstant } from '../../kubernetes/time.ts';

/**
 * The history in the state itself (`shown`), with earlier placements, ended evictions and failed writes from Events. Of
 * repeated Events only the first and the last time are known.
 */
export function historyFromEvents(
  steps: readonly EventStep[],
  shown: readonly HistoryEvent[],
  bindings: readonly ResourceBinding[],
): { events: HistoryEvent[]; evictions: EvictionTimes[] } {
  const known = new Map<string, HistoryEvent[]>(groupedBy(shown, ({ object }) => objectKey(object)));
  for (const [key, own] of groupedBy(steps, ({ object }) => objectKey(object))) {
    const stated = (known.get(key) ?? []).filter((event) => !own.some((step) => repeats(event, step)));
    const besides = [...placements(own), ...own.flatMap(others)].filter(
      (event) => !stated.some((one) => saysTheSame(one, event)),
    );
    known.set(key, [...stated, ...besides]);
  }
  return {
    events: [...known.values()].flat(),
    evictions: bindings.flatMap((binding) =>
      coursesOver(workloadOf(binding), known.get(objectKey(bindingIdentity(binding))) ?? []),
    ),
  };
}

/** Whether the scheduler's previous Event has the same placement: then nothing changed. */
function repeats({ type, time, clusters = [] }: HistoryEvent, step: EventStep): boolean {
  if (type !== 'Scheduled' || step.type !== 'Scheduled' || !step.clusters) return false;
  const isBetween = !isSameInstant(step.first, time) && step.first < time && time < step.last + 2000;
  return isBetween && placementText(step.clusters) === placementText(clusters);
}

/** Whether the state already records this step, so that it is listed once. */
function saysTheSame(stated: HistoryEvent, event: HistoryEvent): boolean {
  const isSame = stated.type === event.type || (event.type === 'TaintsWritten' && stated.taint !== undefined);
  return isSame && [event.time, event.until ?? event.time].some((time) => isSameInstant(time, stated.time));
}

/**
 * The placements of a binding: the scheduler reports each decision, mostly the same. The last time of a placement is
 * also listed if another one came in between.
 */
function placements(steps: readonly EventStep[]): HistoryEvent[] {
  const found = new Map<string, EventStep>();
  for (const step of steps) {
    if (step.type !== 'Scheduled') continue;
    const key = step.clusters ? placementText(step.clusters) : step.message;
    const same = found.get(key);
    const first = Math.min(step.first, same?.first ?? step.first);
    const last = Math.max(step.last, same?.last ?? step.last);
    found.set(key, { ...step, first, last });
  }
  const all = [...found.values()];
  return all.flatMap(({ first, last, ...step }) => {
    const isBack = all.some((other) => other.first > first && other.first < last);
    return (isBack ? [first, last] : [first]).map((time) => eventOf(step, time));
  });
}

function others({ first, last, count, message, ...step }: EventStep): HistoryEvent[] {
  switch (step.type) {
    case 'Scheduled':
      return [];
    case 'TaskEnded':
    case 'Evicted': {
      const from = step.cluster ?? '';
      const words =
        step.type === 'TaskEnded' ? `eviction task of ${from} ended` : `evicted from ${from}, without a task`;
      return [...new Set([first, last])].map((time) => ({ ...eventOf(step, time), message: words }));
    }
    default: {
      const words = step.taints ? step.taints.join(', ') || '(none)' : message;
      return [
        {
          ...eventOf(step, first),
          message: words,
          ...(count > 1 ? { count } : {}),
          ...(last > first ? { until: last } : {}),
        },
      ];
    }
  }
}

function eventOf(
  {
    type,
    object,
    cluster,
    clusters,
    reason,
    controller,
  }: Omit<EventStep, 'first' | 'last' | 'count' | 'message'>,
  time: number,
): HistoryEvent {
  return {
    time,
    controller,
    type,
    object,
    ...(cluster === undefined ? {} : { cluster }),
    ...(clusters ? { clusters } : {}),
    source: `Event ${reason}`,
  };
}

/** The reason of an Event that reports an eviction, or the end of its task. */
const EVICTED = 'EvictWorkloadFromClusterSucceed';

/**
 * Ended evictions: the end of their tasks, or the eviction itself if there was no task, and the first placement without
 * the old cluster, if known.
 */
function coursesOver(workload: ObjectIdentity, events: readonly HistoryEvent[]): EvictionTimes[] {
  const placed = events
    .flatMap(({ type, clusters, time }) => (type === 'Scheduled' && clusters ? [{ clusters, time }] : []))
    .sort((a, b) => a.time - b.time);
  return events.flatMap(({ type, cluster: from, time: ended, source }): EvictionTimes | [] => {
    if (from === undefined) return [];
    if (type === 'Evicted' && source === `Event ${EVICTED}`) {
      const next = placed.find(({ clusters, time }) => time >= ended && !isIn(from, clusters));
      return {
        workload,
        from,
        to: next?.clusters ?? [],
        evicted: ended,
        ...(next ? { scheduled: next.time } : {}),
      };
    }
    if (type !== 'TaskEnded') return [];
    const moved = placed.findLast(
      ({ clusters, time }, i) =>
        time <= ended && !isIn(from, clusters) && isIn(from, placed[i - 1]?.clusters ?? []),
    );
    return {
      workload,
      from,
      to: moved?.clusters ?? [],
      ended,
      ...(moved ? { scheduled: moved.time } : {}),
    };
  });
}

function isIn(cluster: string, placement: readonly TargetCluster[]): boolean {
  return placement.some(({ name }) => name === cluster);
}

function placementText(placement: readonly TargetCluster[]): string {
  return placement
    .map(({ name, replicas = 0 }) => `${name}:${replicas}`)
    .sort()
    .join(' ');
}

/*
 * status.lastScheduledTime is the scheduler's last decision, which mostly confirms the placement: a dated or ended task
 * triggers another decision. The time is that of the placement only if a Work was created then, or none exists yet.
 */

/** What one state shows about a placement after an instant. */
interface KnownPlacement {
  to: TargetCluster[];
  /** epoch milliseconds; absent: unknown */
  scheduled?: number;
}

/**
 * The placement of a binding after an eviction whose task still exists, and its time (epoch milliseconds). Undefined if
 * unknown: its Works are older or were created at several times, or there was a later eviction.
 */
export function placementAfter(
  evicted: number,
  binding: ResourceBinding,
  world: Pick<ObservedWorld, 'worksOf'>,
): KnownPlacement | undefined {
  const made = worksMadeFor(binding, world).filter((time) => time >= evicted);
  const isWaiting = waitsForWorks(binding, world);
  const evictions = (binding.spec.gracefulEvictionTasks ?? []).map(
    ({ creationTimestamp }) => knownInstant(creationTimestamp) ?? Infinity,
  );
  const [first, last] = isWaiting ? [evicted, evicted] : [Math.min(...made), Math.max(...made)];
  const decided = knownInstant(binding.status?.lastScheduledTime);
  const isThen = decided !== undefined && decided >= evicted && isSameInstant(decided, first);
  // Without Works, a later decision may have replaced the first placement.
  const isUnknown = isWaiting ? !isThen : made.length === 0 || !isSameInstant(first, last);
  if (isUnknown || evictions.some((time) => time > evicted)) return undefined;
  return { to: placedOn(binding.spec), ...(isThen ? { scheduled: decided } : {}) };
}

/**
 * Whether a binding has Works, but none on the clusters of its placement: a placement older than the eviction would
 * have them. With purge mode Directly the old Work must be deleted first.
 */
function waitsForWorks(binding: ResourceBinding, world: Pick<ObservedWorld, 'worksOf'>): boolean {
  const placed = placedOn(binding.spec);
  const works = world.worksOf(binding);
  return placed.length > 0 && works.size > 0 && placed.every(({ name }) => !works.has(name));
}

/** When a binding got its first placement; undefined if unknown. Epoch milliseconds. */
export function firstPlacement(
  binding: ResourceBinding,
  world: Pick<ObservedWorld, 'worksOf'>,
): number | undefined {
  const decided = knownInstant(binding.status?.lastScheduledTime);
  const created = knownInstant(binding.metadata.creationTimestamp);
  if (decided === undefined || created === undefined || !isSameInstant(created, decided)) return undefined;
  return worksMadeFor(binding, world).some((time) => isSameInstant(time, decided)) ? decided : undefined;
}

/**
 * Whether a binding still has its whole placement: an ended eviction may have removed a cluster of a Duplicated
 * binding.
 */
export function isPlacedWhole({ spec }: ResourceBinding): boolean {
  const placed = placedOn(spec).reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  return dividesReplicas(spec) && placed === spec.replicas;
}

/** When the Works on the clusters of a placement were created; epoch milliseconds. */
function worksMadeFor(binding: ResourceBinding, world: Pick<ObservedWorld, 'worksOf'>): number[] {
  const works = world.worksOf(binding);
  return placedOn(binding.spec).flatMap(
    ({ name }) => knownInstant(works.get(name)?.metadata.creationTimestamp) ?? [],
  );
}
