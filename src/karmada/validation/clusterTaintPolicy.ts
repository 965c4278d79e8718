import {
  type FieldError,
  duplicate,
  forbidden,
  notSupported,
  requiredValue,
} from '../../kubernetes/fieldErrors.ts';
import { decodeObject } from '../api/decodeObject.ts';
import type { ClusterTaintPolicySpec, MatchCondition, PolicyTaint } from '../api/policy.ts';
import type { TaintPolicyForm } from '../dialects/switches/api.ts';
import {
  type Admission,
  type AdmissionRequest,
  type Refusal,
  admitUnless,
  type allowed,
  unreadable,
} from './admission.ts';
import { clusterTaintErrors } from './clusterTaints.ts';

/** The validating webhook of ClusterTaintPolicy. The shipped webhook checks only the taints. */
export function validateClusterTaintPolicy(
  { object }: AdmissionRequest,
  allowNoExecute: boolean,
  form: TaintPolicyForm,
  { rules, types }: Admission,
): typeof allowed | Refusal {
  const decoded = decodeObject('ClusterTaintPolicy', object, types);
  if ('error' in decoded) return unreadable(decoded.error);
  const { spec = {} } = decoded.value;
  return admitUnless(
    form === 'windows'
      ? taintWindowErrors(spec, 'spec', rules)
      : policyTaintErrors(spec.taints ?? [], 'spec.taints', allowNoExecute),
  );
}

/** NoExecute needs the webhook's --allow-no-execute-taint-policy; key and effect must be unique. */
function policyTaintErrors(
  taints: NonNullable<ClusterTaintPolicySpec['taints']>,
  field: string,
  allowNoExecute: boolean,
): FieldError[] {
  return taints.flatMap(({ effect }, index) => {
    const errors: FieldError[] = [];
    if (effect === 'NoExecute' && !allowNoExecute)
      errors.push(
        forbidden(
          `${field}[${index}]`,
          'Configuring taint with NoExecute effect is not allowed, this capability must be explicitly enabled by administrators through command-line flags',
        ),
      );
    return [...errors, ...repeatedTaintErrors(taints, index, field)];
  });
}

const OPERATORS = ['In', 'NotIn'] as const;
const STATUSES = ['True', 'False', 'Unknown'] as const;

/**
 * The webhook's errors for a ClusterTaintPolicy of the design optimize-cluster-failover. The design has no webhook;
 * docs/proposal.md explains our reading: conditions that can never match, and taints that the Cluster API would refuse
 * later, so that no policy fails silently.
 *
 * @param field path of the spec: "spec"
 */
function taintWindowErrors(
  { matchConditions = [], taintsToAdd = [] }: ClusterTaintPolicySpec,
  field: string,
  rules: Admission['rules'],
): FieldError[] {
  return [
    ...matchConditions.flatMap((one, index) => conditionErrors(one, `${field}.matchConditions[${index}]`)),
    ...taintsToAdd.flatMap((taint, index) => [
      ...clusterTaintErrors(taint, `${field}.taintsToAdd[${index}]`, rules),
      ...repeatedTaintErrors(taintsToAdd, index, `${field}.taintsToAdd`),
    ]),
  ];
}

function conditionErrors(
  { conditionType, operator = '', statusValues = [] }: Partial<MatchCondition>,
  field: string,
): FieldError[] {
  const isKnown = (values: readonly string[], value: string) => values.includes(value);
  return [
    ...(conditionType ? [] : [requiredValue(`${field}.conditionType`)]),
    ...(isKnown(OPERATORS, operator) ? [] : [notSupported(`${field}.operator`, operator, OPERATORS)]),
    ...(statusValues.length > 0 ? [] : [requiredValue(`${field}.statusValues`)]),
    ...statusValues.flatMap((value, index) =>
      isKnown(STATUSES, value) ? [] : [notSupported(`${field}.statusValues[${index}]`, value, STATUSES)],
    ),
  ];
}

/**
 * Key and effect must be unique in a policy's list of taints; the errors name all duplicates but the last.
 *
 * @param field path of the list
 */
function repeatedTaintErrors(
  taints: readonly Partial<PolicyTaint>[],
  index: number,
  field: string,
): FieldError[] {
  const { key = '', effect = '' } = taints[index]!;
  const isRepeated = taints
    .slice(index + 1)
    .some((other) => (other.key ?? '') === key && (other.effect ?? '') === effect);
  if (!isRepeated) return [];
  return [
    duplicate(
      `${field}[${index}]`,
      `Duplicate taint with the same key(${key}) and effect(${effect}) is not allowed`,
    ),
  ];
}
