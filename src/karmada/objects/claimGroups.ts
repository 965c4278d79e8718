import type { KubernetesObject, ObjectMeta } from '../api/meta.ts';
import type { ResourceSelector } from '../api/policy.ts';
import type { ObjectReference } from '../api/work.ts';
import { claimOf } from './claim.ts';
import { referenceTo } from './identities.ts';
import { permanentIdLabel, policyKinds, type PolicyKind } from './policies.ts';

/** A key to find templates and bindings by the policy that they say they belong to. */
export type ClaimGroup = string;

/** All groups of a template, or of the binding for it, by what its metadata say. */
export function claimGroups(template: ObjectReference, metadata: ObjectMeta): ClaimGroup[] {
  const groups: ClaimGroup[] = [];
  for (const kind of policyKinds) {
    const id = metadata.labels?.[permanentIdLabel(kind)];
    if (id !== undefined) groups.push(bearing(kind, id));
  }
  const claim = claimOf(metadata);
  if (claim) groups.push(claimedBy(claim.kind, claim.namespace, claim.name));
  else groups.push(unclaimed(template), unclaimed({ apiVersion: template.apiVersion, kind: template.kind }));
  return groups;
}

/** The same for a template itself. */
export function templateGroups(template: KubernetesObject): ClaimGroup[] {
  return claimGroups(referenceTo(template), template.metadata);
}

/** A quick test whether a change leaves an object in its groups. */
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
export function bearing(kind: PolicyKind, id: string): ClaimGroup {
  return `${permanentIdLabel(kind)}=${id}`;
}

/** The group of objects that name a policy as theirs. */
export function claimedBy(kind: PolicyKind, namespace: string | undefined, name: string): ClaimGroup {
  return `${kind}/${namespace ?? ''}/${name}`;
}

/** The group of objects without a policy that contains all that a selector may select. */
export function unclaimedFor({ apiVersion, kind, namespace, name }: ResourceSelector): ClaimGroup {
  return unclaimed(namespace && name ? { apiVersion, kind, namespace, name } : { apiVersion, kind });
}

function unclaimed({
  apiVersion,
  kind,
  namespace,
  name,
}: Omit<ResourceSelector, 'labelSelector'>): ClaimGroup {
  return `unclaimed ${apiVersion} ${kind} ${name === undefined ? '' : `${namespace ?? ''}/${name}`}`;
}
