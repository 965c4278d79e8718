import { scaledBindings } from './autoscalers.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { ChangeOf } from '../../karmada/controllers/write.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { conditionOf } from '../../karmada/objects/conditions.ts';
import { bindingKey } from '../../karmada/objects/identities.ts';
import {
  requestedNow,
  type ClusterFacts,
  leavingClusters,
  wantedReplicas,
} from '../../karmada/objects/placement.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';
import type { UnreadyReplicas } from './judge.ts';
import type { ReplicaGap, WorkloadOutcome } from './outcome.ts';
import type { ReadyReplicas } from './readyReplicas.ts';
import type { Span } from '../timeline/span.ts';

/** The missing ready replicas of workloads since the start of a simulation, by key of the binding. */
interface ReadinessCourse {
  /**
   * @param end epoch milliseconds
   * @param atRest nothing is left to happen to the workload
   */
  gapOf(binding: string, end: number, atRest: boolean): ReplicaGap | undefined;
  /** Whether the workload should have replicas, and none is ready now. */
  isDown(binding: string): boolean;
  deletedReady(binding: string): WorkloadOutcome['deletedReady'];
  /** The unready replicas among those assigned since the start or in evictions in progress then; all if none is ready. */
  unready(binding: string, initial: ResourceBinding, current: ResourceBinding): UnreadyReplicas | undefined;
  /** Those with missing ready replicas at the start, or with a change since. */
  concerned(): Iterable<string>;
  /** The clusters where it has been placed since the start, and should be ready by now. */
  late(binding: string, initial: ResourceBinding, current: ResourceBinding): string[];
}

type DeletedReady = NonNullable<WorkloadOutcome['deletedReady']>;

/** Called with a binding's key whenever the number of its missing ready replicas changes. */
export type OnMissingReplicas = (binding: string, now: number, missing: number) => void;

/** The facts about the start that the course needs. */
interface AtStart {
  /** returns a binding from the start, by key */
  initialOf(binding: string): ResourceBinding | undefined;
  facts: ClusterFacts;
}

export function followReadiness(
  start: StartingWorld,
  time: VirtualTime,
  ready: ReadyReplicas,
  { initialOf, facts }: AtStart,
  onMissing?: OnMissingReplicas,
): ReadinessCourse {
  const gaps = new Map<string, GapTracker>();
  const deleted = new Map<string, DeletedReady>();
  const concerned = new Set<string>();
  /** the most ready replicas of those requested since the start */
  const reachedMost = new Map<string, number>();
  /** epoch milliseconds when the number of requested replicas last changed */
  const askedAt = new Map<string, number>();
  // An autoscaler may change these later.
  const scaled = new Set(scaledBindings(start));

  function observe(key: string, initial: ResourceBinding): void {
    let gap = gaps.get(key);
    concerned.add(key);
    if (!gap) gaps.set(key, (gap = trackGap(onMissing && ((now, missing) => onMissing(key, now, missing)))));
    gap.observe(time.now(), wantedStill(key, initial), ready.of(key));
  }

  /** At rest, replicas that should have started never did: they are missing since they were requested. */
  function settle(key: string, gap: GapTracker): void {
    const asked = askedAt.get(key);
    if (asked === undefined) return;
    gap.observe(Math.max(asked, gap.changed()), wantedStill(key, initialOf(key)!, true), ready.of(key));
  }

  /**
   * Replicas that are missing unless ready: those desired at the start, or fewer after a scale-down; none once the
   * workload is deleted, which is intended. After a scale-up, also those that have been ready or are not starting:
   * starting is not downtime. At rest nothing is starting.
   */
  function wantedStill(key: string, initial: ResourceBinding, atRest = false): number {
    const current = time.view.get('Binding', key);
    if (!current || current.metadata.deletionTimestamp) return 0;
    const before = wantedReplicas(initial, facts);
    const asked = wantedReplicas(requestedNow(initial, current, facts), facts);
    if (asked <= before) return asked;
    const there = (current.spec.clusters ?? []).reduce((sum, { name }) => sum + ready.of(key, name), 0);
    const reached = Math.max(reachedMost.get(key) ?? before, Math.min(there, asked));
    reachedMost.set(key, reached);
    return atRest ? asked : Math.max(reached, asked - starting(key, current, asked));
  }

  /** The replicas that may still become ready: not yet scheduled, or assigned to reachable members. */
  function starting(key: string, { metadata, spec, status }: ResourceBinding, asked: number): number {
    const { clusters = [] } = spec;
    const assigned = clusters.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
    const isSeen =
      status?.schedulerObservedGeneration === metadata.generation ||
      conditionOf(status?.conditions, 'Scheduled')?.status === 'False';
    return clusters
      .filter(({ name }) => time.view.get('Member', name)?.up && !ready.isOverdue(key, name))
      .reduce(
        (sum, { name, replicas = 0 }) => sum + Math.max(0, replicas - ready.of(key, name)),
        isSeen ? 0 : Math.max(0, asked - assigned),
      );
  }

  ready.onChange((key) => {
    concerned.add(key);
    const initial = initialOf(key);
    if (initial && hasReplicas(initial, time.view.get('Binding', key))) observe(key, initial);
  });
  // Replicas missing at the start count from the start.
  for (const key of lackingAtStart(start, ready, facts)) observe(key, start.bindings.get(key)!);

  /** Records the deletion of a ready copy while fewer replicas are left than desired. */
  function copyGone({ before }: ChangeOf<'Copy'>): void {
    if (!before || before.ready === 0 || !time.view.get('Member', before.cluster)?.up) return;
    const binding = time.view.bindingFor(before.workload);
    const owner = binding && bindingKey(binding);
    const initial = owner === undefined ? undefined : initialOf(owner);
    if (owner === undefined || !initial || ready.of(owner) >= wantedStill(owner, initial)) return;
    concerned.add(owner);
    const one = { cluster: before.cluster, time: time.now(), replicas: before.ready };
    deleted.set(owner, [...(deleted.get(owner) ?? []), one]);
  }
  time.follow(({ changes }) => {
    for (const change of changes)
      if (change.kind === 'Copy' && isDeleted(change)) copyGone(change);
      else if (change.kind === 'Binding') {
        if (asksAnew(change)) askedAt.set(change.key, time.now());
        if (gaps.has(change.key) || askedAt.has(change.key)) observe(change.key, initialOf(change.key)!);
      }
  });

  /** All placed replicas if none is ready: those from before the start may also be down, or never become ready. */
  function nothingReady(
    key: string,
    { spec: { clusters = [] } }: ResourceBinding,
  ): UnreadyReplicas | undefined {
    if (clusters.length === 0 || ready.of(key) > 0) return undefined;
    const names = clusters.map(({ name }) => name);
    return {
      clusters: names,
      replicas: clusters.reduce((sum, { replicas = 0 }) => sum + replicas, 0),
      all: true,
      overdue: names.some((name) => ready.isOverdue(key, name)),
      remains: true,
    };
  }

  return {
    gapOf(key, end, atRest) {
      const tracker = gaps.get(key);
      if (atRest && tracker) settle(key, tracker);
      const gap = tracker?.result(end);
      return gap?.open && atRest && !scaled.has(key) ? { ...gap, permanent: true } : gap;
    },
    // A workload without missing replicas has no gap.
    isDown: (key) => gaps.has(key) && ready.of(key) === 0,
    deletedReady: (key) => deleted.get(key),
    concerned: () => concerned,
    unready(key, initial, current) {
      if (!initial.spec.replicas) return undefined;
      // Without a gap there is nothing to count, unless retained old copies make up for unready replicas.
      const kept = leavingClusters(current.spec).length > 0;
      if (!kept && !gaps.get(key)?.result(time.now())?.open) return undefined;
      const had = new Map(
        initial.spec.clusters
          ?.filter(({ name }) => !isAwaited(initial, name))
          .map(({ name, replicas = 0 }) => [name, replicas]),
      );
      const short = (current.spec.clusters ?? [])
        .filter(({ name, replicas = 0 }) => replicas > (had.get(name) ?? 0))
        .map(({ name, replicas = 0 }) => ({ name, missing: replicas - ready.of(key, name) }))
        .filter(({ missing }) => missing > 0);
      if (short.length === 0) return nothingReady(key, current);
      return {
        clusters: short.map(({ name }) => name),
        replicas: short.reduce((sum, { missing }) => sum + missing, 0),
        all: ready.of(key) === 0,
        overdue: short.some(({ name }) => ready.isOverdue(key, name)),
      };
    },
    late(key, initial, current) {
      const had = new Set(initial.spec.clusters?.map(({ name }) => name));
      return (current.spec.clusters ?? [])
        .filter(({ name, replicas = 0 }) => had.has(name) && ready.of(key, name) < replicas)
        .map(({ name }) => name)
        .filter((name) => ready.isOverdue(key, name));
    },
  };
}

/** Whether a cluster should replace one that the workload is leaving, but has not reported it yet. */
export function isAwaited({ spec, status }: ResourceBinding, cluster: string): boolean {
  const isReported = status?.aggregatedStatus?.some(({ clusterName }) => clusterName === cluster) ?? false;
  return !isReported && leavingClusters(spec).length > 0;
}

function hasReplicas(...bindings: (ResourceBinding | undefined)[]): boolean {
  return bindings.some((binding) => (binding?.spec.replicas ?? 0) > 0);
}

/** Whether a binding requests a different number of replicas than before. */
function asksAnew({ before, after }: ChangeOf<'Binding'>): boolean {
  if (!before || !after || before.spec === after.spec || !hasReplicas(after)) return false;
  return before.spec.replicas !== after.spec.replicas || before.spec.placement !== after.spec.placement;
}

/** Whether a copy's object is deleted, and its replicas with it. */
function isDeleted({ before, after }: ChangeOf<'Copy'>): boolean {
  return !after || (after.terminating === true && before?.terminating !== true);
}

/** The bindings that lack ready replicas at the start; shared by all simulations from that start. */
function lackingAtStart(start: StartingWorld, ready: ReadyReplicas, facts: ClusterFacts): readonly string[] {
  let keys = lacking.get(start);
  if (!keys) {
    keys = [];
    for (const [key, binding] of start.bindings)
      if ((binding.spec.replicas ?? 0) > 0 && mayLackReplicas(binding, start, facts))
        if (ready.of(key) < wantedReplicas(binding, facts)) keys.push(key);
    lacking.set(start, keys);
  }
  return keys;
}

const lacking = new WeakMap<StartingWorld, string[]>();

/**
 * Whether some replicas may not be ready at the start: a settled workload with all of its replicas on Ready clusters
 * needs no closer check.
 */
function mayLackReplicas(
  binding: ResourceBinding,
  { clusters }: StartingWorld,
  facts: ClusterFacts,
): boolean {
  const { spec, status } = binding;
  if (spec.gracefulEvictionTasks?.length || !spec.clusters?.length) return true;
  const placed = spec.clusters.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  if (placed < wantedReplicas(binding, facts)) return true;
  return spec.clusters.some(
    ({ name }) =>
      !isReady(clusters.get(name)) ||
      status?.aggregatedStatus?.find(({ clusterName }) => clusterName === name)?.health !== 'Healthy',
  );
}

/** Follows how many ready replicas a workload lacks. Times are epoch milliseconds. */
interface GapTracker {
  observe(now: number, wanted: number, ready: number): void;
  /** when the number of missing replicas last changed; -Infinity: never */
  changed(): number;
  /** `end` closes a gap that is still open; undefined if there were never fewer ready replicas than desired */
  result(end: number): ReplicaGap | undefined;
}

/** @param onChange called whenever the number of missing replicas changes */
export function trackGap(onChange?: (now: number, missing: number) => void): GapTracker {
  let last = 0;
  let changed = -Infinity;
  let most = 0;
  let total = 0;
  let since: number | undefined;
  return {
    observe(now, wanted, ready) {
      const missing = Math.max(0, wanted - ready);
      most = Math.max(most, missing);
      if (missing !== last) {
        onChange?.(now, missing);
        changed = now;
      }
      last = missing;
      if (missing > 0) since ??= now;
      else if (since !== undefined) {
        total += now - since;
        since = undefined;
      }
    },
    changed: () => changed,
    result(end) {
      if (most === 0) return undefined;
      const open = since !== undefined;
      const milliseconds = total + (since === undefined ? 0 : end - since);
      if (milliseconds === 0) return undefined;
      return { replicas: most, seconds: milliseconds / 1000, open, ...(open ? { atEnd: last } : {}) };
    },
  };
}

/** The ready replicas that a workload misses, by its spans; undefined if it misses none. `end`: epoch milliseconds. */
export function gapOfSpans(spans: readonly Span[], end: number): ReplicaGap | undefined {
  const gaps = spans.filter(({ phase }) => phase === 'gap');
  if (gaps.length === 0) return undefined;
  const last = gaps.find(({ to }) => to === undefined);
  return {
    replicas: gaps.reduce((most, { replicas = 0 }) => Math.max(most, replicas), 0),
    seconds: gaps.reduce((sum, { from, to = end }) => sum + to - from, 0) / 1000,
    open: last !== undefined,
    ...(last ? { atEnd: last.replicas ?? 0 } : {}),
  };
}
