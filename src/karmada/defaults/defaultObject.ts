import { encode } from '../../kubernetes/schema/encode.ts';
import type { ObjectMeta } from '../api/meta.ts';
import type { PropagationPolicy } from '../api/policy.ts';
import {
  CLUSTER_PROPAGATION_POLICY_FINALIZER,
  CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL,
  PROPAGATION_POLICY_FINALIZER,
  RESOURCE_BINDING_PERMANENT_ID_LABEL,
} from '../names.ts';
import { decodeObject, kindSchemas, type KnownKind } from '../schema/kinds.ts';
import { unreadable, type AdmissionRequest, type Refusal } from '../validation/admission.ts';
import { permanentIdLabels, type PolicyKind } from '../validation/propagationPolicy.ts';
import { defaultPropagationSpec } from './propagationSpec.ts';

/** The object as the webhook leaves it. */
export interface Defaulted {
  allowed: true;
  object: unknown;
}

const finalizers: Record<PolicyKind, string> = {
  PropagationPolicy: PROPAGATION_POLICY_FINALIZER,
  ClusterPropagationPolicy: CLUSTER_PROPAGATION_POLICY_FINALIZER,
};

const bindingLabels = {
  ResourceBinding: RESOURCE_BINDING_PERMANENT_ID_LABEL,
  ClusterResourceBinding: CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL,
};

/**
 * Asks Karmada's mutating webhook for the object's kind: the object with defaults, and without fields that
 * its type lacks, or why it cannot be read. `permanentId` is the UUID that a new object gets as its label.
 * Objects of kinds without such a webhook in the failover path come back as they are.
 */
export function defaultObject(request: AdmissionRequest & { permanentId: string }): Defaulted | Refusal {
  const { kind, permanentId } = request;
  switch (kind) {
    case 'PropagationPolicy':
    case 'ClusterPropagationPolicy':
      return rewritten(kind, request.object, (policy) =>
        defaultPolicy(kind, policy as unknown as PropagationPolicy, request),
      );
    case 'ResourceBinding':
    case 'ClusterResourceBinding':
      return rewritten(kind, request.object, (binding) =>
        binding.metadata?.labels?.[bindingLabels[kind]]
          ? binding
          : { ...binding, metadata: labelled(binding.metadata, bindingLabels[kind], permanentId) },
      );
    default:
      return { allowed: true, object: request.object };
  }
}

type Decoded = Record<string, unknown> & { metadata?: ObjectMeta };

function rewritten(kind: KnownKind, data: unknown, change: (object: Decoded) => object): Defaulted | Refusal {
  const decoded = decodeObject(kind, data);
  if ('error' in decoded) return unreadable(decoded.error);
  return { allowed: true, object: encode(kindSchemas[kind].schema, change(decoded.value as Decoded)) };
}

function defaultPolicy(
  kind: PolicyKind,
  policy: PropagationPolicy,
  { operation, namespace = '', permanentId }: AdmissionRequest & { permanentId: string },
): PropagationPolicy {
  // a selector without a namespace means the policy's own; ClusterPropagationPolicies select in all of them
  const selectorNamespace = kind === 'PropagationPolicy' ? namespace : '';
  const defaulted = { ...policy, spec: defaultPropagationSpec(policy.spec ?? {}, selectorNamespace) };
  if (operation !== 'CREATE') return defaulted;
  const metadata = labelled(policy.metadata, permanentIdLabels[kind], permanentId);
  return { ...defaulted, metadata: withFinalizer(metadata, finalizers[kind]) };
}

function labelled(metadata: ObjectMeta | undefined, label: string, value: string): ObjectMeta {
  return { ...metadata, name: metadata?.name ?? '', labels: { ...metadata?.labels, [label]: value } };
}

function withFinalizer(metadata: ObjectMeta, finalizer: string): ObjectMeta {
  const present = metadata.finalizers ?? [];
  return present.includes(finalizer) ? metadata : { ...metadata, finalizers: [...present, finalizer] };
}
