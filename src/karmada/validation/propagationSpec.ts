import type { FieldError } from '../../kubernetes/fieldErrors.ts';
import type { Placement, PropagationSpec } from '../api/policy.ts';
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
  errors(spec: PropagationSpec, policyNamespace: string): FieldError[];
}

type PlacementCheck = (placement: Placement) => FieldError[];

const placementRule = (name: string, check: PlacementCheck): PropagationRule => ({
  name,
  errors: ({ placement = {} }) => check(placement),
});

/** Karmada's checks of PropagationPolicy and ClusterPropagationPolicy, in the order of its errors. */
export const propagationRules: readonly PropagationRule[] = [
  placementRule('affinity-form', (placement) => affinityFormErrors(placement, 'spec.placement')),
  placementRule('overflow-scheduling', (placement) => overflowSchedulingErrors(placement, 'spec.placement')),
  placementRule('cluster-affinity', ({ clusterAffinity }) =>
    clusterAffinityErrors(clusterAffinity, 'spec.placement.clusterAffinity'),
  ),
  placementRule('cluster-affinities', ({ clusterAffinities }) =>
    clusterAffinitiesErrors(clusterAffinities, 'spec.placement.clusterAffinities'),
  ),
  placementRule('spread-constraints', ({ spreadConstraints }) =>
    spreadConstraintErrors(spreadConstraints, 'spec.placement.spreadConstraints'),
  ),
  placementRule('workload-affinity', ({ workloadAffinity }) =>
    workloadAffinityErrors(workloadAffinity, 'spec.placement.workloadAffinity'),
  ),
  placementRule('cluster-tolerations', ({ clusterTolerations }) =>
    clusterTolerationErrors(clusterTolerations, 'spec.placement.clusterTolerations'),
  ),
  { name: 'propagate-deps', errors: propagateDepsErrors },
  {
    name: 'application-failover',
    errors: ({ failover }) => applicationFailoverErrors(failover?.application, 'spec.failover.application'),
  },
  {
    name: 'cluster-failover',
    errors: ({ failover }) => clusterFailoverErrors(failover?.cluster, 'spec.failover.cluster'),
  },
  {
    name: 'selector-namespace',
    errors: ({ resourceSelectors }, policyNamespace) =>
      selectorNamespaceErrors(resourceSelectors, policyNamespace, 'spec.resourceSelectors'),
  },
  { name: 'preemption', errors: preemptionErrors },
  { name: 'suspension', errors: ({ suspension }) => suspensionErrors(suspension, 'spec.suspension') },
];

/**
 * Everything that is wrong with the spec of a PropagationPolicy, or of a ClusterPropagationPolicy when
 * `policyNamespace` is empty, in Karmada's order (ValidatePropagationSpec).
 */
export function propagationSpecErrors(spec: PropagationSpec, policyNamespace: string): FieldError[] {
  return propagationRules.flatMap((rule) => rule.errors(spec, policyNamespace));
}
