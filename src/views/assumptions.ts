import { listed } from './listed.ts';
import type { Style } from './style.ts';

/** A gate, flag or instant that an answer rests on, and where its value is known from. */
export interface AnsweredAssumption {
  name: string;
  value: unknown;
  source: string;
  /** false where the state says so itself */
  assumed: boolean;
}

/** Values of one source that are named unless all are asked for. */
const MOST = 5;

/** What was assumed, a line for each source, of many values the first few unless `wide`; empty if everything is known. */
export function assumptionText(assumptions: AnsweredAssumption[], style: Style, wide = false): string {
  const bySource = new Map<string, string[]>();
  for (const { name, value, source, assumed } of assumptions) {
    if (!assumed) continue;
    bySource.set(source, [...(bySource.get(source) ?? []), `${name}=${String(value)}`]);
  }
  return [...bySource]
    .map(([source, values]) => {
      const all = wide || values.length <= MOST + 1;
      const hint = all ? '' : '; -o wide names all';
      return style.faint(
        `Assumed: ${listed(values, all ? values.length : MOST)} (${sourceText(source)}${hint})`,
      );
    })
    .join('\n');
}

function sourceText(source: string): string {
  return source.replace(/ \(assumed\)$/, '; set others with --assume NAME=VALUE');
}

/** The gates and flags whose value is a default that nobody has confirmed. */
export function unconfirmed(assumptions: AnsweredAssumption[]): ReadonlySet<string> {
  return new Set(
    assumptions
      .filter(({ assumed, source }) => assumed && source.startsWith('default'))
      .map(({ name }) => name),
  );
}
