import type { ObjectMeta } from '../api/meta.ts';
import type { PropagationPolicy } from '../api/policy.ts';
import {
  CLUSTER_PROPAGATION_POLICY_NAME_ANNOTATION,
  PROPAGATION_POLICY_NAME_ANNOTATION,
  PROPAGATION_POLICY_NAMESPACE_ANNOTATION,
} from '../api/names.ts';
import { permanentId, permanentIdLabel, policyKind, type PolicyKind } from './policies.ts';

/** Which policy a template or binding says it belongs to. */
export interface Claim {
  kind: PolicyKind;
  namespace?: string;
  name: string;
  id: string;
}

const claimAnnotations: Record<PolicyKind, string[]> = {
  PropagationPolicy: [PROPAGATION_POLICY_NAMESPACE_ANNOTATION, PROPAGATION_POLICY_NAME_ANNOTATION],
  ClusterPropagationPolicy: [CLUSTER_PROPAGATION_POLICY_NAME_ANNOTATION],
};

/** The claim on a template; that of a PropagationPolicy counts first, an incomplete one not at all. */
export function claimOf({ labels, annotations }: ObjectMeta): Claim | undefined {
  const namespace = annotations?.[PROPAGATION_POLICY_NAMESPACE_ANNOTATION];
  const name = annotations?.[PROPAGATION_POLICY_NAME_ANNOTATION];
  const id = labels?.[permanentIdLabel('PropagationPolicy')];
  if (namespace && name && id) return { kind: 'PropagationPolicy', namespace, name, id };
  const clusterName = annotations?.[CLUSTER_PROPAGATION_POLICY_NAME_ANNOTATION];
  const clusterId = labels?.[permanentIdLabel('ClusterPropagationPolicy')];
  if (clusterName && clusterId) return { kind: 'ClusterPropagationPolicy', name: clusterName, id: clusterId };
  return undefined;
}

/** Metadata with the policy's claim. A PropagationPolicy's removes that of a ClusterPropagationPolicy. */
export function claimed<Meta extends ObjectMeta>(metadata: Meta, policy: PropagationPolicy): Meta {
  const kind = policyKind(policy);
  const free =
    kind === 'PropagationPolicy' &&
    metadata.labels?.[permanentIdLabel('ClusterPropagationPolicy')] !== undefined
      ? unclaimed(metadata, 'ClusterPropagationPolicy')
      : metadata;
  const { namespace = '', name } = policy.metadata;
  const values = kind === 'PropagationPolicy' ? [namespace, name] : [name];
  return {
    ...free,
    labels: { ...free.labels, [permanentIdLabel(kind)]: permanentId(policy) },
    annotations: {
      ...free.annotations,
      ...Object.fromEntries(claimAnnotations[kind].map((key, index) => [key, values[index]!])),
    },
  };
}

/** Metadata without the claim of a policy of this kind. */
export function unclaimed<Meta extends ObjectMeta>(metadata: Meta, kind: PolicyKind): Meta {
  return {
    ...metadata,
    labels: without(metadata.labels, [permanentIdLabel(kind)]),
    annotations: without(metadata.annotations, claimAnnotations[kind]),
  };
}

function without(
  values: Record<string, string> | undefined,
  keys: string[],
): Record<string, string> | undefined {
  if (!values) return undefined;
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
}
