import type { ObjectIdentity } from '../karmada/api/meta.ts';

/** The workload of an item that has its identity in fields of its own: what other lists have as `workload`. */
export function workloadIn({ kind, namespace, name }: ObjectIdentity): ObjectIdentity {
  return { kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** A workload in the form that a selection takes: "shop/deployment/cart", "clusterrole/support". */
export function workloadName({ kind, namespace, name }: ObjectIdentity): string {
  return `${namespace ? `${namespace}/` : ''}${kind.toLowerCase()}/${name}`;
}
