import { type FieldError, invalid, notSupported, typed } from '../../kubernetes/fieldErrors.ts';
import { int32, pointer } from '../../kubernetes/schema/schema.ts';
import { labelKeyFieldErrors } from '../../kubernetes/validation/names.ts';
import * as schema from '../api/policy.ts';
import type {
  ApplicationFailoverBehavior,
  ClusterFailoverBehavior,
  Placement,
  PreConditions,
  PropagationSpec,
  ResourceSelector,
  StatePreservation,
  Suspension,
} from '../api/policy.ts';
import { inWordsOf, type Admission } from './admission.ts';
import {
  affinityFormErrors,
  clusterAffinitiesErrors,
  clusterAffinityErrors,
  clusterTolerationErrors,
  overflowSchedulingErrors,
  spreadConstraintErrors,
  workloadAffinityErrors,
} from './placement.ts';

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
  return inWordsOf(errors, admission.rules);
}

/** Application failover moves dependencies too, so it needs propagateDeps. */
function propagateDepsErrors({ failover, propagateDeps }: PropagationSpec): FieldError[] {
  if (!failover?.application || propagateDeps) return [];
  return [invalid('spec.propagateDeps', false, 'application failover is set, propagateDeps must be true')];
}

/** A graceful purge mode needs a grace period, others must have none; grace period and toleration must be valid. */
function applicationFailoverErrors(
  application: ApplicationFailoverBehavior | undefined,
  field: string,
  rules: Admission['rules'],
): FieldError[] {
  if (!application) return [];
  const { decisionConditions, purgeMode, gracePeriodSeconds } = application;
  const errors = [
    ...preConditionErrors(application.preConditions, `${field}.preConditions`),
    ...secondsErrors(
      decisionConditions?.tolerationSeconds ?? 0,
      `${field}.decisionConditions.tolerationSeconds`,
    ),
  ];
  const isGraceful = rules.gracefulPurgeModes.includes(purgeMode ?? '');
  const graceField = `${field}.gracePeriodSeconds`;
  if (gracePeriodSeconds === undefined) {
    if (isGraceful) {
      const value = typed(pointer(int32), undefined);
      errors.push(invalid(graceField, value, `should not be empty when purgeMode is ${rules.gracefulWord}`));
    }
  } else {
    errors.push(...graceErrors(gracePeriodSeconds, purgeMode, graceField, rules));
  }
  return [
    ...errors,
    ...secondsErrors(application.blockPredecessorSeconds ?? 0, `${field}.blockPredecessorSeconds`),
    ...statePreservationErrors(application.statePreservation, field, rules),
  ];
}

/** A delay must be a valid time, and Healthy is the only state to wait for. Only designs have preconditions. */
function preConditionErrors(conditions: PreConditions | undefined, field: string): FieldError[] {
  const { delaySeconds = 0, healthyState } = conditions ?? {};
  const stateField = `${field}.healthyState`;
  return [
    ...secondsErrors(delaySeconds, `${field}.delaySeconds`),
    ...(healthyState && healthyState !== 'Healthy'
      ? [notSupported(stateField, healthyState, ['Healthy'])]
      : []),
  ];
}

/**
 * State is preserved in labels, whose names must be valid; a toleration and a grace period, which only designs have,
 * must be valid times. A grace period requires a graceful purge mode, but not vice versa.
 */
function clusterFailoverErrors(
  cluster: ClusterFailoverBehavior | undefined,
  field: string,
  rules: Admission['rules'],
): FieldError[] {
  const { purgeMode, gracePeriodSeconds, tolerationSeconds = 0, statePreservation } = cluster ?? {};
  return [
    ...secondsErrors(tolerationSeconds, `${field}.tolerationSeconds`),
    ...(gracePeriodSeconds === undefined
      ? []
      : graceErrors(gracePeriodSeconds, purgeMode, `${field}.gracePeriodSeconds`, rules)),
    ...statePreservationErrors(statePreservation, field, rules),
  ];
}

/** A grace period is only valid with a graceful purge mode, and must be positive. */
function graceErrors(
  seconds: number,
  purgeMode: string | undefined,
  field: string,
  { gracefulPurgeModes, gracefulWord }: Admission['rules'],
): FieldError[] {
  const isGraceful = gracefulPurgeModes.includes(purgeMode ?? '');
  return [
    ...(isGraceful ? [] : [invalid(field, seconds, `only takes effect when purgeMode is ${gracefulWord}`)]),
    ...(seconds > 0 ? [] : [invalid(field, seconds, 'must be greater than 0')]),
  ];
}

function secondsErrors(seconds: number, field: string): FieldError[] {
  return seconds < 0 ? [invalid(field, seconds, 'must be greater than or equal to 0')] : [];
}

function statePreservationErrors(
  preservation: StatePreservation | undefined,
  field: string,
  rules: Admission['rules'],
): FieldError[] {
  if (!rules.preservedLabelNames) return [];
  return (preservation?.rules ?? []).flatMap(({ aliasLabelName = '' }, index) =>
    labelKeyFieldErrors(
      aliasLabelName,
      `${field}.statePreservation.rules[${index}].aliasLabelName`,
      rules.labelKeyWords,
    ),
  );
}

/** A policy selects resources only in its own namespace; a cluster-scoped one has none. */
export function selectorNamespaceErrors(
  selectors: ResourceSelector[] | undefined,
  policyNamespace: string,
  field: string,
  rules: Admission['rules'],
): FieldError[] {
  if (policyNamespace === '' || !rules.selectorNamespace) return [];
  return (selectors ?? []).flatMap(({ namespace = '' }, index) =>
    namespace === policyNamespace
      ? []
      : invalid(
          `${field}[${index}].namespace`,
          namespace,
          'namespace of resource selector must be the same as the namespace of the policy',
        ),
  );
}

/** A policy that preempts others must name the resources. */
function preemptionErrors(
  { preemption, resourceSelectors }: PropagationSpec,
  rules: Admission['rules'],
): FieldError[] {
  if (preemption !== 'Always') return [];
  return (resourceSelectors ?? []).flatMap(({ name }, index) =>
    name
      ? []
      : invalid(
          `spec.resourceSelectors[${index}].name`,
          '',
          `name ${rules.cannot} be empty if preemption is Always, the empty name may cause unexpected resources preemption`,
        ),
  );
}

/** Dispatching is suspended everywhere or on some clusters, not both. */
function suspensionErrors(suspension: Suspension | undefined, field: string): FieldError[] {
  if (!suspension?.dispatching || !suspension.dispatchingOnClusters?.clusterNames?.length) return [];
  return [
    invalid(
      // Karmada appends the name a second time
      `${field}.suspension`,
      typed(schema.Suspension, suspension),
      'suspension dispatching cannot co-exist with dispatchingOnClusters.clusterNames',
    ),
  ];
}
