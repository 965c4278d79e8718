import { firstWith } from '../kubernetes/firstWith.ts';
/** A place in a text. Lines and columns count from 1; columns in UTF-16 units, as in editors. */
export interface Position {
  line: number;
  column: number;
}

/** "policy.yaml:3:5" */
export function placeOf(source: string, { line, column }: Position): string {
  return `${source}:${line}:${column}`;
}

/** The place of an offset in a text that begins at `first`. */
export function positionIn(text: string, offset: number, first: Position = { line: 1, column: 1 }): Position {
  let line = first.line;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', start)) {
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + (start === 0 ? first.column : 1) };
}

/** `positionIn` for many places in one text: counts its lines once. */
export function positionsIn(text: string): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    const line = firstWith(starts, (start) => start > offset);
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
