/** Pseudo-random choices that a seed determines. */
export interface Chance {
  /** a number from 0 (included) to 1 (excluded) */
  number(): number;
  /** whether something of this probability happens */
  happens(probability: number): boolean;
  /** an integer from `least` to `most`, both included */
  between(least: number, most: number): number;
  oneOf<T>(choices: readonly T[]): T;
  /** one of the choices, each as likely as its weight says */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T;
  /** some of the choices, in their order; at least one */
  someOf<T>(choices: readonly T[], count?: number): T[];
}

/** Choices of a seed: the same seed always gives the same ones. */
export function createChance(seed: number): Chance {
  let state = (seed * 0x9e3779b1) >>> 0;
  // mulberry32
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(number() * (most - least + 1));
  return {
    number,
    happens: (probability) => number() < probability,
    between,
    oneOf: (choices) => choices[between(0, choices.length - 1)]!,
    weighted(choices) {
      let left = number() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, choice] of choices) if ((left -= weight) < 0) return choice;
      return choices.at(-1)![1];
    },
    someOf(choices, count = between(1, choices.length)) {
      const order = choices.map((choice, index) => ({ index, choice, by: number() }));
      const chosen = order.sort((a, b) => a.by - b.by).slice(0, count);
      return chosen.sort((a, b) => a.index - b.index).map(({ choice }) => choice);
    },
  };
}
