import { parseRelaxedJsonPath, selectJsonPath, valueText } from '../../kubernetes/jsonpath/jsonpath.ts';
import { visible } from '../../presentation/visible.ts';
import type { ListNode } from '../../kubernetes/jsonpath/template.ts';

/** A column of -o custom-columns: its header, and the field of each item. */
export interface CustomColumn {
  header: string;
  expression: ListNode;
}

type Columns = { columns: CustomColumn[] } | { error: string };

/** Reads "HEADER:.path,HEADER:.path". */
export function parseCustomColumns(spec: string): Columns {
  return columnsOf(
    spec.split(',').map((part) => {
      const colon = part.indexOf(':');
      return colon === -1 ? { header: part } : { header: part.slice(0, colon), path: part.slice(colon + 1) };
    }),
  );
}

/** Reads the content of a custom-columns-file: a line of headers, then a line of paths, separated by blanks. */
export function parseCustomColumnsFile(text: string): Columns {
  const [headers, paths] = text.split('\n', 2).map((line) => line.split(/\s+/).filter((word) => word !== ''));
  if (!headers || !paths) return { error: 'needs a line of headers and a line of paths' };
  if (headers.length !== paths.length)
    return { error: `has ${headers.length} headers but ${paths.length} paths` };
  return columnsOf(headers.map((header, index) => ({ header, path: paths[index]! })));
}

function columnsOf(parts: { header: string; path?: string }[]): Columns {
  const columns: CustomColumn[] = [];
  for (const { header, path } of parts) {
    if (path === undefined) return { error: `"${header}" is not HEADER:PATH, such as NAME:.workload.name` };
    const parsed = parseRelaxedJsonPath(path);
    if ('error' in parsed) return { error: `of ${header}, "${path}": ${parsed.error}` };
    columns.push({ header, expression: parsed.template });
  }
  return { columns };
}

/** The columns of items as kubectl prints them, each line ending in a newline. The items are as returned by `asKubectlValue`. */
export function customColumnsText(
  columns: CustomColumn[],
  items: readonly unknown[],
  noHeaders: boolean,
): { text: string } | { error: string } {
  const lines = noHeaders ? [] : [columns.map(({ header }) => header)];
  for (const item of items) {
    const cells: string[] = [];
    for (const { header, expression } of columns) {
      const selected = selectJsonPath(expression, item);
      if ('error' in selected) return { error: `of ${header}: ${selected.error}` };
      cells.push(selected.values.length === 0 ? '<none>' : selected.values.map(cellText).join(','));
    }
    lines.push(cells);
  }
  return { text: aligned(lines) };
}

/** A value as a cell; terminal control characters are made visible. */
function cellText(value: unknown): string {
  return visible(valueText(value));
}

/** The least width of a column, and the spaces between columns. */
const NARROWEST = 6;
const GAP = 3;

/** The layout of kubectl's tabwriter: unlike in `table`, empty cells stay empty and no column is narrower than six. */
function aligned(lines: string[][]): string {
  const widths: number[] = [];
  for (const line of lines)
    for (const [index, cell] of line.entries())
      widths[index] = Math.max(widths[index] ?? NARROWEST, [...cell].length + GAP);
  return lines
    .map((line) => {
      const last = line.length - 1;
      const padded = line.map((cell, index) =>
        index === last ? cell : cell + ' '.repeat(widths[index]! - [...cell].length),
      );
      return `${padded.join('')}\n`;
    })
    .join('');
}
