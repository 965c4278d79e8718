import { seeded } from '../chaos/random.ts';

/** Numbers determined only by a seed. */
export interface Random {
  /** a number in [0, 1) */
  next(): number;
  /** a whole number in [0, below) */
  below(below: number): number;
  /** one of them */
  of<T>(values: readonly T[]): T;
}

export function randomOf(seed: number): Random {
  const { next } = seeded(seed);
  const below = (most: number) => Math.floor(next() * most);
  return { next, below, of: (values) => values[below(values.length)]! };
}
