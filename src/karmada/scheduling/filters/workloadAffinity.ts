import type { ResourceBinding, ResourceBindingSpec } from '../../api/work.ts';
import { bindingIdentity, bindingName } from '../../objects/identities.ts';
import { clusterNamesDemand, notNamed } from '../../selection/clusterAffinity.ts';
import type { GroupKind, WorkloadGroups } from '../workloadGroups.ts';
import { rejectAll, type Filter, type FilterPlugin } from './filter.ts';

/** Gate WorkloadAffinity: every other scheduled workload of the affinity group must be on the cluster. */
export const workloadAffinity = groupFilter({
  plugin: 'WorkloadAffinity',
  group: 'affinityGroup',
  reason: 'ResourceBinding with the same affinity group does not target this cluster',
  allows: clusterNamesDemand,
  rejects: 'others',
  rule: (name) => `does not run ${name} of the same affinity group`,
});

/** Gate WorkloadAffinity: no other workload of the anti-affinity group may be on the cluster. */
export const workloadAntiAffinity = groupFilter({
  plugin: 'WorkloadAntiAffinity',
  group: 'antiAffinityGroup',
  reason: 'cluster already has workload with the same anti-affinity group',
  allows: notNamed,
  rejects: 'own',
  rule: (name) => `runs ${name} of the same anti-affinity group`,
});

interface GroupRule {
  plugin: FilterPlugin;
  group: GroupKind;
  reason: string;
  /** the requirement of another workload of the group, given its own clusters */
  allows: typeof clusterNamesDemand;
  /** which clusters another workload of the group rejects: its own, or all others */
  rejects: 'own' | 'others';
  rule(name: string): string;
}

function groupFilter({ plugin, group, reason, allows, rejects, rule }: GroupRule): Filter {
  return {
    plugin,
    spares: 'assigned',
    demands: (spec, _status, { workloads }) =>
      scheduledOthers(spec, group, workloads).map((other) => rejectAll(reason, allows(targetsOf(other)))),
    evidence: (spec, _status, { metadata: { name: cluster } }, { workloads }) =>
      scheduledOthers(spec, group, workloads)
        .filter((other) => targetsOf(other).includes(cluster) === (rejects === 'own'))
        .map((other) => ({
          rule: rule(other.metadata.name),
          object: bindingIdentity(other),
          field: `spec.workloadAffinityGroups.${group}`,
          value: other.spec.workloadAffinityGroups?.[group],
        })),
  };
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

function targetsOf({ spec }: ResourceBinding): string[] {
  return (spec.clusters ?? []).map(({ name }) => name);
}
