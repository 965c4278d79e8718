import { matchOf } from '../../../kubernetes/matched.ts';
import type { DocumentText } from './documentText.ts';
import type { SourceEntry, SourceList, SourceMap } from './sourceTree.ts';
import type { TextEdit } from './textEdits.ts';
import { flowText, jsonOf, scalarText, spacedJson } from './writtenValue.ts';

/** Removes one entry of a block map or list, with its lines. Their comments stay, on lines of their own. */
export function withoutBlockEntry(
  document: DocumentText,
  { kind, entries }: SourceMap | SourceList,
  entry: SourceEntry,
): TextEdit {
  const { text, style } = document;
  const [, next] = entries;
  if (!next) return { start: entry.start, end: entry.end, text: kind === 'map' ? '{}' : '[]' };
  if (!document.beginsLine(entry.start)) {
    // the first entry, after the "-" of a list
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

/** Adds lines after an entry; the first line is given without its indentation. */
export function afterBlockEntry(
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

type SourceCollection = SourceMap | SourceList;

/** Removes entries from braces or brackets, each with a comma. Comments stay. */
export function withoutFlowEntries(
  document: DocumentText,
  { entries }: SourceCollection,
  removed: ReadonlySet<SourceEntry>,
): TextEdit[] {
  const firstKept = entries.findIndex((entry) => !removed.has(entry));
  return entries.flatMap((entry, at) => {
    if (!removed.has(entry)) return [];
    const isBeforeAll = firstKept === -1 || at < firstKept;
    const start = isBeforeAll ? entry.start : entry.comma!;
    const end = isBeforeAll ? (entries[at + 1]?.start ?? entry.end) : entry.end;
    return [{ start, end, text: document.commentsAlone(start, end) }];
  });
}

/** Adds an entry after another one, with the white space used between entries there. */
export function afterFlowEntry(
  document: DocumentText,
  collection: SourceCollection,
  entry: SourceEntry,
  name: string | undefined,
  value: unknown,
): TextEdit {
  const space = spaceBetween(document, collection, entry);
  const written = entryText(document, collection, entry, { name, value, space });
  return { start: entry.end, end: entry.end, text: `,${space}${written}` };
}

/** Adds an entry of a list before another one. */
export function beforeFlowEntry(
  document: DocumentText,
  collection: SourceCollection,
  entry: SourceEntry,
  value: unknown,
): TextEdit {
  const space = spaceBetween(document, collection, entry);
  const written = entryText(document, collection, entry, { value, space });
  return { start: entry.start, end: entry.start, text: `${written},${space}` };
}

function spaceBetween(
  { text }: DocumentText,
  { entries: [first, second], start }: SourceCollection,
  entry: SourceEntry,
): string {
  const pair = entry === first ? second : entry;
  const between =
    pair?.comma !== undefined ? text.slice(pair.comma + 1, pair.start) : text.slice(start + 1, entry.start);
  if (/^[ \t\r\n]*$/.test(between) && (pair || between.includes('\n'))) return between;
  return hasSpaceBehindColon(entry) ? ' ' : '';
}

function hasSpaceBehindColon({ behindIndicator, value }: SourceEntry): boolean {
  return behindIndicator === undefined || value === null || behindIndicator < value.start;
}

function entryText(
  document: DocumentText,
  { start }: SourceCollection,
  like: SourceEntry,
  { name, value, space }: { name?: string | undefined; value: unknown; space: string },
): string {
  const { text, style } = document;
  const isSpaced = hasSpaceBehindColon(like);
  const written = style.json ? jsonText(document, value, { start, space, isSpaced }) : flowText(value, style);
  if (name === undefined) return written;
  const quoted = text[like.start] === '"' ? jsonOf(name) : scalarText(name, style);
  return `${quoted}:${style.json && !isSpaced ? '' : ' '}${written}`;
}

/** A value as JSON: on several lines if the entries around it have their own lines. */
function jsonText(
  document: DocumentText,
  value: unknown,
  { start, space, isSpaced }: { start: number; space: string; isSpaced: boolean },
): string {
  const indent = /\n([ \t]*)$/.exec(space)?.[1];
  if (indent === undefined || typeof value !== 'object') return isSpaced ? spacedJson(value) : jsonOf(value);
  const [outer] = matchOf(/^[ \t]*/, document.text.slice(document.lineStart(start)));
  const unit = indent.startsWith(outer) ? indent.slice(outer.length) : '';
  return jsonOf(value, unit || '  ').replaceAll('\n', document.style.eol + indent);
}
