import type { ObjectIdentity } from '../../karmada/api/meta.ts';

/** An object as texts name it: "Deployment shop/cart". */
export function objectText({ kind, namespace, name }: ObjectIdentity): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
}
