import type { AnsweredAssumption } from '../../karmada/configuration/assumptions.ts';
import { presentable } from '../../presentation/presentable.ts';

/** "Assumed: karmadaVersion=v1.18." Known values are left out. */
function assumedMarkdown(assumptions: readonly AnsweredAssumption[]): string {
  const assumed = assumptions
    .filter((one) => one.assumed)
    .map(({ name, value }) => `${name}=${String(value)}`);
  return assumed.length === 0 ? '' : `Assumed: ${markdownCell(assumed.join(', '))}.`;
}

/** The parts of a page, without the empty ones; the assumptions are the last. */
export function markdownPage(assumptions: readonly AnsweredAssumption[], parts: readonly string[]): string {
  return [...parts, assumedMarkdown(assumptions)]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** A table; "Nothing." without rows. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return 'Nothing.';
  const line = (cells: readonly string[]) => `| ${cells.map(markdownCell).join(' | ')} |`;
  return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** Foreign text as a cell: it cannot end the cell, nor create links, images or markup. */
export function markdownCell(text: string): string {
  return presentable(text).replace(/[\\`*_{}[\]<>|#!]/g, '\\$&');
}
