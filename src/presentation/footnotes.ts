import type { CertaintyMark } from './model.ts';

/** The footnotes of a table: the doubts behind its uncertain values, each once. */
export interface Footnotes {
  /** "estimate [1][2]" */
  mark(doubt: CertaintyMark): string;
  /** "[1]" and "depends on …", for all marks so far */
  all(): [mark: string, text: string][];
}

/** For places without footnotes: only the certainty. */
export const noFootnotes: Footnotes = { mark: ({ certainty }) => certainty, all: () => [] };

/** Creates footnotes, initially none. */
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
