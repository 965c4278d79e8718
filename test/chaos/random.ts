/** Numbers that are the same for the same seed. */
export interface Random {
  /** in [0, 1) */
  next(): number;
  /** an integer in [low, high] */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  /** one of the keys, each in proportion to its weight; undefined if there is none */
  pick<K extends string>(weights: Partial<Record<K, number>>): K | undefined;
}

/** mulberry32: small, and good enough to choose faults. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick<K extends string>(weights: Partial<Record<K, number>>) {
      const entries = Object.entries(weights) as [K, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        left -= weight;
        if (left < 0) return key;
      }
      return undefined;
    },
  };
}
