import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { smallest } from '../../kubernetes/longLists.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';
import type { ClusterAffinity, ClusterAffinityTerm, Placement, SpreadConstraint } from '../api/policy.ts';
import type { ResourceBinding, ResourceBindingSpec, TargetCluster } from '../api/work.ts';
import { isAttached } from './dependents.ts';

/** The spec fields with the placement of a workload. */
export type PlacementFields = Pick<
  ResourceBindingSpec,
  'clusters' | 'gracefulEvictionTasks' | 'requiredBy' | 'placement'
>;

/** The placement of a binding's workload, and the clusters that it is being evicted from; absent replicas are 0. */
export function placementOf(spec: PlacementFields): { clusters: TargetCluster[]; evicting: string[] } {
  return { clusters: placedOn(spec), evicting: evictingFrom(spec) };
}

/**
 * The placement of a binding's workload; absent replicas are 0. A dependent has the placement and replicas of its
 * parents.
 */
export function placedOn(spec: PlacementFields): TargetCluster[] {
  if (isAttached(spec))
    return targetClusters(spec)
      .map(({ name }) => ({ name, replicas: 0 }))
      .sort((a, b) => compareUtf8(a.name, b.name));
  const { clusters } = spec;
  // Most specs already have this form, and lists are never changed in place, so this one is shared.
  if (clusters?.every(saysReplicasAlone)) return clusters;
  return (clusters ?? []).map(({ name, replicas }) => ({ name, replicas: replicas ?? 0 }));
}

function saysReplicasAlone(target: TargetCluster): boolean {
  for (const field in target) if (field !== 'name' && field !== 'replicas') return false;
  return target.replicas !== undefined;
}

/**
 * The clusters whose Works are written: spec.clusters, then those of requiredBy. Works that only a task keeps are not
 * rewritten.
 */
export function targetClusters(spec: Pick<ResourceBindingSpec, 'clusters' | 'requiredBy'>): TargetCluster[] {
  if (!spec.requiredBy?.length) return spec.clusters ?? [];
  const targets = [...(spec.clusters ?? [])];
  const names = new Set(targets.map(({ name }) => name));
  for (const { clusters = [] } of spec.requiredBy)
    for (const target of clusters) {
      if (names.has(target.name)) continue;
      names.add(target.name);
      targets.push(target);
    }
  return targets;
}

/** The clusters that it is being evicted from. */
export function evictingFrom({
  gracefulEvictionTasks,
}: Pick<PlacementFields, 'gracefulEvictionTasks'>): string[] {
  return (gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster);
}

/** Whether the replicas are divided among the clusters; if not, each cluster gets all of them (Duplicated). */
export function dividesReplicas({ placement }: Pick<ResourceBindingSpec, 'placement'>): boolean {
  return placement?.replicaScheduling?.replicaSchedulingType === 'Divided';
}

/**
 * The clusters that a workload is being evicted from and that are no longer in spec.clusters, with its replicas there.
 */
export function leavingClusters({ clusters, gracefulEvictionTasks }: ResourceBindingSpec): TargetCluster[] {
  if (!gracefulEvictionTasks?.length) return [];
  const placed = new Set(clusters?.map(({ name }) => name));
  return gracefulEvictionTasks
    .filter(({ fromCluster }) => !placed.has(fromCluster))
    .map(({ fromCluster: name, replicas }) => ({ name, replicas: replicas ?? 0 }));
}

/** Facts about clusters by name, even deleted ones. */
export interface ClusterFacts {
  /** whether an affinity selects it; an unknown cluster counts as selected */
  isSelected(affinity: ClusterAffinity, cluster: string): boolean;
  /** its spec.region; undefined if it has none, or the cluster is unknown */
  regionOf(cluster: string): string | undefined;
  /** those that are not Ready, or were not at the start of a simulation; absent: none */
  notReady?(): readonly string[];
  /** the clusters whose labels have changed since the start of a simulation; absent: none */
  relabelled?: ReadonlySet<string>;
}

/** The fields that define how many replicas a workload should have. */
type Wanting = Pick<ResourceBinding, 'spec' | 'status'>;

/**
 * How many copies a Duplicated workload should have. An evicted copy is replaced only if spread constraints kept the
 * workload off other clusters; otherwise it already runs on every feasible cluster. Old copies in a previous affinity
 * group are replaced by those in the current one, and with a limit on regions, those in a previous region likewise.
 * Copies that spread constraints demand are missing even if they forbid a placement, and so are those of a workload
 * with replicas on each failed cluster of its placement.
 */
export function wantedCopies(binding: Wanting, facts: ClusterFacts): number {
  const { clusters = [], placement, replicas } = binding.spec;
  const leaving = leavingClusters(binding.spec);
  const group = leaving.length > 0 ? presentGroup(binding, facts) : undefined;
  const others = group ? leaving.filter(({ name }) => !selectedBy(group, name, facts)).length : 0;
  const limits = groupLimits(placement?.spreadConstraints ?? []);
  const inRegions = copiesInRegions([...clusters, ...leaving], limits.region, facts);
  const copies = Math.max(Math.min(clusters.length + leaving.length - others, inRegions), others);
  const places = Math.min(copies, limits.cluster);
  if (!placement) return places;
  const constraints = placement.spreadConstraints ?? [];
  if (constraints.length === 0 && replicas) return Math.max(places, 1) + missingOnFailed(binding, facts);
  return Math.max(places, 1, ...constraints.map(({ minGroups = 0 }) => minGroups));
}

/** The failed clusters of its placement without a copy, which a workload without spread constraints should have. */
function missingOnFailed(binding: Wanting, facts: ClusterFacts): number {
  const failed = facts.notReady?.() ?? [];
  if (failed.length === 0) return 0;
  const { spec, status } = binding;
  const { clusterAffinity, clusterAffinities } = spec.placement!;
  const group = clusterAffinities?.find(
    ({ affinityName }) => affinityName === status?.schedulerObservingAffinityName,
  );
  const affinity = group ?? (clusterAffinities?.length ? undefined : (clusterAffinity ?? {}));
  if (!affinity) return 0;
  const there = new Set([...(spec.clusters ?? []), ...leavingClusters(spec)].map(({ name }) => name));
  return failed.filter((name) => !there.has(name) && facts.isSelected(affinity, name)).length;
}

/** The most clusters and regions that spread constraints allow; without a cluster limit, one cluster per region. */
function groupLimits(constraints: readonly SpreadConstraint[]): { cluster: number; region: number } {
  const limitBy = (field: string) => {
    const found = constraints.filter(({ spreadByField }) => spreadByField === field);
    return found.length === 0 ? undefined : smallest(found.map(({ maxGroups }) => maxGroups || Infinity));
  };
  const region = limitBy('region') ?? Infinity;
  return { cluster: limitBy('cluster') ?? region, region };
}

/** How many of these clusters are in the largest regions, up to this number of regions. */
function copiesInRegions(
  clusters: readonly TargetCluster[],
  regions: number,
  { regionOf }: ClusterFacts,
): number {
  if (regions >= clusters.length) return clusters.length;
  const counts = new Map<string, number>();
  for (const { name } of clusters) {
    const region = regionOf(name) ?? '';
    counts.set(region, (counts.get(region) ?? 0) + 1);
  }
  const largest = [...counts.values()].sort((a, b) => b - a).slice(0, regions);
  return largest.reduce((sum, count) => sum + count, 0);
}

/**
 * The affinity group that the scheduler used; undefined without groups, or before the first placement. The scheduler
 * writes the clusters first and the group's name later: in between, the clusters decide.
 */
function presentGroup({ spec, status }: Wanting, facts: ClusterFacts): ClusterAffinityTerm | undefined {
  const name = status?.schedulerObservingAffinityName;
  const groups = spec.placement?.clusterAffinities;
  const named = groups?.find(({ affinityName }) => affinityName === name);
  const selectsAll = (group: ClusterAffinityTerm) =>
    (spec.clusters ?? []).every((cluster) => selectedBy(group, cluster.name, facts));
  if (!named || selectsAll(named)) return named;
  return groups?.find(selectsAll) ?? named;
}

function selectedBy(group: ClusterAffinityTerm, cluster: string, facts: ClusterFacts): boolean {
  const { overflowAffinities = [] } = group;
  return [group, ...overflowAffinities].some((affinity) => facts.isSelected(affinity, cluster));
}

/**
 * How many replicas a workload should have on all its clusters together. During an eviction more may be ready, because
 * the old copy runs beside its replacement.
 */
export function wantedReplicas(binding: Wanting, facts: ClusterFacts): number {
  const { replicas = 0 } = binding.spec;
  return dividesReplicas(binding.spec) ? replicas : replicas * wantedCopies(binding, facts);
}

/**
 * What a workload should have now, as input of `wantedReplicas` and `wantedCopies`: its earlier copies on clusters that
 * its placement still selects, with the replicas requested now. A cluster with changed labels may no longer be
 * selected.
 */
export function requestedNow(
  initial: Wanting,
  { spec: { replicas, placement } }: Wanting,
  facts: ClusterFacts,
): Wanting {
  const { spec, status } = initial;
  const isSame = placement === spec.placement || deepEqual(placement, spec.placement);
  if (replicas === spec.replicas && isSame && !facts.relabelled?.size) return initial;
  const selected = ({ name }: TargetCluster) =>
    (isSame && replicas === spec.replicas && !facts.relabelled?.has(name)) ||
    placementSelects(placement, name, facts);
  return {
    status,
    spec: {
      ...spec,
      replicas,
      placement,
      clusters: spec.clusters?.filter(selected),
      gracefulEvictionTasks: spec.gracefulEvictionTasks?.filter(({ fromCluster: name }) =>
        selected({ name }),
      ),
    },
  };
}

/** Whether a placement has an affinity that selects a cluster. */
export function placementSelects(
  placement: Placement | undefined,
  cluster: string,
  facts: ClusterFacts,
): boolean {
  const { clusterAffinity, clusterAffinities } = placement ?? {};
  if (clusterAffinities) return clusterAffinities.some((group) => selectedBy(group, cluster, facts));
  return !clusterAffinity || facts.isSelected(clusterAffinity, cluster);
}

/** Whether a binding is for an object with replicas or components, unlike a ConfigMap or a Service. */
export function isWorkload(spec: ResourceBindingSpec): boolean {
  return (spec.replicas ?? 0) > 0 || spec.replicaRequirements != null || (spec.components?.length ?? 0) > 0;
}
