import type { Cluster } from '../../api/cluster.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../api/work.ts';
import { bindingName } from '../../objects/bindingName.ts';
import type { ClusterColumns } from '../../selection/clusterColumns.ts';
import {
  addCluster,
  keepCommon,
  noClusters,
  removeAll,
  type ClusterSet,
} from '../../selection/clusterSet.ts';
import type { GroupKind, WorkloadGroups } from '../workloadGroups.ts';

const WORKLOAD_AFFINITY_REASON = 'ResourceBinding with the same affinity group does not target this cluster';
const WORKLOAD_ANTI_AFFINITY_REASON = 'cluster already has workload with the same anti-affinity group';

/**
 * The reason for which the WorkloadAffinity filter rejects a cluster: another workload of the affinity group is
 * scheduled, but not to this cluster. Both filters let a cluster in the scheduling result pass.
 */
export function workloadAffinityFilter(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  groups: WorkloadGroups,
): string | undefined {
  if (isTarget(cluster, spec)) return undefined;
  return companionsElsewhere(spec, cluster, groups).length > 0 ? WORKLOAD_AFFINITY_REASON : undefined;
}

/** The reason of WorkloadAntiAffinity: another workload of the anti-affinity group is scheduled to the cluster. */
export function workloadAntiAffinityFilter(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  groups: WorkloadGroups,
): string | undefined {
  if (isTarget(cluster, spec)) return undefined;
  return rivalsThere(spec, cluster, groups).length > 0 ? WORKLOAD_ANTI_AFFINITY_REASON : undefined;
}

/** Scheduled workloads of a binding's affinity group that are not on the cluster. */
export function companionsElsewhere(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  groups: WorkloadGroups,
): ResourceBinding[] {
  return scheduledOthers(spec, 'affinityGroup', groups).filter((other) => !isTarget(cluster, other.spec));
}

/** Workloads of a binding's anti-affinity group that are on the cluster. */
export function rivalsThere(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  groups: WorkloadGroups,
): ResourceBinding[] {
  return scheduledOthers(spec, 'antiAffinityGroup', groups).filter((other) => isTarget(cluster, other.spec));
}

/** WorkloadAffinity over all clusters: keeps in `set` those that the whole group is on. */
export function keepWithCompanions(
  set: ClusterSet,
  columns: ClusterColumns,
  spec: ResourceBindingSpec,
  groups: WorkloadGroups,
): void {
  for (const other of scheduledOthers(spec, 'affinityGroup', groups))
    keepCommon(set, targetsOf(other.spec, columns));
}

/** WorkloadAntiAffinity over all clusters: keeps in `set` those that no workload of the group is on. */
export function keepWithoutRivals(
  set: ClusterSet,
  columns: ClusterColumns,
  spec: ResourceBindingSpec,
  groups: WorkloadGroups,
): void {
  for (const other of scheduledOthers(spec, 'antiAffinityGroup', groups))
    removeAll(set, targetsOf(other.spec, columns));
}

/** The other bindings of a binding's group that have a scheduling result. */
function scheduledOthers(
  { resource, workloadAffinityGroups }: ResourceBindingSpec,
  kind: GroupKind,
  groups: WorkloadGroups,
): ResourceBinding[] {
  const group = workloadAffinityGroups?.[kind];
  if (!group) return [];
  const own = bindingName(resource.kind, resource.name);
  return [...groups.members(kind, resource.namespace ?? '', group)].filter(
    ({ metadata, spec }) => metadata.name !== own && (spec.clusters?.length ?? 0) > 0,
  );
}

function isTarget({ metadata }: Cluster, { clusters }: ResourceBindingSpec): boolean {
  return clusters?.some(({ name }) => name === metadata.name) ?? false;
}

function targetsOf({ clusters }: ResourceBindingSpec, { index }: ClusterColumns): ClusterSet {
  const set = noClusters(index.size);
  for (const { name } of clusters ?? []) {
    const at = index.get(name);
    if (at !== undefined) addCluster(set, at);
  }
  return set;
}
