/** A cluster and one of its bindings, in the taint manager's eviction queues. */
export interface TaintedPairKey {
  cluster: string;
  /** the key of a Binding */
  binding: string;
}

// No cluster name contains it.
const SEPARATOR = '|';

/** "member1|shop/cart-deployment". */
export function taintedPairKey({ cluster, binding }: TaintedPairKey): string {
  return `${cluster}${SEPARATOR}${binding}`;
}

/** The inverse of `taintedPairKey`. */
export function parseTaintedPairKey(key: string): TaintedPairKey {
  const at = key.indexOf(SEPARATOR);
  return { cluster: key.slice(0, at), binding: key.slice(at + 1) };
}
