import type { ResourceBindingSpec, ResourceBindingStatus } from '../api/work.ts';
import {
  type ClusterSet,
  addClusters,
  clusterIndexes,
  clusterSetOf,
  countClusters,
  hasCluster,
  keepCommon,
  removeCluster,
} from '../selection/clusterSet.ts';
import { observedAffinity, overflowAffinitiesOf } from './affinityGroups.ts';
import { startsPlugin } from '../dialects/schedulerPlugins.ts';
import { availableReplicas } from './capacity/availableReplicas.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import type { Filter, FilterDemand } from './filters/filter.ts';

/** The feasible clusters of a binding in the scheduler's order of preference, with the reasons. */
export interface RankedClusters {
  /** indexes in the snapshot */
  readonly clusters: readonly number[];
  /** replicas by cluster in the previous result, feasible now or not */
  readonly assigned: ReadonlyMap<number, number>;
  /** capacity for replicas, by index in the snapshot */
  readonly allocatable: Int32Array;
  /** the overflowAffinities tier of each of `clusters`, 0 for the group itself; absent if all are 0 */
  readonly tiers?: ReadonlyMap<number, number>;
  /** the plugin ClusterLocality is off: current clusters are not preferred */
  readonly withoutLocality?: true;
}

/** The score of a cluster that the binding is already scheduled to. */
const LOCALITY_SCORE = 100;

/** The plugin ClusterLocality prefers the binding's current clusters; ClusterAffinity adds nothing. */
export function scoreOf({ assigned, withoutLocality }: RankedClusters, cluster: number): number {
  return !withoutLocality && assigned.has(cluster) ? LOCALITY_SCORE : 0;
}

/** Capacity for replicas plus the binding's current ones there. */
export function availableOn({ assigned, allocatable }: RankedClusters, cluster: number): number {
  return allocatable[cluster]! + (assigned.get(cluster) ?? 0);
}

/**
 * Filters the clusters and sorts them by tier ascending, score descending, availability descending (not in the first
 * releases of v1.10), name. Deterministic, because names are unique.
 */
export function rankClusters(
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): RankedClusters {
  const capacity = availableReplicas(snapshot.fleet, spec, snapshot.options);
  const allocatable = capacity.values;
  const assigned = assignedReplicas(snapshot, spec);
  const feasible = feasibleClusters(
    snapshot,
    clusterSetOf(assigned.keys(), snapshot.clusters.length),
    spec,
    status,
  );
  const withoutLocality = !startsPlugin(snapshot.options.plugins ?? '*', 'ClusterLocality');
  const kept: number[] = [];
  for (const at of withoutLocality ? [] : assigned.keys()) {
    if (!hasCluster(feasible, at)) continue;
    kept.push(at);
    removeCluster(feasible, at);
  }
  let clusters: number[];
  if (snapshot.rules.clusterOrder === 'byName') {
    kept.sort((a, b) => a - b);
    clusters = [...kept, ...clusterIndexes(feasible)];
  } else {
    const available = (at: number) => allocatable[at]! + (assigned.get(at) ?? 0);
    if (kept.length > 1) kept.sort((a, b) => available(b) - available(a) || a - b);
    clusters = followedInOrder(kept, capacity.order, feasible);
    if (withoutLocality) clusters.sort((a, b) => available(b) - available(a) || a - b);
  }
  const tiers = overflowTiers(snapshot, spec, status, clusters);
  const ranked = { clusters, assigned, allocatable, ...(withoutLocality && { withoutLocality }) };
  if (!tiers) return ranked;
  clusters.sort((a, b) => tiers.get(a)! - tiers.get(b)!); // stable sort: keeps the order within a tier
  return { ...ranked, tiers };
}

/**
 * A separate function for speed: within a longer one, V8 compiles the loop on the fly and discards the code whenever an
 * assumption fails.
 */
function followedInOrder(first: readonly number[], order: Int32Array, among: ClusterSet): number[] {
  const clusters = new Array<number>(first.length + countClusters(among));
  let next = 0;
  for (const at of first) clusters[next++] = at;
  for (const at of order) if (hasCluster(among, at)) clusters[next++] = at;
  return clusters;
}

const nowhere: ReadonlyMap<number, number> = new Map();

/** The previous replicas by cluster; if a cluster is listed twice, the first entry applies. */
function assignedReplicas({ index }: ClusterSnapshot, { clusters }: ResourceBindingSpec) {
  if (!clusters?.length) return nowhere;
  const assigned = new Map<number, number>();
  for (const { name, replicas = 0 } of clusters) {
    const at = index.get(name);
    if (at !== undefined && !assigned.has(at)) assigned.set(at, replicas);
  }
  return assigned;
}

/** The tier of clusters outside all affinities, which only the plugin ClusterAffinity filters. */
const OUTSIDE = 1000;

/** The tier of each feasible cluster; undefined if all are 0: without overflow groups, if ClusterAffinity runs. */
function overflowTiers(
  snapshot: ClusterSnapshot,
  { placement }: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  clusters: readonly number[],
): Map<number, number> | undefined {
  if (!placement || placement.clusterAffinity) return undefined;
  const term = placement.clusterAffinities?.[observedAffinity(placement, status)];
  if (!term || !snapshot.rules.overflowAffinities) return undefined;
  const overflow = overflowAffinitiesOf(term, snapshot.rules);
  const areFiltered = startsPlugin(snapshot.options.plugins ?? '*', 'ClusterAffinity');
  if (overflow.length === 0 && areFiltered) return undefined;
  const tiers = [term, ...overflow];
  const tierOf = (at: number) => {
    const tier = tiers.findIndex((affinity) => snapshot.affinities.matches(snapshot.clusters[at]!, affinity));
    return tier === -1 ? OUTSIDE : tier;
  };
  return new Map(clusters.map((at) => [at, tierOf(at)]));
}

/** Keeps in `set` the clusters that pass a filter. `assigned` are those of the previous result. */
export function keepPassing(
  set: ClusterSet,
  filter: Filter,
  assigned: ClusterSet,
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): void {
  const demands = filter.demands(spec, status, snapshot);
  if (filter.spares === 'none') return keepAll(set, demands, snapshot);
  const spared = set.slice();
  keepCommon(spared, assigned);
  if (filter.spares === 'assignedWithIncompleteList') keepCommon(spared, snapshot.incompleteLists());
  keepAll(set, demands, snapshot);
  addClusters(set, spared);
}

function keepAll(set: ClusterSet, demands: readonly FilterDemand[], snapshot: ClusterSnapshot): void {
  for (const demand of demands) demand.keep(set, snapshot);
}

/** The clusters that pass all filters. */
function feasibleClusters(
  snapshot: ClusterSnapshot,
  assigned: ClusterSet,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): ClusterSet {
  const feasible = snapshot.candidates().slice();
  for (const filter of snapshot.filters) keepPassing(feasible, filter, assigned, snapshot, spec, status);
  return feasible;
}
