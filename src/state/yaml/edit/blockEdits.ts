import type { DocumentText } from './documentText.ts';
import type { SourceEntry, SourceList, SourceMap } from './sourceTree.ts';
import type { TextEdit } from './textEdits.ts';

/** Removes one entry of a block map or list, with its lines. Comments in these stay, as lines of their own. */
export function withoutBlockEntry(
  document: DocumentText,
  { kind, entries }: SourceMap | SourceList,
  at: number,
): TextEdit {
  const entry = entries[at]!;
  const { text, style } = document;
  if (entries.length === 1) return { start: entry.start, end: entry.end, text: kind === 'map' ? '{}' : '[]' };
  if (!document.beginsLine(entry.start)) {
    // the first entry, after the "-" of a list
    const next = entries[at + 1]!;
    const comments = document.comments(entry.start, next.start);
    if (comments.length === 0) return { start: entry.start, end: next.start, text: '' };
    const indent = document.indentOf(entry);
    const lines = comments.map((comment) => comment.text + style.eol + indent);
    return { start: entry.start, end: next.start, text: lines.join('') };
  }
  const start = document.lineStart(entry.start);
  const end = document.nextLine(entry.end) ?? text.length;
  const comments = document.comments(entry.start, end);
  const lines = comments.map((comment) => document.indentOf(entry) + comment.text + style.eol);
  return { start, end, text: lines.join('') };
}

/** Adds lines after an entry; the first line without its indentation. */
export function behindBlockEntry(
  document: DocumentText,
  entry: SourceEntry,
  lines: readonly string[],
): TextEdit {
  const { eol } = document.style;
  const indented = lines.map((line) => document.indentOf(entry) + line);
  const at = document.nextLine(entry.end);
  if (at !== undefined) return { start: at, end: at, text: indented.map((line) => line + eol).join('') };
  const { length } = document.text;
  return { start: length, end: length, text: indented.map((line) => eol + line).join('') };
}

/** Adds lines before an entry, after the comments above it. */
export function beforeBlockEntry(
  document: DocumentText,
  entry: SourceEntry,
  lines: readonly string[],
): TextEdit {
  const indent = document.indentOf(entry);
  const text = lines.map((line) => line + document.style.eol + indent);
  return { start: entry.start, end: entry.start, text: text.join('') };
}
