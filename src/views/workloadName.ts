import type { ObjectIdentity } from '../karmada/api/meta.ts';

/** A workload in the form that --skip and --only take: "shop/deployment/cart", "clusterrole/support". */
export function workloadName({ kind, namespace, name }: ObjectIdentity): string {
  return `${namespace ? `${namespace}/` : ''}${kind.toLowerCase()}/${name}`;
}
