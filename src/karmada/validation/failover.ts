import { invalid, notSupported, typed, type FieldError } from '../../kubernetes/fieldErrors.ts';
import { int32, pointer } from '../../kubernetes/schema/schema.ts';
import { labelKeyFieldErrors } from '../../kubernetes/validation/labels.ts';
import type {
  ApplicationFailoverBehavior,
  ClusterFailoverBehavior,
  PreConditions,
  PropagationSpec,
  StatePreservation,
} from '../api/policy.ts';
import type { Admission } from './admission.ts';

/** Application failover moves dependencies too, so it needs propagateDeps. */
export function propagateDepsErrors({ failover, propagateDeps }: PropagationSpec): FieldError[] {
  if (!failover?.application || propagateDeps) return [];
  return [invalid('spec.propagateDeps', false, 'application failover is set, propagateDeps must be true')];
}

/** A graceful purge mode needs a grace period, others must have none; it and the toleration must be valid times. */
export function applicationFailoverErrors(
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

/** A delay must be a valid time, and Healthy is the only state to wait for. Only a design has preconditions. */
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
 * State is preserved in labels, whose names must be valid; a toleration and a grace period, which only designs have, are
 * valid times. A grace period belongs to a graceful purge mode, which need not have one.
 */
export function clusterFailoverErrors(
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
