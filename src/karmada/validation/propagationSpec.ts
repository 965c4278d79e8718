import { inGoSyntax, type FieldError } from '../../kubernetes/fieldErrors.ts';
import type { Placement, PropagationSpec } from '../api/policy.ts';
import type { Admission } from './admission.ts';
import { clusterAffinitiesErrors } from './clusterAffinities.ts';
import { affinityFormErrors, clusterAffinityErrors } from './clusterAffinity.ts';
import { clusterTolerationErrors } from './clusterTolerations.ts';
import { applicationFailoverErrors, clusterFailoverErrors, propagateDepsErrors } from './failover.ts';
import { overflowSchedulingErrors } from './overflowAffinities.ts';
import { preemptionErrors, selectorNamespaceErrors } from './resourceSelectors.ts';
import { spreadConstraintErrors } from './spreadConstraints.ts';
import { suspensionErrors } from './suspension.ts';
import { workloadAffinityErrors } from './workloadAffinity.ts';

/** One of the things that Karmada demands of a policy's spec. */
export interface PropagationRule {
  /** a name to call it by, of ours */
  name: string;
  /** what breaks the rule; `policyNamespace` is empty for a ClusterPropagationPolicy */
  errors(spec: PropagationSpec, policyNamespace: string, admission: Admission): FieldError[];
}

type PlacementCheck = (placement: Placement, admission: Admission) => FieldError[];

const placementRule = (name: string, check: PlacementCheck): PropagationRule => ({
  name,
  errors: ({ placement = {} }, _, admission) => check(placement, admission),
});

/** Karmada's checks of PropagationPolicy and ClusterPropagationPolicy, in the order of its errors. */
export const propagationRules: readonly PropagationRule[] = [
  placementRule('affinity-form', (placement, admission) =>
    affinityFormErrors(placement, 'spec.placement', admission),
  ),
  placementRule('overflow-scheduling', (placement) => overflowSchedulingErrors(placement, 'spec.placement')),
  placementRule('cluster-affinity', ({ clusterAffinity }) =>
    clusterAffinityErrors(clusterAffinity, 'spec.placement.clusterAffinity'),
  ),
  placementRule('cluster-affinities', ({ clusterAffinities }, admission) =>
    clusterAffinitiesErrors(clusterAffinities, 'spec.placement.clusterAffinities', admission),
  ),
  placementRule('spread-constraints', ({ spreadConstraints }) =>
    spreadConstraintErrors(spreadConstraints, 'spec.placement.spreadConstraints'),
  ),
  placementRule('workload-affinity', ({ workloadAffinity }, { rules }) =>
    workloadAffinityErrors(workloadAffinity, 'spec.placement.workloadAffinity', rules),
  ),
  placementRule('cluster-tolerations', ({ clusterTolerations }, { rules }) =>
    clusterTolerationErrors(clusterTolerations, 'spec.placement.clusterTolerations', rules),
  ),
  { name: 'propagate-deps', errors: propagateDepsErrors },
  {
    name: 'application-failover',
    errors: ({ failover }, _, { rules }) =>
      applicationFailoverErrors(failover?.application, 'spec.failover.application', rules),
  },
  {
    name: 'cluster-failover',
    errors: ({ failover }, _, { rules }) =>
      clusterFailoverErrors(failover?.cluster, 'spec.failover.cluster', rules),
  },
  {
    name: 'selector-namespace',
    errors: ({ resourceSelectors }, policyNamespace, { rules }) =>
      selectorNamespaceErrors(resourceSelectors, policyNamespace, 'spec.resourceSelectors', rules),
  },
  { name: 'preemption', errors: (spec, _, { rules }) => preemptionErrors(spec, rules) },
  { name: 'suspension', errors: ({ suspension }) => suspensionErrors(suspension, 'spec.suspension') },
];

/**
 * Everything that is wrong with the spec of a PropagationPolicy, or of a ClusterPropagationPolicy when
 * `policyNamespace` is empty, in Karmada's order (ValidatePropagationSpec).
 */
export function propagationSpecErrors(
  spec: PropagationSpec,
  policyNamespace: string,
  admission: Admission,
): FieldError[] {
  const errors = propagationRules.flatMap((rule) => rule.errors(spec, policyNamespace, admission));
  return admission.rules.valuesInErrors === 'goSyntax' ? errors.map(inGoSyntax) : errors;
}
