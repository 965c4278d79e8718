import { duplicate, notSupported, requiredValue, type FieldError } from '../../kubernetes/fieldErrors.ts';
import type { ClusterTaintPolicySpec, MatchCondition, PolicyTaint } from '../api/policy.ts';
import { clusterTaintErrors } from './clusterTaints.ts';
import type { Admission } from './admission.ts';

const OPERATORS = ['In', 'NotIn'] as const;
const STATUSES = ['True', 'False', 'Unknown'] as const;

/**
 * What the webhook refuses about a ClusterTaintPolicy of the design optimize-cluster-failover. The design names no
 * webhook; docs/proposal.md says why we read it so: this refuses what could never match and what the Cluster API would
 * refuse later, so that no policy fails silently.
 *
 * @param field path of the spec: "spec"
 */
export function taintWindowErrors(
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
 * Key and effect must be unique in a policy's list of taints; the errors name all but the last of several.
 *
 * @param field path of the list
 */
export function repeatedTaintErrors(
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
