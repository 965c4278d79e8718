import type { ObjectIdentity, ObjectMeta } from '../../karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import { EXECUTION_NAMESPACE_PREFIX } from '../../karmada/names.ts';
import type { Kind, Kinds } from '../controllers/kinds.ts';

/** "Deployment/shop/cart": one text per object of a kind. */
export function identityKey({ kind, namespace, name }: ObjectIdentity): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}

/** "ResourceBinding/shop/cart-deployment". */
export function bindingKey({ kind, metadata: { namespace, name } }: ResourceBinding): string {
  const own = kind ?? (namespace ? 'ResourceBinding' : 'ClusterResourceBinding');
  return identityKey({ kind: own, name, ...(namespace ? { namespace } : {}) });
}

/** "karmada-es-member1/cart-5f7c"; the same for the copy in the member. */
export function workKey({ metadata }: { metadata: ObjectMeta }): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** The member that a Work is for; undefined outside of an execution namespace. */
export function clusterOfWork({ metadata: { namespace = '' } }: Work): string | undefined {
  return namespace.startsWith(EXECUTION_NAMESPACE_PREFIX)
    ? namespace.slice(EXECUTION_NAMESPACE_PREFIX.length)
    : undefined;
}

/** The name that requiredBy and the dependencies distributor know a binding by. */
export function snapshotKey({ namespace, name }: { namespace?: string | undefined; name: string }): string {
  return `${namespace ?? ''}/${name}`;
}

/** The key under which an object of a kind is kept. Copies have none of their own: that of their Work. */
export function keyOf<K extends Exclude<Kind, 'Copy'>>(kind: K, object: Kinds[K]): string {
  switch (kind) {
    case 'Binding':
      return bindingKey(object as ResourceBinding);
    case 'Work':
      return workKey(object as Work);
    case 'Member':
      return (object as Kinds['Member']).name;
    case 'Cluster':
    case 'ClusterTaintPolicy':
      return (object as Kinds['Cluster']).metadata.name;
    default: {
      const { kind: own = '', metadata } = object as { kind?: string; metadata: ObjectMeta };
      const { namespace, name } = metadata;
      return identityKey({ kind: own, name, ...(namespace ? { namespace } : {}) });
    }
  }
}

/** How evidence, events and messages name an object. */
export function identityOf(object: {
  kind?: string;
  metadata: { name: string; namespace?: string };
}): ObjectIdentity {
  const { name, namespace } = object.metadata;
  return { kind: object.kind ?? '', ...(namespace ? { namespace } : {}), name };
}
