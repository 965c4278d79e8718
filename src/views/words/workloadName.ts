import type { ObjectIdentity } from '../../karmada/api/meta.ts';

/** The identity of a workload, from an item that holds it in its own fields; other lists have it as `workload`. */
export function workloadIn({ kind, namespace, name }: ObjectIdentity): ObjectIdentity {
  return { kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** A workload in the form that a selection takes: "shop/deployment/cart", "clusterrole/support". */
export function workloadName({ kind, namespace, name }: ObjectIdentity): string {
  return `${namespace ? `${namespace}/` : ''}${kind.toLowerCase()}/${name}`;
}
