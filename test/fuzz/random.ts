/** Numbers determined only by a seed. */
export interface Random {
  /** a number in [0, 1) */
  next(): number;
  /** a whole number in [0, below) */
  below(below: number): number;
  /** one of them */
  of<T>(values: readonly T[]): T;
}

/** mulberry32: small, and the same everywhere. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number) => Math.floor(next() * most);
  return { next, below, of: (values) => values[below(values.length)]! };
}
