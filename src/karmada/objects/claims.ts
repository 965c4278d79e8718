import type { KubernetesObject, ObjectMeta } from '../api/meta.ts';
import {
  CLUSTER_PROPAGATION_POLICY_NAME_ANNOTATION,
  PROPAGATION_POLICY_NAMESPACE_ANNOTATION,
  PROPAGATION_POLICY_NAME_ANNOTATION,
} from '../api/names.ts';
import type { PropagationPolicy, ResourceSelector } from '../api/policy.ts';
import type { ObjectReference } from '../api/work.ts';
import { referenceTo } from './identities.ts';
import { type PolicyKind, permanentId, permanentIdLabel, policyKind, policyKinds } from './policies.ts';

/** The policy that has claimed a template or binding, by its metadata. */
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

/** The claim on a template; a PropagationPolicy's takes precedence, and incomplete claims are ignored. */
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

/** Metadata with the policy's claim. A PropagationPolicy's claim replaces that of a ClusterPropagationPolicy. */
export function withClaim<Meta extends ObjectMeta>(metadata: Meta, policy: PropagationPolicy): Meta {
  const kind = policyKind(policy);
  const free =
    kind === 'PropagationPolicy' &&
    metadata.labels?.[permanentIdLabel('ClusterPropagationPolicy')] !== undefined
      ? withoutClaim(metadata, 'ClusterPropagationPolicy')
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
export function withoutClaim<Meta extends ObjectMeta>(metadata: Meta, kind: PolicyKind): Meta {
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

/** A key that finds templates and bindings by the policy in their metadata. */
export type ClaimGroup = string;

/** All groups of a template, or of its binding, by its metadata. */
export function claimGroups(template: ObjectReference, metadata: ObjectMeta): ClaimGroup[] {
  const groups: ClaimGroup[] = [];
  for (const kind of policyKinds) {
    const id = metadata.labels?.[permanentIdLabel(kind)];
    if (id !== undefined) groups.push(claimedWithId(kind, id));
  }
  const claim = claimOf(metadata);
  if (claim) groups.push(claimedBy(claim.kind, claim.namespace, claim.name));
  else
    groups.push(ofNoPolicy(template), ofNoPolicy({ apiVersion: template.apiVersion, kind: template.kind }));
  return groups;
}

/** The same for a template itself. */
export function templateGroups(template: KubernetesObject): ClaimGroup[] {
  return claimGroups(referenceTo(template), template.metadata);
}

/** A quick test whether an object stays in its groups after a change. */
export function sameClaims(
  before: { metadata: ObjectMeta } | undefined,
  after: { metadata: ObjectMeta } | undefined,
): boolean {
  return (
    before !== undefined &&
    after !== undefined &&
    before.metadata.labels === after.metadata.labels &&
    before.metadata.annotations === after.metadata.annotations
  );
}

/** The group of objects with the permanent id of a policy. */
export function claimedWithId(kind: PolicyKind, id: string): ClaimGroup {
  return `${permanentIdLabel(kind)}=${id}`;
}

/** The group of objects that a policy has claimed by name. */
export function claimedBy(kind: PolicyKind, namespace: string | undefined, name: string): ClaimGroup {
  return `${kind}/${namespace ?? ''}/${name}`;
}

/** The group of objects without a policy that contains everything a selector may select. */
export function unclaimedFor({ apiVersion, kind, namespace, name }: ResourceSelector): ClaimGroup {
  return ofNoPolicy(namespace && name ? { apiVersion, kind, namespace, name } : { apiVersion, kind });
}

function ofNoPolicy({
  apiVersion,
  kind,
  namespace,
  name,
}: Omit<ResourceSelector, 'labelSelector'>): ClaimGroup {
  return `unclaimed ${apiVersion} ${kind} ${name === undefined ? '' : `${namespace ?? ''}/${name}`}`;
}
