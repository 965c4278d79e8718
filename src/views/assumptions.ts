import type { Style } from './style.ts';

/** A gate, flag or instant that an answer rests on, and where its value is known from. */
export interface AnsweredAssumption {
  name: string;
  value: unknown;
  source: string;
  /** false where the state says so itself */
  assumed: boolean;
}

/** What was assumed, in a line or two; empty where everything is known. */
export function assumptionText(assumptions: AnsweredAssumption[], style: Style): string {
  const assumed = assumptions.filter((one) => one.assumed);
  if (assumed.length === 0) return '';
  const bySource = new Map<string, string[]>();
  for (const { name, value, source } of assumed)
    bySource.set(source, [...(bySource.get(source) ?? []), `${name}=${String(value)}`]);
  return [...bySource]
    .map(([source, values]) => style.faint(`Assumed: ${values.join(', ')} (${source})`))
    .join('\n');
}
