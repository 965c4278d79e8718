import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { shortKind } from '../../kubernetes/resourceNames.ts';

/** The identity of a workload, from an item that holds it in its own fields; other lists have it as `workload`. */
export function workloadIn({ kind, namespace, name }: ObjectIdentity): ObjectIdentity {
  return { kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** A workload in the form that a selection takes: "shop/deployment/cart", "clusterrole/support". */
export function workloadName({ kind, namespace, name }: ObjectIdentity): string {
  return `${namespace ? `${namespace}/` : ''}${kind.toLowerCase()}/${name}`;
}

/** The same with the short name of its kind: "shop/deploy/cart". */
export function shortWorkloadName({ kind, ...one }: ObjectIdentity): string {
  return workloadName({ ...one, kind: shortKind(kind) });
}
