import type { ResourceBindingSpec, ResourceBindingStatus } from '../api/work.ts';
import { addAll, addCluster, keepCommon, noClusters, type ClusterSet } from '../selection/clusterSet.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import type { Filter, FilterDemand } from './filters/filter.ts';

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
  addAll(set, spared);
}

function keepAll(set: ClusterSet, demands: readonly FilterDemand[], snapshot: ClusterSnapshot): void {
  for (const demand of demands) demand.keep(set, snapshot);
}

/** The clusters that pass all filters. */
export function feasibleClusters(
  snapshot: ClusterSnapshot,
  assigned: ClusterSet,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): ClusterSet {
  const feasible = snapshot.candidates().slice();
  for (const filter of snapshot.filters) keepPassing(feasible, filter, assigned, snapshot, spec, status);
  return feasible;
}

/** The clusters of the previous result. */
export function assignedClusters({ index }: ClusterSnapshot, spec: ResourceBindingSpec): ClusterSet {
  const assigned = noClusters(index.size);
  for (const { name } of spec.clusters ?? []) {
    const at = index.get(name);
    if (at !== undefined) addCluster(assigned, at);
  }
  return assigned;
}
