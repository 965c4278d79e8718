import type { PropagationPolicy } from '../api/policy.ts';
import {
  CLUSTER_PROPAGATION_POLICY_PERMANENT_ID_LABEL,
  PROPAGATION_POLICY_PERMANENT_ID_LABEL,
} from '../api/names.ts';
import { decodeObject } from '../api/decodeObject.ts';
import {
  admitUnless,
  nilPointerFailure,
  ruleRefusal,
  unreadable,
  type Admission,
  type AdmissionRequest,
  type allowed,
  type Refusal,
} from './admission.ts';
import { propagationSpecErrors } from './propagationSpec.ts';

export type PolicyKind = 'PropagationPolicy' | 'ClusterPropagationPolicy';

export const permanentIdLabels: Record<PolicyKind, string> = {
  PropagationPolicy: PROPAGATION_POLICY_PERMANENT_ID_LABEL,
  ClusterPropagationPolicy: CLUSTER_PROPAGATION_POLICY_PERMANENT_ID_LABEL,
};

/** The validating webhook of PropagationPolicy and ClusterPropagationPolicy. */
export function validatePropagationPolicy(
  kind: PolicyKind,
  request: AdmissionRequest,
  admission: Admission,
): typeof allowed | Refusal {
  const decoded = decodeObject(kind, request.object, admission.types);
  if ('error' in decoded) return unreadable(decoded.error);
  const policy = decoded.value;
  if (request.operation === 'UPDATE') {
    const old = decodeObject(kind, request.oldObject, admission.types);
    if ('error' in old) return unreadable(old.error);
    const refusal = refuseUpdate(kind, policy, old.value);
    if (refusal) return refusal;
  }
  const label = permanentIdLabels[kind];
  if (policy.metadata?.labels?.[label] === undefined)
    return ruleRefusal(
      `label ${label} is required, it should be set by the mutating admission webhook during creation`,
    );
  const spec = policy.spec ?? {};
  if (
    spec.failover?.application &&
    spec.failover.application.decisionConditions?.tolerationSeconds === undefined
  )
    // unreachable: the API server's default is 300
    return nilPointerFailure;
  return admitUnless(propagationSpecErrors(spec, request.namespace ?? '', admission));
}

/** The schedulerName and the permanent ID label of a policy cannot change. */
function refuseUpdate(
  kind: PolicyKind,
  policy: PropagationPolicy,
  old: PropagationPolicy,
): Refusal | undefined {
  if ((policy.spec?.schedulerName ?? '') !== (old.spec?.schedulerName ?? ''))
    return ruleRefusal('the schedulerName should not be updated');
  const label = permanentIdLabels[kind];
  if ((policy.metadata?.labels?.[label] ?? '') !== (old.metadata?.labels?.[label] ?? ''))
    return ruleRefusal(`label ${label} is immutable, it can only be set by the system during creation`);
  return undefined;
}
