import type { TargetCluster } from '../../api/work.ts';
import {
  addCluster,
  clusterIndexes,
  clusterSetOf,
  hasCluster,
  noClusters,
} from '../../selection/clusterSet.ts';
import { wrapError } from '../errors.ts';
import { rescheduleRequired } from '../strategy.ts';
import { divideRandomly } from './divideRandomly.ts';
import { noShares, recordDivision, inNameOrder, targetsOf } from './division.ts';
import type { Assignment, Division, Shares } from './division.ts';
import { sortDescendingLikeGo } from './goSort.ts';
import { divideByWebster, laterNamesFirst } from './webster.ts';

type Mode = 'fresh' | 'scale down' | 'scale up';

const failedTo: Record<Mode, string> = {
  fresh: 'failed to do fresh scale',
  'scale down': 'failed to scale down',
  'scale up': 'failed to scale up',
};

/**
 * Dynamic weight and Aggregated: divides by the capacity of clusters, or, to scale down, by their current replicas. Current
 * replicas stay, unless a rebalance was requested or there are too many. Up to v1.16 a scale-down divides among all
 * clusters of the previous result, even those that are not selected again.
 */
export function divideByCapacity(division: Division, strategy: 'Aggregated' | 'DynamicWeight'): Assignment {
  const { ranked, selected, spec, status, replicas } = division;
  const capacity: Shares = { clusters: selected, of: selected.map((at) => ranked.allocatable[at]!) };
  const previous = previousShares(division);
  const assigned = sumInt32(previous.of);
  if (rescheduleRequired(spec, status))
    return divide(division, strategy, 'fresh', replicas, added(capacity, previous), noShares);
  if (assigned > replicas) {
    if (division.snapshot.rules.scaleDownBasis === 'selectedClusters')
      return divide(division, strategy, 'scale down', replicas, previous, noShares);
    const { names, shares } = wholePreviousResult(division);
    return divide({ ...division, names }, strategy, 'scale down', replicas, shares, noShares);
  }
  if (assigned < replicas)
    return divide(division, strategy, 'scale up', (replicas - assigned) | 0, capacity, previous);
  recordDivision(division, strategy, 'unchanged', 0, noShares, previous);
  return { clusters: targetsOf(division, previous) };
}

/** The previous result, limited to clusters that are selected again. */
function previousShares({ snapshot, selected, spec }: Division): Shares {
  if (!spec.clusters?.length) return noShares;
  const candidates = clusterSetOf(selected, snapshot.clusters.length);
  const clusters: number[] = [];
  const of: number[] = [];
  for (const { name, replicas = 0 } of spec.clusters) {
    const at = snapshot.index.get(name);
    if (at === undefined || !hasCluster(candidates, at)) continue;
    clusters.push(at);
    of.push(replicas);
  }
  return { clusters, of };
}

/** The unchanged previous result; deleted clusters come after the snapshot's names. */
function wholePreviousResult({ snapshot, spec }: Division): { names: readonly string[]; shares: Shares } {
  const names = [...snapshot.names];
  const previous = spec.clusters ?? [];
  const clusters = previous.map(({ name }) => snapshot.index.get(name) ?? names.push(name) - 1);
  return { names, shares: { clusters, of: previous.map(({ replicas = 0 }) => replicas) } };
}

function added({ clusters, of }: Shares, more: Shares): Shares {
  const extra = new Map<number, number>();
  more.clusters.forEach((at, i) => extra.set(at, (extra.get(at) ?? 0) + more.of[i]!));
  return { clusters, of: of.map((share, i) => (share + (extra.get(clusters[i]!) ?? 0)) | 0) };
}

function divide(
  division: Division,
  strategy: 'Aggregated' | 'DynamicWeight',
  mode: Mode,
  replicas: number,
  capacity: Shares,
  kept: Shares,
): Assignment {
  const { rules } = division.snapshot.options;
  const total = sumInt32(capacity.of);
  const enough = total >= replicas;
  const used = enough && strategy === 'Aggregated' ? fewestClusters(capacity, kept, replicas) : capacity;
  recordDivision(division, strategy, mode, replicas, used, kept);
  if (!enough) {
    const message = `Clusters available replicas ${total} are not enough to schedule.`;
    // in some versions, wrapping the error hides its type
    const kind = rules.capacityError === 'Unschedulable' ? 'UnschedulableError' : 'Error';
    return { error: wrapError(failedTo[mode], { kind, message }) };
  }
  if (rules.division === 'webster') return { clusters: divideByVotes(division, replicas, used, kept) };
  const last = mode === 'scale up' ? division.ranked.assigned : undefined;
  return divideRandomly(division, replicas, used, kept, last);
}

/** int32 arithmetic wraps around. */
function sumInt32(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum = (sum + value) | 0;
  return sum;
}

/**
 * The first clusters with enough capacity together: first those that keep replicas, then the others; within each, those
 * with the largest capacity first.
 */
function fewestClusters(capacity: Shares, kept: Shares, replicas: number): Shares {
  const clusters = [...capacity.clusters];
  const of = [...capacity.of];
  sortDescendingLikeGo(of, clusters);
  const keeping = new Set(kept.clusters.filter((_, i) => kept.of[i]! > 0));
  let order = clusters.map((_, i) => i);
  if (keeping.size > 0) {
    const keeps = (i: number) => keeping.has(clusters[i]!);
    order = [...order.filter(keeps), ...order.filter((i) => !keeps(i))];
  }
  let sum = 0;
  const enough = order.findIndex((i) => (sum = (sum + of[i]!) | 0) >= replicas);
  const first = enough === -1 ? order : order.slice(0, enough + 1);
  return { clusters: first.map((i) => clusters[i]!), of: first.map((i) => of[i]!) };
}

/**
 * Kept replicas of clusters plus their share of the rest: first participants of the division, then clusters that only
 * keep replicas (in an order that Karmada does not guarantee), by name.
 */
function divideByVotes(
  division: Division,
  replicas: number,
  capacity: Shares,
  kept: Shares,
): TargetCluster[] {
  const { names, spec } = division;
  // If all votes are 0, nothing is divided. With replicas left to divide, only sums beyond int32 can cause that.
  if (capacity.of.reduce((sum, votes) => sum + votes, 0) === 0) return targetsOf(division, kept);
  const parties = noClusters(names.length);
  const votes = new Int32Array(names.length);
  capacity.clusters.forEach((at, i) => {
    // a cluster that the previous result names twice counts with the smaller number
    votes[at] = hasCluster(parties, at) ? Math.min(votes[at]!, capacity.of[i]!) : capacity.of[i]!;
    addCluster(parties, at);
  });
  const clusters = inNameOrder(division, clusterIndexes(parties));
  const seats = divideByWebster(
    replicas,
    clusters.map((at) => votes[at]!),
    laterNamesFirst(spec.resource.uid),
  );
  if (kept.clusters.length === 0) return targetsOf(division, { clusters, of: seats });

  const had = new Map(kept.clusters.map((at, i) => [at, kept.of[i]!]));
  const idle = clusterIndexes(clusterSetOf(had.keys(), votes.length)).filter(
    (at) => !hasCluster(parties, at),
  );
  return targetsOf(division, {
    clusters: [...clusters, ...idle],
    of: [...clusters.map((at, i) => (seats[i]! + (had.get(at) ?? 0)) | 0), ...idle.map((at) => had.get(at)!)],
  });
}
