import type { KubernetesObject, ObjectIdentity, ObjectMeta } from '../api/meta.ts';
import type { ManifestIdentifier, ObjectReference, ResourceBinding } from '../api/work.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';

/** An object by its kind and name; the kind is empty if the object has none. */
export function identityOf(object: {
  kind?: string;
  metadata: { name: string; namespace?: string };
}): ObjectIdentity {
  const { name, namespace } = object.metadata;
  return { kind: object.kind ?? '', ...(namespace ? { namespace } : {}), name };
}

/** How answers identify a binding. Lists omit the kind; then it follows from the namespace. */
export function bindingIdentity({ kind, metadata }: ResourceBinding): ObjectIdentity {
  const { namespace, name } = metadata;
  return namespace
    ? { kind: kind ?? 'ResourceBinding', namespace, name }
    : { kind: kind ?? 'ClusterResourceBinding', name };
}

/** The workload that a binding is for, with its group and version. */
export function workloadIdentity({ spec }: ResourceBinding): ObjectIdentity & { apiVersion: string } {
  const { apiVersion, kind, namespace, name } = spec.resource;
  return namespace ? { apiVersion, kind, namespace, name } : { apiVersion, kind, name };
}

/** Only the kind, namespace and name of an object with more fields. */
export function plainIdentity({ kind, namespace, name }: ObjectIdentity): ObjectIdentity {
  return namespace ? { kind, namespace, name } : { kind, name };
}

/** The workload that a binding is for, without its group and version. */
export function workloadOf({ spec }: ResourceBinding): ObjectIdentity {
  return plainIdentity(spec.resource);
}

/** A reference to an object, as other objects contain it. */
export function referenceTo({ apiVersion, kind, metadata }: KubernetesObject): ObjectReference {
  const { namespace, name } = metadata;
  return { apiVersion, kind, ...(namespace && { namespace }), name };
}

/** The reference to a template, as in its binding's spec.resource. */
export function boundResource(template: KubernetesObject): ObjectReference {
  const { uid, resourceVersion } = template.metadata;
  return { ...referenceTo(template), ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
}

/** The permanent id of a binding or policy created in a simulation, distinct from the webhook's UUIDs. */
export function simulatedId({ namespace, name }: { namespace?: string | undefined; name: string }): string {
  return `simulated-${namespace ? `${namespace}.` : ''}${name}`;
}

/** The name of an object in texts: "Deployment shop/cart". */
export function objectText({ kind, namespace, name }: ObjectIdentity): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
}

/** "Deployment/shop/cart": unique per object of a kind. */
export function objectKey({ kind, namespace, name }: ObjectIdentity): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}

/** "shop/cart-deployment": unique per binding. ResourceBindings have a namespace, ClusterResourceBindings do not. */
export function bindingKey({ metadata }: ResourceBinding): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** Whether a `bindingKey` is that of a ClusterResourceBinding. */
export function isClusterWide(key: string): boolean {
  return key.startsWith('/');
}

/** The `bindingKey` from only namespace and name, as a requiredBy snapshot or an answer gives them. */
export function snapshotKey({ namespace, name }: { namespace?: string | undefined; name: string }): string {
  return `${namespace ?? ''}/${name}`;
}

/** "karmada-es-member1/cart-5f7c": unique per Work; the same for its copy in the member. */
export function workKey({ metadata }: { metadata: ObjectMeta }): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** By namespace, then by name. */
export function compareByName(
  a: { namespace?: string | undefined; name: string },
  b: { namespace?: string | undefined; name: string },
): number {
  return compareUtf8(a.namespace ?? '', b.namespace ?? '') || compareUtf8(a.name, b.name);
}

/** The name of the binding of a resource: "cart-deployment". */
export function bindingName(kind: string, name: string): string {
  return `${name.replaceAll(':', '.')}-${kind}`.toLowerCase();
}

/** How a Work's status identifies its first manifest. */
export function manifestIdentifier({ apiVersion, kind, metadata }: KubernetesObject): ManifestIdentifier {
  const slash = apiVersion.indexOf('/');
  return {
    ordinal: 0,
    ...(slash > 0 && { group: apiVersion.slice(0, slash) }),
    version: apiVersion.slice(slash + 1),
    kind,
    resource: '',
    ...(metadata.namespace && { namespace: metadata.namespace }),
    name: metadata.name,
  };
}
