import type { Doubt } from './model.ts';

/** What doubts in a table depend on, each said once below it. */
export interface Footnotes {
  /** "estimate [1][2]" */
  mark(doubt: Doubt): string;
  /** "[1]" and "depends on …", those that were pointed to so far */
  all(): [mark: string, text: string][];
}

/** If nothing can be said beneath: how sure it is, and no more. */
export const noFootnotes: Footnotes = { mark: ({ certainty }) => certainty, all: () => [] };

/** No footnote yet. */
export function createFootnotes(): Footnotes {
  const numbers = new Map<string, number>();
  const numberOf = (text: string) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size + 1);
    return numbers.size;
  };
  return {
    mark({ certainty, dependsOn }) {
      const marks = dependsOn.map(numberOf).sort((a, b) => a - b);
      return `${certainty} ${marks.map((number) => `[${number}]`).join('')}`.trim();
    },
    all: () => [...numbers].map(([text, number]) => [`[${number}]`, `depends on ${text}`]),
  };
}
