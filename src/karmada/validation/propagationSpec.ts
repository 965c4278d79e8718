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

/** One of Karmada's checks; `policyNamespace` is empty for a ClusterPropagationPolicy. */
type Check = (spec: PropagationSpec, policyNamespace: string, admission: Admission) => FieldError[];

const ofPlacement =
  (check: (placement: Placement, admission: Admission) => FieldError[]): Check =>
  ({ placement = {} }, _, admission) =>
    check(placement, admission);

/** Karmada's checks of PropagationPolicy and ClusterPropagationPolicy, in the order of its errors. */
const checks: readonly Check[] = [
  ofPlacement((placement, admission) => affinityFormErrors(placement, 'spec.placement', admission)),
  ofPlacement((placement) => overflowSchedulingErrors(placement, 'spec.placement')),
  ofPlacement(({ clusterAffinity }) =>
    clusterAffinityErrors(clusterAffinity, 'spec.placement.clusterAffinity'),
  ),
  ofPlacement(({ clusterAffinities }, admission) =>
    clusterAffinitiesErrors(clusterAffinities, 'spec.placement.clusterAffinities', admission),
  ),
  ofPlacement(({ spreadConstraints }) =>
    spreadConstraintErrors(spreadConstraints, 'spec.placement.spreadConstraints'),
  ),
  ofPlacement(({ workloadAffinity }, { rules }) =>
    workloadAffinityErrors(workloadAffinity, 'spec.placement.workloadAffinity', rules),
  ),
  ofPlacement(({ clusterTolerations }, { rules }) =>
    clusterTolerationErrors(clusterTolerations, 'spec.placement.clusterTolerations', rules),
  ),
  propagateDepsErrors,
  ({ failover }, _, { rules }) =>
    applicationFailoverErrors(failover?.application, 'spec.failover.application', rules),
  ({ failover }, _, { rules }) => clusterFailoverErrors(failover?.cluster, 'spec.failover.cluster', rules),
  ({ resourceSelectors }, policyNamespace, { rules }) =>
    selectorNamespaceErrors(resourceSelectors, policyNamespace, 'spec.resourceSelectors', rules),
  (spec, _, { rules }) => preemptionErrors(spec, rules),
  ({ suspension }) => suspensionErrors(suspension, 'spec.suspension'),
];

/**
 * All errors of the spec of a PropagationPolicy, or of a ClusterPropagationPolicy if `policyNamespace` is empty, in
 * Karmada's order (ValidatePropagationSpec).
 */
export function propagationSpecErrors(
  spec: PropagationSpec,
  policyNamespace: string,
  admission: Admission,
): FieldError[] {
  const errors = checks.flatMap((check) => check(spec, policyNamespace, admission));
  return admission.rules.valuesInErrors === 'goSyntax' ? errors.map(inGoSyntax) : errors;
}
