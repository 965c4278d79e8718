import { duplicate, forbidden, type FieldError } from '../../kubernetes/fieldErrors.ts';
import type { ClusterTaintPolicy, ClusterTaintPolicySpec } from '../api/policy.ts';
import { decodeObject } from '../schema/kinds.ts';
import {
  admitUnless,
  unreadable,
  type Admission,
  type AdmissionRequest,
  type allowed,
  type Refusal,
} from './admission.ts';

/** The validating webhook of ClusterTaintPolicy; it only looks at the taints. */
export function validateClusterTaintPolicy(
  { object }: AdmissionRequest,
  allowNoExecute: boolean,
  { types }: Admission,
): typeof allowed | Refusal {
  const decoded = decodeObject('ClusterTaintPolicy', object, types);
  if ('error' in decoded) return unreadable(decoded.error);
  const { spec } = decoded.value as Partial<ClusterTaintPolicy>;
  return admitUnless(policyTaintErrors(spec?.taints ?? [], 'spec.taints', allowNoExecute));
}

/** NoExecute needs the webhook's --allow-no-execute-taint-policy; key and effect must be unique. */
function policyTaintErrors(
  taints: NonNullable<ClusterTaintPolicySpec['taints']>,
  field: string,
  allowNoExecute: boolean,
): FieldError[] {
  return taints.flatMap(({ key = '', effect = '' }, index) => {
    const errors: FieldError[] = [];
    if (effect === 'NoExecute' && !allowNoExecute)
      errors.push(
        forbidden(
          `${field}[${index}]`,
          'Configuring taint with NoExecute effect is not allowed, this capability must be explicitly enabled by administrators through command-line flags',
        ),
      );
    const repeated = taints
      .slice(index + 1)
      .some((other) => (other.key ?? '') === key && (other.effect ?? '') === effect);
    if (repeated)
      errors.push(
        duplicate(
          `${field}[${index}]`,
          `Duplicate taint with the same key(${key}) and effect(${effect}) is not allowed`,
        ),
      );
    return errors;
  });
}
