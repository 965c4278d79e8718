import type { ObjectIdentity } from '../api/meta.ts';
import type { PropagationPolicy } from '../api/policy.ts';
import {
  CLUSTER_PROPAGATION_POLICY_PERMANENT_ID_LABEL,
  PROPAGATION_POLICY_PERMANENT_ID_LABEL,
} from '../api/names.ts';

export const policyKinds = ['PropagationPolicy', 'ClusterPropagationPolicy'] as const;

export type PolicyKind = (typeof policyKinds)[number];

/** The kind of a policy; if absent, it follows from the namespace. */
export function policyKind({ kind, metadata }: PropagationPolicy): PolicyKind {
  if (kind === 'PropagationPolicy' || kind === 'ClusterPropagationPolicy') return kind;
  return metadata.namespace ? 'PropagationPolicy' : 'ClusterPropagationPolicy';
}

/** How answers identify a policy. */
export function policyIdentity(policy: PropagationPolicy): ObjectIdentity {
  const { namespace, name } = policy.metadata;
  const kind = policyKind(policy);
  return kind === 'PropagationPolicy' && namespace ? { kind, namespace, name } : { kind, name };
}

const permanentIdLabels: Record<PolicyKind, string> = {
  PropagationPolicy: PROPAGATION_POLICY_PERMANENT_ID_LABEL,
  ClusterPropagationPolicy: CLUSTER_PROPAGATION_POLICY_PERMANENT_ID_LABEL,
};

/** The label that ties templates and bindings to a policy of this kind. */
export function permanentIdLabel(kind: PolicyKind): string {
  return permanentIdLabels[kind];
}

/** The policy's own permanent id, empty if the webhook never gave it one. */
export function permanentId(policy: PropagationPolicy): string {
  return policy.metadata.labels?.[permanentIdLabel(policyKind(policy))] ?? '';
}

/** spec.priority, 0 if absent. */
export function explicitPriority({ spec }: PropagationPolicy): number {
  return spec.priority ?? 0;
}

/** Lazy: a policy change reaches a binding only when its template changes next. */
export function isLazy({ spec }: PropagationPolicy): boolean {
  return spec.activationPreference === 'Lazy';
}
