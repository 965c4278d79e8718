import { conditionOf } from '../../objects/conditions.ts';
import type { Cluster } from '../../api/cluster.ts';
import type { ResourceBinding, ResourceBindingSpec, ResourceBindingStatus } from '../../api/work.ts';
import { CLUSTER_CONDITION_COMPLETE_API_ENABLEMENTS } from '../../api/names.ts';
import { formatTaint } from '../../../kubernetes/tolerations.ts';
import type { Taint } from '../../../kubernetes/schema/core.ts';
import type { Evidence } from '../../evidence.ts';
import { isWorkload } from '../../selection/isWorkload.ts';
import { affinityMismatches } from './affinityMismatches.ts';
import { clusterEvictionFilter } from './clusterEviction.ts';
import type { FilterContext } from './filter.ts';
import { spreadConstraintFilter } from './spreadConstraint.ts';
import { heedsPreferNoExecute, tolerationsFor, untoleratedTaint } from './taintToleration.ts';
import { companionsElsewhere, rivalsThere } from './workloadAffinity.ts';
import { observedAffinity } from '../observedAffinity.ts';
import { overflowAffinitiesOf } from '../overflow.ts';
import type { GroupKind, WorkloadGroups } from '../workloadGroups.ts';

// The evidence of a filter's rejection, part by part: a filter stops at its first reason; here its rule checks every
// part.

/**
 * The cluster does not list the binding's API, perhaps because its list is incomplete; in some versions even an
 * assigned cluster is rejected.
 */
export function apiEnablementEvidence(
  { resource, clusters }: ResourceBindingSpec,
  { metadata, status }: Cluster,
): Evidence[] {
  const complete = conditionOf(status?.conditions, CLUSTER_CONDITION_COMPLETE_API_ENABLEMENTS);
  const doubt = complete && complete.status !== 'True';
  const there = clusters?.some(({ name }) => name === metadata.name);
  return [
    {
      rule: `does not list ${resource.apiVersion} ${resource.kind}${there ? ', which removes it although it runs there' : ''}`,
      field: 'status.apiEnablements',
      ...(doubt ? { value: `${complete.type}=${complete.status}` } : {}),
    },
  ];
}

/** The parts of the affinities in force that do not select the cluster. */
export function clusterAffinityEvidence(
  { placement = {}, ...spec }: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  cluster: Cluster,
  { rules }: Pick<FilterContext, 'rules'>,
): Evidence[] {
  if (placement.clusterAffinity)
    return affinityMismatches(cluster, placement.clusterAffinity, 'spec.placement.clusterAffinity', rules);
  const index = observedAffinity(placement, status);
  const term = placement.clusterAffinities?.[index];
  if (!term) return [];
  const field = `spec.placement.clusterAffinities[${index}]`;
  const overflow = isWorkload(spec) ? overflowAffinitiesOf(term, rules) : [];
  return [
    ...affinityMismatches(cluster, term, field, rules),
    ...overflow.flatMap((one, at) =>
      affinityMismatches(cluster, one, `${field}.overflowAffinities[${at}]`, rules),
    ),
  ];
}

/** The task that names the cluster. */
export function clusterEvictionEvidence(spec: ResourceBindingSpec, cluster: Cluster): Evidence[] {
  return (spec.gracefulEvictionTasks ?? []).flatMap((task, index): Evidence[] => {
    if (clusterEvictionFilter({ ...spec, gracefulEvictionTasks: [task] }, cluster) === undefined) return [];
    const { fromCluster, reason, producer } = task;
    return [
      {
        rule: `is being left by an eviction task (${[reason, producer].filter(Boolean).join(', by ')})`,
        field: `spec.gracefulEvictionTasks[${index}].fromCluster`,
        value: fromCluster,
      },
    ];
  });
}

/** Every property that a constraint spreads by and that the cluster lacks. */
export function spreadConstraintEvidence({ placement }: ResourceBindingSpec, cluster: Cluster): Evidence[] {
  return (placement?.spreadConstraints ?? []).flatMap((constraint, index): Evidence[] =>
    spreadConstraintFilter([constraint], cluster) === undefined
      ? []
      : [
          {
            rule: `has no ${constraint.spreadByField}`,
            field: `spec.placement.spreadConstraints[${index}].spreadByField`,
            value: constraint.spreadByField,
          },
        ],
  );
}

/** All untolerated taints that keep new work off the cluster. */
export function taintTolerationEvidence(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  { rules }: Pick<FilterContext, 'rules'>,
): Evidence[] {
  const tolerations = tolerationsFor(spec, cluster.metadata.name, rules);
  const given = spec.placement?.clusterTolerations ?? [];
  const heeds = heedsPreferNoExecute(spec, rules);
  const howTold = (taint: Taint) =>
    taint.effect === 'PreferNoExecute'
      ? 'keeps off what its policy moves by failover.cluster'
      : `is ${untoleratedTaint([taint], given) ? 'not' : 'no longer'} tolerated`;
  return (cluster.spec?.taints ?? []).flatMap((taint, index): Evidence[] =>
    untoleratedTaint([taint], tolerations, heeds) === undefined
      ? []
      : [
          {
            rule: `taint ${formatTaint(taint)} ${howTold(taint)}`,
            object: { kind: 'Cluster', name: cluster.metadata.name },
            field: `spec.taints[${index}]`,
            value: taint,
          },
        ],
  );
}

/** The scheduled workloads of the affinity group that are not on the cluster. */
export function workloadAffinityEvidence(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  groups: WorkloadGroups,
): Evidence[] {
  return companionsElsewhere(spec, cluster, groups).map((other) =>
    groupEvidence(
      other,
      'affinityGroup',
      `does not run ${other.metadata.name}, which is of the same affinity group`,
    ),
  );
}

/** The workloads of the anti-affinity group that are on the cluster. */
export function workloadAntiAffinityEvidence(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  groups: WorkloadGroups,
): Evidence[] {
  return rivalsThere(spec, cluster, groups).map((other) =>
    groupEvidence(
      other,
      'antiAffinityGroup',
      `runs ${other.metadata.name}, which is of the same anti-affinity group`,
    ),
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
