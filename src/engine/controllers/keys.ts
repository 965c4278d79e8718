import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import { EXECUTION_NAMESPACE_PREFIX } from '../../karmada/names.ts';

/** The key of an object whose kind is part of it: "Deployment/shop/cart". */
export function identityKey({ kind, namespace, name }: ObjectIdentity): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}

/** The key of a binding: "ResourceBinding/shop/cart-deployment". */
export function bindingKey({ kind, metadata: { namespace, name } }: ResourceBinding): string {
  const own = kind ?? (namespace ? 'ResourceBinding' : 'ClusterResourceBinding');
  return `${own}/${namespace ?? ''}/${name}`;
}

/** The key of a Work, and of the copy that it stands for: "karmada-es-member1/cart-5f7c". */
export function workKey({ metadata: { namespace, name } }: Work): string {
  return `${namespace ?? ''}/${name}`;
}

/** The member that a Work is for; undefined outside of an execution namespace. */
export function clusterOfWork({ metadata: { namespace = '' } }: Work): string | undefined {
  return namespace.startsWith(EXECUTION_NAMESPACE_PREFIX)
    ? namespace.slice(EXECUTION_NAMESPACE_PREFIX.length)
    : undefined;
}
