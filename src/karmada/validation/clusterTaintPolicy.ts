import { forbidden, type FieldError } from '../../kubernetes/fieldErrors.ts';
import type { ClusterTaintPolicySpec } from '../api/policy.ts';
import type { TaintPolicyForm } from '../dialects/switches/api.ts';
import { decodeObject } from '../api/decodeObject.ts';
import {
  admitUnless,
  unreadable,
  type Admission,
  type AdmissionRequest,
  type allowed,
  type Refusal,
} from './admission.ts';
import { repeatedTaintErrors, taintWindowErrors } from './taintWindows.ts';

/** The validating webhook of ClusterTaintPolicy. The shipped webhook only checks the taints. */
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
