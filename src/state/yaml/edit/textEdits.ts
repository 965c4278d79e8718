/** Replaces the text between two offsets. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** Edits in text order; an insertion at an offset precedes a replacement that begins there. */
export function inTextOrder<Edit extends TextEdit>(edits: readonly Edit[]): Edit[] {
  return [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The text after edits; undefined if they overlap, or reach beyond the text. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string | undefined {
  let result = '';
  let at = 0;
  for (const { start, end, text: put } of inTextOrder(edits)) {
    if (start < at || end < start || end > text.length) return undefined;
    result += text.slice(at, start) + put;
    at = end;
  }
  return result + text.slice(at);
}

/** The edits that undo these, for the text after them. */
export function reverseEdits(text: string, edits: readonly TextEdit[]): TextEdit[] {
  let shift = 0;
  return inTextOrder(edits).map(({ start, end, text: put }) => {
    const back = { start: start + shift, end: start + shift + put.length, text: text.slice(start, end) };
    shift += put.length - (end - start);
    return back;
  });
}
