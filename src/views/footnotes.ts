import type { WorkloadOutcome } from '../engine/verdicts/outcome.ts';
import type { Style } from './style.ts';

/** What outcomes in a table depend on, each said once below it. */
export interface Footnotes {
  /** "estimate [1][2]"; "" of what is certain */
  doubt(outcome: Pick<WorkloadOutcome, 'certainty' | 'dependsOn'>): string;
  /** "[1] depends on …", those that were pointed to so far */
  lines(): string[];
}

/** No footnote yet. */
export function createFootnotes(style: Style): Footnotes {
  const texts: string[] = [];
  const numberOf = (text: string) => {
    if (!texts.includes(text)) texts.push(text);
    return texts.indexOf(text) + 1;
  };
  return {
    doubt({ certainty, dependsOn = [] }) {
      if (certainty === 'certain') return '';
      const numbers = dependsOn.map(numberOf).sort((a, b) => a - b);
      return style.warn(`${certainty} ${numbers.map((number) => `[${number}]`).join('')}`.trim());
    },
    lines: () => texts.map((text, index) => style.faint(`[${index + 1}] depends on ${text}`)),
  };
}
