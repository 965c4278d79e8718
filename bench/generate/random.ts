/** Pseudo-random choices that are the same for the same seed, on every machine (sfc32). */
export interface Random {
  /** a whole number from 0 to below `limit` */
  below(limit: number): number;
  /** true once in a while */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** distinct items in random order; all of them if there are too few */
  sample<T>(items: readonly T[], count: number): T[];
  uid(): string;
}

export function seededRandom(seed: number): Random {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, seed | 0, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 15; i++) next();
  const below = (limit: number) => next() % limit;
  const hex = (digits: number) => {
    let text = '';
    while (text.length < digits) text += next().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  };
  return {
    below,
    chance: (probability) => next() < probability * 2 ** 32,
    pick: (items) => items[below(items.length)]!,
    sample: (items, count) => {
      const left = [...items];
      const taken = [];
      while (taken.length < count && left.length > 0) taken.push(...left.splice(below(left.length), 1));
      return taken;
    },
    uid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
}
