import type { Cluster } from '../api/cluster.ts';
import type { Placement } from '../api/policy.ts';
import type { ResourceBinding } from '../api/work.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { hasCluster } from '../selection/clusterSet.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import { rejecting } from './filters/filters.ts';
import { scheduleBinding } from './scheduleBinding.ts';

/** What the scheduler comes to where nothing has changed: that it has nothing to do, or that all stays where it is. */
export type UsualResult = 'idle' | 'stays';

/**
 * Results of the scheduler that many simulations of one start come to. The taints of a cluster wake it for all bindings that may go
 * there, and most of them stay where they are: of those no more is asked than whether the clusters that have changed matter.
 */
export interface UsualResults {
  /** Undefined: the scheduler has to decide. */
  of(snapshot: ClusterSnapshot, key: string, binding: ResourceBinding): UsualResult | undefined;
}

declare module '../controllers/view.ts' {
  interface View {
    /** what the scheduler comes to for the bindings at the start; absent: every look decides */
    readonly usual?: UsualResults;
  }
}

interface Usual {
  result: UsualResult;
  /** indexes of the clusters of a binding that stays */
  clusters: ReadonlySet<number>;
}

const IDLE: Usual = { result: 'idle', clusters: new Set() };

/** @param origin the snapshot of the clusters at the start: only its forks are judged */
export function usualResults(
  origin: ClusterSnapshot,
  bindings: ReadonlyMap<string, ResourceBinding>,
): UsualResults {
  const known = new Map<string, Usual | undefined>();
  const changes = new WeakMap<ClusterSnapshot, Changes>();
  return {
    of(snapshot, key, binding) {
      if (snapshot.origin !== origin) return undefined;
      const initial = bindings.get(key);
      if (!initial || !differsByNoteAlone(initial, binding)) return undefined;
      if (!known.has(key)) known.set(key, usualOf(origin, initial));
      const usual = known.get(key);
      let changed = changes.get(snapshot);
      if (!changed) changes.set(snapshot, (changed = changesSince(origin, snapshot)));
      if (!usual || changed.deletes) return undefined;
      if (usual === IDLE) return usual.result;
      return staysIn(snapshot, origin, changed, binding, usual.clusters) ? usual.result : undefined;
    },
  };
}

/** What has changed since the start that may count, as indexes of clusters. */
interface Changes {
  /** a cluster is being deleted */
  deletes: boolean;
  /** filters may say something else of them */
  filtered: readonly number[];
  /** they have other room */
  room: readonly number[];
}

function changesSince(origin: ClusterSnapshot, snapshot: ClusterSnapshot): Changes {
  const { changed, clusters, fleet } = snapshot;
  return {
    deletes: changed.some((at) => clusters[at]!.metadata.deletionTimestamp),
    filtered: changed.filter((at) => !isFilteredAlike(clusters[at]!, origin.clusters[at]!)),
    room: changed.filter((at) => fleet.capacities[at] !== origin.fleet.capacities[at]),
  };
}

/** Whether no filter sees a difference: what the columns of a snapshot are made of is the same. */
function isFilteredAlike(a: Cluster, b: Cluster): boolean {
  return (
    a.metadata.labels === b.metadata.labels &&
    a.spec === b.spec &&
    a.status?.apiEnablements === b.status?.apiEnablements &&
    a.status?.conditions === b.status?.conditions
  );
}

/** Whether a binding is as it was at the start, but for the instant of the scheduler's last look. */
function differsByNoteAlone(initial: ResourceBinding, { spec, metadata, status }: ResourceBinding): boolean {
  const before = initial.status;
  return (
    spec === initial.spec &&
    metadata === initial.metadata &&
    (status === before ||
      (before !== undefined &&
        status?.conditions === before.conditions &&
        status?.schedulerObservedGeneration === before.schedulerObservedGeneration &&
        status?.schedulerObservingAffinityName === before.schedulerObservingAffinityName))
  );
}

/** What the scheduler comes to at the start; undefined: anything else, or it depends on more than which clusters fit. */
function usualOf(origin: ClusterSnapshot, binding: ResourceBinding): Usual | undefined {
  const { metadata, spec, status } = binding;
  const { placement } = spec;
  if (metadata.deletionTimestamp || !placement || spec.rescheduleTriggeredAt) return undefined;
  const { trigger, attempts, retry, tie, ...found } = scheduleBinding({ snapshot: origin, binding, now: 0 });
  if (!trigger) return found.status === status ? IDLE : undefined;
  if (trigger !== 'always rescheduled' || retry || tie || found.spec !== spec) return undefined;
  const isNoted = Object.entries(found.annotations ?? {}).every(
    ([name, text]) => metadata.annotations?.[name] === text,
  );
  const lastScheduledTime = status?.lastScheduledTime;
  const stays = isNoted && lastScheduledTime && deepEqual({ ...found.status, lastScheduledTime }, status);
  const targets = attempts.length === 1 ? attempts[0]!.clusters : undefined;
  if (!stays || !targets || !takesTheFirst(origin, binding, placement)) return undefined;
  return { result: 'stays', clusters: new Set(targets.map(({ name }) => origin.index.get(name)!)) };
}

/** Whether it goes to the first of the clusters that fit, whatever the others are. One that is always rescheduled counts no room. */
function takesTheFirst(
  { rules }: ClusterSnapshot,
  { spec }: ResourceBinding,
  { spreadConstraints = [], clusterAffinities = [] }: Placement,
): boolean {
  const clusters = spec.clusters?.length ?? 0;
  return (
    rules.regionScore !== 'roomOrCrash' &&
    !spec.components?.length &&
    !spec.gracefulEvictionTasks?.length &&
    !spec.activeEvictionHistory?.length &&
    !spec.workloadAffinityGroups &&
    spreadConstraints.every(
      ({ spreadByField, spreadByLabel, minGroups = 0 }) =>
        spreadByField === 'cluster' && !spreadByLabel && minGroups <= clusters,
    ) &&
    clusterAffinities.every(({ overflowAffinities = [] }) => overflowAffinities.length === 0)
  );
}

/**
 * Whether all stays where it is: its clusters have to fit as before, and no other one may come to fit. Those that it is on come first,
 * whatever room others have, and among themselves by room.
 */
function staysIn(
  snapshot: ClusterSnapshot,
  origin: ClusterSnapshot,
  { filtered, room }: Changes,
  binding: ResourceBinding,
  clusters: ReadonlySet<number>,
): boolean {
  if (clusters.size > 1) for (const at of room) if (clusters.has(at)) return false;
  for (const at of filtered) {
    const fits = isFeasible(snapshot, at, binding);
    if (clusters.has(at) ? !fits : fits && !isFeasible(origin, at, binding)) return false;
  }
  return true;
}

function isFeasible(snapshot: ClusterSnapshot, at: number, { spec, status }: ResourceBinding): boolean {
  const cluster = snapshot.clusters[at]!;
  return (
    hasCluster(snapshot.candidates(), at) &&
    snapshot.filters.every((filter) => rejecting(filter, spec, status, snapshot)(cluster) === undefined)
  );
}
