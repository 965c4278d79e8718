import type { ResourceBindingSpec, ResourceBindingStatus } from '../../karmada/api/work.ts';
import { compileClusterAffinity } from '../selection/clusterAffinity.ts';
import { availableReplicas } from './capacity/availableReplicas.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';

/**
 * The feasible clusters of a binding in the order in which the scheduler prefers them, as parallel arrays;
 * clusters are named by their index in the snapshot.
 */
export interface RankedClusters {
  clusters: number[];
  /** ClusterLocality: 100 where the binding is already, 0 elsewhere; ClusterAffinity adds nothing */
  scores: Int32Array;
  /** room for replicas, by index in the snapshot */
  allocatable: Int32Array;
  /** the same and what the binding has there already, by index in the snapshot */
  available(cluster: number): number;
  /** the tier of overflowAffinities a cluster belongs to, 0 for the group itself */
  tier(cluster: number): number;
}

/** The score of a cluster that the binding is already scheduled to. */
export const LOCALITY_SCORE = 100;

/** A cluster that no affinity of the observed group selects, sorted last. */
const NO_TIER = 1000;

/**
 * Filters and orders the clusters: overflow tier ascending, score descending, availability descending, name.
 * Deterministic, since names differ.
 */
export function rankClusters(
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): RankedClusters {
  const allocatable = availableReplicas(snapshot.fleet, spec, snapshot.options.featureGates);
  const feasible = snapshot.feasible(spec, status);
  const evicting = new Set(
    (spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => snapshot.index.get(fromCluster)),
  );
  const assigned = new Map<number, number>();
  for (const { name, replicas = 0 } of spec.clusters ?? []) {
    const at = snapshot.index.get(name);
    if (at !== undefined && !assigned.has(at)) assigned.set(at, replicas);
  }
  const available = (cluster: number) => allocatable[cluster]! + (assigned.get(cluster) ?? 0);

  const local: number[] = [];
  if (assigned.size > 0) {
    const passes = snapshot.feasibleWhenAssigned(spec, status);
    for (const at of assigned.keys()) if (passes[at] === 1 && !evicting.has(at)) local.push(at);
    local.sort((a, b) => available(b) - available(a) || a - b);
  }
  const clusters = local;
  for (const at of snapshot.byAvailability(allocatable))
    if (feasible[at] === 1 && !assigned.has(at) && !evicting.has(at)) clusters.push(at);

  const tier = overflowTiers(snapshot, spec, status);
  if (tier !== firstTier) sortByTier(clusters, tier);
  const scores = Int32Array.from(clusters, (at) => (assigned.has(at) ? LOCALITY_SCORE : 0));
  return { clusters, scores, allocatable, available, tier };
}

const firstTier = () => 0;

function overflowTiers(
  snapshot: ClusterSnapshot,
  { placement }: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): (cluster: number) => number {
  if (!placement || placement.clusterAffinity || !placement.clusterAffinities?.length) return firstTier;
  const observed = status?.schedulerObservingAffinityName ?? '';
  const term = placement.clusterAffinities.find(({ affinityName }) => (affinityName ?? '') === observed);
  if (!term) return () => NO_TIER;
  const matchers = [term, ...(term.overflowAffinities ?? [])].map(compileClusterAffinity);
  // Without overflow groups the filter has let nothing through but the group itself.
  if (matchers.length === 1) return firstTier;
  return (cluster) => {
    const tier = matchers.findIndex((matches) => matches(snapshot.clusters[cluster]!));
    return tier === -1 ? NO_TIER : tier;
  };
}

/** Stable, so that within a tier the order stays. */
function sortByTier(clusters: number[], tier: (cluster: number) => number): void {
  const tiers = new Map(clusters.map((at) => [at, tier(at)]));
  clusters.sort((a, b) => tiers.get(a)! - tiers.get(b)!);
}
