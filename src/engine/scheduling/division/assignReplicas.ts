import type { ResourceBindingSpec, ResourceBindingStatus, TargetCluster } from '../../../karmada/api/work.ts';
import { compileClusterAffinity } from '../../selection/clusterAffinity.ts';
import type { ClusterSnapshot } from '../clusterSnapshot.ts';
import { wrapped, type ScheduleError } from '../errors.ts';
import type { RankedClusters } from '../rankClusters.ts';
import { rescheduleRequired, strategyOf } from '../strategy.ts';
import type { DivisionTrace } from '../trace.ts';
import { dispense } from './dispense.ts';
import { sortDescendingLikeGo } from './goSort.ts';

export type Assignment = { clusters: TargetCluster[] } | { error: ScheduleError };

interface Trace {
  divisions?: DivisionTrace[];
}

function note(trace: Trace | undefined, division: () => DivisionTrace): void {
  if (trace) (trace.divisions ??= []).push(division());
}

/**
 * Gives the selected clusters their replicas (S45–S53). Workloads with several components and what has no
 * replicas at all run wherever selected. Clusters are indexes in the snapshot, in ranked order.
 */
export function assignReplicas(
  snapshot: ClusterSnapshot,
  selected: number[],
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  trace?: Trace,
): Assignment {
  if (selected.length === 0)
    return { error: { kind: 'Error', message: 'no clusters available to schedule' } };
  const divisible = (spec.replicas ?? 0) > 0 || spec.replicaRequirements != null;
  if (!divisible || (spec.components?.length ?? 0) > 1)
    return { clusters: selected.map((at) => ({ name: snapshot.clusters[at]!.metadata.name, replicas: 0 })) };
  if (overflows(spec, status)) return assignByTier(snapshot, selected, ranked, spec, status, trace);
  return assignTo(snapshot, selected, ranked, spec, spec.replicas ?? 0, status, trace);
}

/** The observed affinity group has overflow groups (Karmada v1.18). */
function overflows({ placement }: ResourceBindingSpec, status: ResourceBindingStatus | undefined): boolean {
  const observed = status?.schedulerObservingAffinityName;
  if (placement?.clusterAffinity || !observed) return false;
  return (placement?.clusterAffinities ?? []).some(
    ({ affinityName, overflowAffinities }) => affinityName === observed && overflowAffinities != null,
  );
}

function assignByTier(
  snapshot: ClusterSnapshot,
  selected: number[],
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  trace: Trace | undefined,
): Assignment {
  const tiers = new Map<number, number[]>();
  for (const at of selected) {
    const tier = ranked.tier(at);
    const members = tiers.get(tier);
    if (members) members.push(at);
    else tiers.set(tier, [at]);
  }
  const clusters: TargetCluster[] = [];
  let remaining = spec.replicas ?? 0;
  for (const tier of [...tiers.keys()].sort((a, b) => a - b)) {
    const members = tiers.get(tier)!;
    const room = members.reduce((sum, at) => sum + ranked.available(at), 0);
    const share = Math.min(remaining, room) | 0;
    const assigned = assignTo(snapshot, members, ranked, spec, share, status, trace);
    if ('error' in assigned) return assigned;
    clusters.push(...assigned.clusters);
    remaining -= share;
    if (remaining <= 0) break;
  }
  if (remaining > 0) return unschedulable('Clusters available replicas are not enough to schedule.');
  return { clusters };
}

const unschedulable = (message: string): Assignment => ({ error: { kind: 'UnschedulableError', message } });

function assignTo(
  snapshot: ClusterSnapshot,
  selected: number[],
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
  replicas: number,
  status: ResourceBindingStatus | undefined,
  trace: Trace | undefined,
): Assignment {
  const strategy = strategyOf(spec.placement);
  let assignment: Assignment;
  switch (strategy) {
    case undefined: {
      const { replicaSchedulingType = '', replicaDivisionPreference = '' } =
        spec.placement?.replicaScheduling ?? {};
      return {
        error: {
          kind: 'Error',
          message: `unsupported replica scheduling strategy, replicaSchedulingType: ${replicaSchedulingType}, replicaDivisionPreference: ${replicaDivisionPreference}, please try another scheduling strategy`,
        },
      };
    }
    case 'Duplicated':
      assignment = {
        clusters: selected.map((at) => ({ name: snapshot.clusters[at]!.metadata.name, replicas })),
      };
      note(trace, () => ({ strategy, mode: 'every cluster gets all', replicas, weights: [], kept: [] }));
      break;
    case 'StaticWeight':
      assignment = { clusters: divideStatically(snapshot, selected, spec, replicas, trace) };
      break;
    default:
      assignment = divideByRoom(snapshot, selected, ranked, spec, replicas, status, strategy, trace);
  }
  if ('error' in assignment) return assignment;
  return {
    clusters: assignment.clusters
      .filter(({ replicas: share = 0 }) => share > 0)
      .map(({ name, replicas: share }) => ({ name, replicas: share })),
  };
}

/** Always from scratch; a cluster's weight is the greatest of the rules that select it, all 1 if none has any. */
function divideStatically(
  snapshot: ClusterSnapshot,
  selected: number[],
  { placement, resource }: ResourceBindingSpec,
  replicas: number,
  trace: Trace | undefined,
): TargetCluster[] {
  const rules = (placement?.replicaScheduling?.weightPreference?.staticWeightList ?? []).map((rule) => ({
    matches: compileClusterAffinity(rule.targetCluster),
    weight: rule.weight,
  }));
  const weigh = (at: number) => {
    let weight = 0;
    for (const rule of rules)
      if (rule.weight > weight && rule.matches(snapshot.clusters[at]!)) weight = rule.weight;
    return { name: snapshot.clusters[at]!.metadata.name, weight };
  };
  let weights = selected.map(weigh).filter(({ weight }) => weight > 0);
  if (weights.length === 0)
    weights = selected.map((at) => ({ name: snapshot.clusters[at]!.metadata.name, weight: 1 }));
  note(trace, () => ({ strategy: 'StaticWeight', mode: 'from scratch', replicas, weights, kept: [] }));
  return dispense(replicas, weights, [], resource.uid);
}

/** Dynamic weight and Aggregated: by the room that clusters have (S48–S50). */
function divideByRoom(
  snapshot: ClusterSnapshot,
  selected: number[],
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
  replicas: number,
  status: ResourceBindingStatus | undefined,
  strategy: 'Aggregated' | 'DynamicWeight',
  trace: Trace | undefined,
): Assignment {
  const name = (at: number) => snapshot.clusters[at]!.metadata.name;
  const candidates = new Set(selected);
  const scheduled = (spec.clusters ?? []).filter((target) =>
    candidates.has(snapshot.index.get(target.name) ?? -1),
  );
  const assigned = sumInt32(scheduled.map((target) => target.replicas ?? 0));

  let mode: string;
  let context: string;
  let target: number;
  let room: { name: string; replicas: number }[];
  let kept: TargetCluster[];
  if (rescheduleRequired(spec, status)) {
    mode = 'fresh';
    context = 'failed to do fresh scale';
    target = replicas;
    room = selected.map((at) => ({ name: name(at), replicas: ranked.allocatable[at]! }));
    for (const { name: known, replicas: had = 0 } of scheduled) {
      const entry = room.find((one) => one.name === known);
      if (entry) entry.replicas = (entry.replicas + had) | 0;
    }
    kept = [];
  } else if (assigned > replicas) {
    mode = 'scale down';
    context = 'failed to scale down';
    target = replicas;
    room = scheduled.map((one) => ({ name: one.name, replicas: one.replicas ?? 0 }));
    kept = [];
  } else if (assigned < replicas) {
    mode = 'scale up';
    context = 'failed to scale up';
    target = replicas - assigned;
    room = selected.map((at) => ({ name: name(at), replicas: ranked.allocatable[at]! }));
    kept = scheduled;
  } else {
    note(trace, () => ({ strategy, mode: 'unchanged', replicas: 0, weights: [], kept: scheduled }));
    return { clusters: scheduled };
  }

  const keys = Int32Array.from(room, (one) => one.replicas);
  const items = Int32Array.from(room, (_, at) => at);
  sortDescendingLikeGo(keys, items, room.length);
  room = Array.from(items, (at) => room[at]!);
  const total = sumInt32(room.map((one) => one.replicas));
  const weights = () => room.map((one) => ({ name: one.name, weight: one.replicas }));
  note(trace, () => ({ strategy, mode, replicas: target, weights: weights(), kept }));
  if (total < target)
    return {
      error: wrapped(context, {
        kind: 'UnschedulableError',
        message: `Clusters available replicas ${total} are not enough to schedule.`,
      }),
    };
  if (strategy === 'Aggregated') {
    room = shortestPrefix(keptFirst(room, kept), target);
    const noted = trace?.divisions?.at(-1);
    if (noted) noted.weights = weights();
  }
  const shares = dispense(target, weights(), [], spec.resource.uid);
  return { clusters: merged(kept, shares) };
}

/** int32 arithmetic wraps. */
function sumInt32(values: number[]): number {
  return values.reduce((sum, value) => (sum + value) | 0, 0);
}

function keptFirst<T extends { name: string }>(room: T[], kept: TargetCluster[]): T[] {
  const prior = new Set(kept.filter(({ replicas = 0 }) => replicas > 0).map(({ name }) => name));
  if (prior.size === 0) return room;
  return [...room.filter(({ name }) => prior.has(name)), ...room.filter(({ name }) => !prior.has(name))];
}

function shortestPrefix<T extends { replicas: number }>(room: T[], target: number): T[] {
  let sum = 0;
  for (let i = 0; i < room.length; i++) {
    sum = (sum + room[i]!.replicas) | 0;
    if (sum >= target) return room.slice(0, i + 1);
  }
  return room;
}

/** New shares in their order with what clusters had, then clusters that get nothing new (by name; Karmada leaves their order open). */
function merged(kept: TargetCluster[], shares: TargetCluster[]): TargetCluster[] {
  if (kept.length === 0) return shares;
  if (shares.length === 0) return kept;
  const before = new Map(kept.map(({ name, replicas = 0 }) => [name, replicas]));
  const result = shares.map(({ name, replicas = 0 }) => {
    const had = before.get(name) ?? 0;
    before.delete(name);
    return { name, replicas: replicas + had };
  });
  const rest = [...before].sort(([a], [b]) => (a < b ? -1 : 1));
  return [...result, ...rest.map(([name, replicas]) => ({ name, replicas }))];
}
