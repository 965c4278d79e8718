import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import { readyCondition } from '../../karmada/objects/clusterReadiness.ts';
import { bindingIdentity, bindingKey, workloadOf } from '../../karmada/objects/identities.ts';
import { placedOn, placementOf } from '../../karmada/objects/placement.ts';
import { clusterOfWork } from '../../karmada/objects/worksOfBinding.ts';
import { declaredHooks } from '../../karmada/status/healthInterpreter.ts';
import { missingKind, type World } from '../../karmada/world.ts';
import type { EvictionTimes, History, HistoryEvent } from './history.ts';
import { bindingsOn, followObservedSpans } from './observedSpans.ts';
import { eventStep, type EventStep, isEvent } from './karmadaEvents.ts';
import { observedWorld, type ObservedWorld } from './observedWorld.ts';
import { followWanted } from './readyCopies.ts';
import {
  CONTROLLER_MANAGER,
  controllerOf,
  isSameInstant,
  nameTaintWriters,
  taintsWriter,
} from './taintWriters.ts';
import { firstPlacement, isPlacedWhole, placementAfter, historyFromEvents } from './historyFromEvents.ts';
import { knownInstant } from '../../kubernetes/time.ts';

/**
 * The history reconstructed from a single state: conditions and taints, tasks and Works record the time of their last
 * change. Earlier changes and deleted objects are unknown.
 *
 * @param now epoch milliseconds
 */
export function reconstructedHistory(world: World, now: number, configuration: Configuration): History {
  const seen = observedWorld(world);
  const stated = [
    ...world.clusters.flatMap((cluster) => eventsOfCluster(cluster, configuration.rules)),
    ...world.bindings.flatMap((binding) => eventsOfBinding(binding, seen)),
    ...world.works.flatMap((work) => eventsOfWork(work, seen)),
  ];
  const steps = world.others.flatMap((object) => eventStep(object) ?? []);
  const known = historyFromEvents(steps, stated, world.bindings);
  const events = nameTaintWriters(known.events, steps).sort((a, b) => a.time - b.time);
  const wanted = followWanted(seen.clusters, configuration.rules.scheduling);
  const spans = followObservedSpans(seen, {
    configuration,
    hooks: declaredHooks(world.others, configuration.rules),
    wanted,
  });
  for (const key of seen.bindings.keys()) spans.update(key, now);
  return {
    seen: false,
    start: events[0]?.time ?? now,
    end: now,
    events,
    evictions: [
      ...known.evictions.map((course) => ({
        ...course,
        ...causeOf(seen.clusters.get(course.from), course.scheduled ?? course.ended),
      })),
      ...world.bindings.flatMap((binding) => coursesOf(binding, seen)),
    ],
    spans: spans.all(now),
    workloads: world.bindings.map((binding) => ({ workload: workloadOf(binding), returns: 0 })),
    clusters: [],
    doubts: [...doubtsOfSources(world, steps, events), ...doubtsOf(seen)],
  };
}

/** The last change of each condition and taint of a cluster, as it shows them. */
export function eventsOfCluster(cluster: Cluster, rules: Rules): HistoryEvent[] {
  const { metadata, spec, status } = cluster;
  const { name } = metadata;
  const object = { kind: 'Cluster', name };
  const conditions = (status?.conditions ?? []).flatMap(
    ({ type, status: value, reason, lastTransitionTime }): HistoryEvent | [] => {
      const time = knownInstant(lastTransitionTime);
      if (time === undefined) return [];
      return {
        time,
        controller: 'cluster-status',
        type: 'ConditionChanged',
        object,
        cluster: name,
        ...(reason ? { reason } : {}),
        message: `${type}=${value}`,
        source: `status.conditions[${type}].lastTransitionTime`,
      };
    },
  );
  const taints = (spec?.taints ?? []).flatMap((taint): HistoryEvent | [] => {
    const added = whenAdded(taint, cluster, rules);
    if (!added) return [];
    const { key, value, effect } = taint;
    return {
      type: 'TaintAdded',
      object,
      cluster: name,
      message: formatTaint(taint),
      taint: { key, ...(value && { value }), effect },
      ...added,
    };
  });
  return [...conditions, ...taints];
}

/**
 * When a taint was added, and by whom, if known. The last writer of the list added the taints with the time of its
 * write. Taints without timeAdded, which only controllers set, were added then or earlier.
 */
function whenAdded(
  taint: Taint,
  cluster: Cluster,
  rules: Rules,
): Pick<HistoryEvent, 'time' | 'controller' | 'source' | 'controllerSource'> | undefined {
  const { key, effect, timeAdded } = taint;
  const writer = taintsWriter(cluster);
  const added = knownInstant(timeAdded);
  const field = writer && `metadata.managedFields[${writer.manager}].time`;
  if (added === undefined) {
    if (writer?.time === undefined || writer.manager === CONTROLLER_MANAGER) return undefined;
    return { time: writer.time, controller: writer.manager, source: field!, controllerSource: field! };
  }
  const isWriters = writer?.time !== undefined && isSameInstant(added, writer.time);
  return {
    time: added,
    controller: isWriters ? controllerOf(writer.manager, taint, rules) : '',
    source: `spec.taints[${key}:${effect}].timeAdded`,
    ...(isWriters ? { controllerSource: field! } : {}),
  };
}

function eventsOfBinding(binding: ResourceBinding, world: ObservedWorld): HistoryEvent[] {
  const object = bindingIdentity(binding);
  const { spec, status } = binding;
  const evicted = (spec.gracefulEvictionTasks ?? []).flatMap((task): HistoryEvent | [] => {
    const time = knownInstant(task.creationTimestamp);
    if (time === undefined) return [];
    const { fromCluster, reason, purgeMode } = task;
    return {
      time,
      type: 'Evicted',
      object,
      cluster: fromCluster,
      controller: task.producer === 'TaintManager' ? 'taint-manager' : '',
      ...(reason ? { reason } : {}),
      message: `evicted from ${fromCluster}, ${purgeMode ?? 'Gracefully'}`,
      source: `spec.gracefulEvictionTasks[${fromCluster}].creationTimestamp`,
    };
  });
  // Each task of a binding gives the same event.
  const scheduled =
    (spec.gracefulEvictionTasks ?? [])
      .map(({ creationTimestamp }) => knownInstant(creationTimestamp))
      .flatMap((time) => (time === undefined ? [] : (placementAfter(time, binding, world)?.scheduled ?? [])))
      .at(0) ?? firstPlacement(binding, world);
  const refused = conditionOf(status?.conditions, 'Scheduled');
  const since = knownInstant(refused?.lastTransitionTime);
  return [
    ...evicted,
    ...(scheduled === undefined
      ? []
      : [
          {
            time: scheduled,
            controller: 'scheduler',
            type: 'Scheduled' as const,
            object,
            ...(isPlacedWhole(binding) ? placementOf(spec) : {}),
            source: 'status.lastScheduledTime',
          },
        ]),
    ...(refused?.status !== 'False' || since === undefined
      ? []
      : [
          {
            time: since,
            controller: 'scheduler',
            type: 'ScheduleFailed' as const,
            object,
            ...(refused.reason ? { reason: refused.reason } : {}),
            ...(refused.message ? { message: refused.message } : {}),
            source: 'status.conditions[Scheduled].lastTransitionTime',
          },
        ]),
  ];
}

function eventsOfWork(work: Work, world: ObservedWorld): HistoryEvent[] {
  const cluster = clusterOfWork(work);
  const owner = world.bindingOf(work);
  if (cluster === undefined || !owner) return [];
  const { creationTimestamp, deletionTimestamp } = work.metadata;
  const object = bindingIdentity(owner);
  const event = (type: HistoryEvent['type'], time: number | undefined, source: string): HistoryEvent[] =>
    time === undefined
      ? []
      : [{ time, controller: 'binding-controller', type, object, cluster, source: `Work ${source}` }];
  return [
    ...event('WorkCreated', knownInstant(creationTimestamp), 'metadata.creationTimestamp'),
    ...event('WorkDeleted', knownInstant(deletionTimestamp), 'metadata.deletionTimestamp'),
  ];
}

function coursesOf(binding: ResourceBinding, world: ObservedWorld): EvictionTimes[] {
  return (binding.spec.gracefulEvictionTasks ?? []).map((task): EvictionTimes => {
    const { fromCluster: from, reason, purgeMode, creationTimestamp } = task;
    const evicted = knownInstant(creationTimestamp);
    const { to = [], scheduled } =
      (evicted === undefined ? undefined : placementAfter(evicted, binding, world)) ?? {};
    return {
      workload: workloadOf(binding),
      from,
      to,
      placedNow: placedOn(binding.spec),
      ...(reason ? { reason } : {}),
      ...(purgeMode ? { purgeMode } : {}),
      ...causeOf(world.clusters.get(from), evicted),
      ...(evicted === undefined ? {} : { evicted }),
      ...(scheduled === undefined ? {} : { scheduled }),
    };
  });
}

/**
 * When a cluster failed and was tainted, at or before this instant; without an instant, at any time. Later events are
 * no causes of an eviction.
 */
function causeOf(
  cluster: Cluster | undefined,
  before: number | undefined,
): Pick<EvictionTimes, 'detected' | 'tainted'> {
  const ready = readyCondition(cluster);
  const isBefore = (time: number | undefined): time is number =>
    time !== undefined && (before === undefined || time <= before);
  const unready = ready && ready.status !== 'True' ? knownInstant(ready.lastTransitionTime) : undefined;
  const added = (cluster?.spec?.taints ?? [])
    .filter(({ effect }) => effect === 'NoExecute')
    .map(({ timeAdded }) => knownInstant(timeAdded))
    .filter(isBefore)
    .sort((a, b) => b - a);
  // A taint of the same second may be later than the eviction, if there is another cause.
  const tainted = added.length > 1 && added[0] === before && added.at(-1) !== before ? undefined : added[0];
  return {
    ...(isBefore(unready) ? { detected: unready } : {}),
    ...(tainted === undefined ? {} : { tainted }),
  };
}

/** The gaps that the sources of such a history leave. */
function doubtsOfSources(
  world: World,
  steps: readonly EventStep[],
  events: readonly HistoryEvent[],
): History['doubts'] {
  const missing = missingKind(world, 'Event');
  // A snapshot of a live control plane has only Warnings.
  const hasEvents = world.others.some((one) => isEvent(one) && one.type !== 'Warning');
  const repeated = steps.filter(({ count }) => count > 1).length;
  const managed = events.some(({ controllerSource }) =>
    controllerSource?.startsWith('metadata.managedFields'),
  );
  const over = hasEvents
    ? 'flaps, returns and missing replicas are unknown'
    : 'ended evictions, flaps, returns and missing replicas are unknown';
  return [
    {
      text: `Only the last change of each condition, taint and placement is known: ${over}.`,
    },
    hasEvents
      ? {
          text: `Events are kept for an hour unless Karmada's API server is set otherwise: older ones are gone. ${repeated > 0 ? `${repeated} of ${steps.length} are repeated: only their first and last times are known.` : ''}`.trimEnd(),
        }
      : {
          text: `${missing ? `Events could not be read (${missing})` : 'The state has no Events'}: earlier placements, ended evictions and failed writes are unknown.`,
        },
    ...(managed
      ? [
          {
            text: 'managedFields have one time for each writer, that of its last write. Taints of that time, and those without one, count as added by the last writer of the list.',
          },
        ]
      : []),
    ...(world.bindings.some(({ status }) => status?.lastScheduledTime)
      ? [
          {
            text: 'status.lastScheduledTime is the time of the last scheduling, which often changed nothing: a placement is known only if its Works were created then.',
          },
        ]
      : []),
  ];
}

function doubtsOf(world: ObservedWorld): History['doubts'] {
  const unreported = [...world.clusters.values()]
    .filter((cluster) => readyCondition(cluster)?.status !== 'True')
    .map(({ metadata }) => metadata.name);
  const unstamped = [...world.bindings.values()].filter(({ spec }) =>
    spec.gracefulEvictionTasks?.some(({ creationTimestamp }) => !creationTimestamp),
  );
  return [
    ...unreported.map((cluster) => {
      const count = bindingsOn(world, cluster).length;
      const owners = count === 1 ? '1 workload has' : `${count} workloads have`;
      return {
        text: `${cluster} is not Ready: its status of copies is stale, and ${owners} or had one.`,
      };
    }),
    ...unstamped.map((binding) => ({
      text: `An eviction task of ${bindingKey(binding)} has no creationTimestamp yet: its start is unknown.`,
    })),
  ];
}
