import type { Cluster } from '../../api/cluster.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../api/work.ts';
import type { Evidence } from '../../evidence.ts';
import { bindingName } from '../../objects/identities.ts';
import { named, notNamed } from '../../selection/clusterAffinity.ts';
import type { GroupKind, WorkloadGroups } from '../workloadGroups.ts';
import { because, type Filter } from './filter.ts';

const WORKLOAD_AFFINITY_REASON = 'ResourceBinding with the same affinity group does not target this cluster';
const WORKLOAD_ANTI_AFFINITY_REASON = 'cluster already has workload with the same anti-affinity group';

/** Gate WorkloadAffinity: every other scheduled workload of the affinity group must be on the cluster. */
export const workloadAffinity: Filter = {
  plugin: 'WorkloadAffinity',
  spares: 'assigned',
  demands: (spec, _status, { workloads }) =>
    scheduledOthers(spec, 'affinityGroup', workloads).map((other) =>
      because(WORKLOAD_AFFINITY_REASON, named(targetsOf(other))),
    ),
  evidence: (spec, _status, cluster, { workloads }) => workloadAffinityEvidence(spec, cluster, workloads),
};

/** Gate WorkloadAffinity: no other workload of the anti-affinity group may be on the cluster. */
export const workloadAntiAffinity: Filter = {
  plugin: 'WorkloadAntiAffinity',
  spares: 'assigned',
  demands: (spec, _status, { workloads }) =>
    scheduledOthers(spec, 'antiAffinityGroup', workloads).map((other) =>
      because(WORKLOAD_ANTI_AFFINITY_REASON, notNamed(targetsOf(other))),
    ),
  evidence: (spec, _status, cluster, { workloads }) => workloadAntiAffinityEvidence(spec, cluster, workloads),
};

function companionsElsewhere(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  groups: WorkloadGroups,
): ResourceBinding[] {
  return scheduledOthers(spec, 'affinityGroup', groups).filter((other) => !isTarget(cluster, other.spec));
}

/** Workloads of a binding's anti-affinity group that are on the cluster. */
function rivalsThere(spec: ResourceBindingSpec, cluster: Cluster, groups: WorkloadGroups): ResourceBinding[] {
  return scheduledOthers(spec, 'antiAffinityGroup', groups).filter((other) => isTarget(cluster, other.spec));
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

function targetsOf({ spec }: ResourceBinding): string[] {
  return (spec.clusters ?? []).map(({ name }) => name);
}

function workloadAffinityEvidence(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  groups: WorkloadGroups,
): Evidence[] {
  return companionsElsewhere(spec, cluster, groups).map((other) =>
    groupEvidence(other, 'affinityGroup', `does not run ${other.metadata.name} of the same affinity group`),
  );
}

function workloadAntiAffinityEvidence(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  groups: WorkloadGroups,
): Evidence[] {
  return rivalsThere(spec, cluster, groups).map((other) =>
    groupEvidence(other, 'antiAffinityGroup', `runs ${other.metadata.name} of the same anti-affinity group`),
  );
}

function groupEvidence({ metadata, spec }: ResourceBinding, kind: GroupKind, rule: string): Evidence {
  const { namespace, name } = metadata;
  return {
    rule,
    object: { kind: 'ResourceBinding', ...(namespace ? { namespace } : {}), name },
    field: `spec.workloadAffinityGroups.${kind}`,
    value: spec.workloadAffinityGroups?.[kind],
  };
}
