import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { instant } from '../../kubernetes/time.ts';
import { readyCondition } from '../objects/clusterReadiness.ts';
import { bindingIdentity, bindingKey, workloadOf } from '../objects/identities.ts';
import { placedOn, placementOf } from '../objects/placement.ts';
import { clusterOfWork } from '../objects/worksOfBinding.ts';
import { declaredHooks } from '../status/healthInterpreter.ts';
import { taintText } from '../simulation/timeline/timelineOf.ts';
import type { World } from '../world.ts';
import type { EvictionCourse, History, HistoryEvent } from './history.ts';
import { missingReplicas } from './readyCopies.ts';
import { bindingsOn, followSeen } from './seenSpans.ts';
import { seenWorld, type SeenWorld } from './seenWorld.ts';

/**
 * What a single state still tells of what happened: conditions and taints, tasks and Works hold the time of their
 * last change. Earlier changes are not known, nor objects that are gone.
 *
 * @param now epoch milliseconds
 */
export function toldHistory(world: World, now: number, configuration: Configuration): History {
  const seen = seenWorld(world);
  const events = [
    ...world.clusters.flatMap(eventsOfCluster),
    ...world.bindings.flatMap(eventsOfBinding),
    ...world.works.flatMap((work) => eventsOfWork(work, seen)),
  ].sort((a, b) => a.time - b.time);
  const spans = followSeen(seen, configuration, declaredHooks(world.others, configuration.rules));
  for (const key of seen.bindings.keys()) spans.look(key, now);
  return {
    seen: false,
    start: events[0]?.time ?? now,
    end: now,
    events,
    evictions: world.bindings.flatMap((binding) => coursesOf(binding, seen)),
    spans: spans.all(),
    workloads: world.bindings.map((binding) => ({ workload: workloadOf(binding), returns: 0 })),
    clusters: [],
    doubts: doubtsOf(seen),
  };
}

function timeOf(text: string | null | undefined): number | undefined {
  const time = text ? instant(text) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

function eventsOfCluster({ metadata: { name }, spec, status }: Cluster): HistoryEvent[] {
  const object = { kind: 'Cluster', name };
  const conditions = (status?.conditions ?? []).flatMap(
    ({ type, status: value, reason, lastTransitionTime }): HistoryEvent[] => {
      const time = timeOf(lastTransitionTime);
      if (time === undefined) return [];
      return [
        {
          ...{ time, controller: 'cluster-status', type: 'ConditionChanged', object, cluster: name },
          ...(reason ? { reason } : {}),
          message: `${type}=${value}`,
          source: `status.conditions[${type}].lastTransitionTime`,
        },
      ];
    },
  );
  const taints = (spec?.taints ?? []).flatMap((taint): HistoryEvent[] => {
    const time = timeOf(taint.timeAdded);
    if (time === undefined) return [];
    const { key, value, effect } = taint;
    return [
      {
        ...{ time, controller: '', type: 'TaintAdded', object, cluster: name, message: taintText(taint) },
        taint: { key, ...(value && { value }), effect },
        source: `spec.taints[${key}:${effect}].timeAdded`,
      },
    ];
  });
  return [...conditions, ...taints];
}

function eventsOfBinding(binding: ResourceBinding): HistoryEvent[] {
  const object = bindingIdentity(binding);
  const { spec, status } = binding;
  const evicted = (spec.gracefulEvictionTasks ?? []).flatMap((task): HistoryEvent[] => {
    const time = timeOf(task.creationTimestamp);
    if (time === undefined) return [];
    const { fromCluster, reason, purgeMode } = task;
    return [
      {
        ...{ time, type: 'Evicted', object, cluster: fromCluster },
        controller: task.producer === 'TaintManager' ? 'taint-manager' : '',
        ...(reason ? { reason } : {}),
        message: `evicted from ${fromCluster}, ${purgeMode ?? 'Gracefully'}`,
        source: `spec.gracefulEvictionTasks[${fromCluster}].creationTimestamp`,
      },
    ];
  });
  const scheduled = timeOf(status?.lastScheduledTime);
  const refused = status?.conditions?.find(({ type }) => type === 'Scheduled');
  const since = timeOf(refused?.lastTransitionTime);
  return [
    ...evicted,
    ...(scheduled === undefined
      ? []
      : [
          {
            ...{ time: scheduled, controller: 'scheduler', type: 'Scheduled' as const, object },
            ...placementOf(spec),
            source: 'status.lastScheduledTime',
          },
        ]),
    ...(refused?.status !== 'False' || since === undefined
      ? []
      : [
          {
            ...{ time: since, controller: 'scheduler', type: 'ScheduleFailed' as const, object },
            ...(refused.reason ? { reason: refused.reason } : {}),
            ...(refused.message ? { message: refused.message } : {}),
            source: 'status.conditions[Scheduled].lastTransitionTime',
          },
        ]),
  ];
}

function eventsOfWork(work: Work, world: SeenWorld): HistoryEvent[] {
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
    ...event('WorkCreated', timeOf(creationTimestamp), 'metadata.creationTimestamp'),
    ...event('WorkDeleted', timeOf(deletionTimestamp), 'metadata.deletionTimestamp'),
  ];
}

function coursesOf(binding: ResourceBinding, world: SeenWorld): EvictionCourse[] {
  const scheduled = timeOf(binding.status?.lastScheduledTime);
  return (binding.spec.gracefulEvictionTasks ?? []).map((task): EvictionCourse => {
    const { fromCluster: from, reason, purgeMode, creationTimestamp } = task;
    const evicted = timeOf(creationTimestamp);
    const cluster = world.clusters.get(from);
    const ready = readyCondition(cluster);
    // what came later did not lead to it
    const isBefore = (time: number | undefined): time is number =>
      time !== undefined && (evicted === undefined || time <= evicted);
    const unready = ready && ready.status !== 'True' ? timeOf(ready.lastTransitionTime) : undefined;
    const detected = isBefore(unready) ? unready : undefined;
    const tainted = (cluster?.spec?.taints ?? [])
      .filter(({ effect }) => effect === 'NoExecute')
      .map(({ timeAdded }) => timeOf(timeAdded))
      .filter(isBefore)
      .reduce<number | undefined>((newest, time) => Math.max(newest ?? time, time), undefined);
    const isReadyAgain = missingReplicas(binding, world.clusters) === 0;
    const isPlacedSince = scheduled !== undefined && evicted !== undefined && scheduled >= evicted;
    return {
      ...{
        workload: workloadOf(binding),
        from,
        to: isPlacedSince || isReadyAgain ? placedOn(binding.spec) : [],
      },
      ...(reason ? { reason } : {}),
      ...(purgeMode ? { purgeMode } : {}),
      ...(detected === undefined ? {} : { detected }),
      ...(tainted === undefined ? {} : { tainted }),
      ...(evicted === undefined ? {} : { evicted }),
      ...(isPlacedSince ? { scheduled } : {}),
    };
  });
}

function doubtsOf(world: SeenWorld): History['doubts'] {
  const unreported = [...world.clusters.values()]
    .filter((cluster) => readyCondition(cluster)?.status !== 'True')
    .map(({ metadata }) => metadata.name);
  const unstamped = [...world.bindings.values()].filter(({ spec }) =>
    spec.gracefulEvictionTasks?.some(({ creationTimestamp }) => !creationTimestamp),
  );
  return [
    {
      text: 'This is put together of one state: of each condition, taint and placement only the last change is known, and evictions that are over, flaps and missing replicas are not.',
    },
    ...unreported.map((cluster) => ({
      text: `${cluster} is not Ready: what its status says about copies there is old, and ${bindingsOn(world, cluster).length} workloads have or had one.`,
    })),
    ...unstamped.map((binding) => ({
      text: `An eviction task of ${bindingKey(binding)} has no creationTimestamp yet: when it began is not known.`,
    })),
  ];
}
