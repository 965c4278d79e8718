import { applyDataChange, changeTree, type DataChange } from '../../kubernetes/dataChange.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { isObject } from '../../kubernetes/json.ts';
import { StateError } from '../errors.ts';
import type { Path } from '../../kubernetes/fieldPath.ts';
import { documentEdits } from '../yaml/edit/editDocument.ts';
import type { EditablePiece } from '../yaml/edit/documentText.ts';
import { applyTextEdits, inTextOrder, reverseEdits, type TextEdit } from '../yaml/edit/textEdits.ts';
import { jsonOf, scalarText } from '../yaml/edit/writtenValue.ts';
import { readPositioned } from '../yaml/positions.ts';
import { zip } from '../../kubernetes/nonEmpty.ts';

export interface PlaceInPiece {
  document: number;
  path: Path;
}

/**
 * The reversal of an edit: its offset from the start of the object, the number of characters to replace, and the text.
 */
export type Undo = [start: number, length: number, text: string][];

/** Whether external data is such a list. */
export function isUndo(data: unknown): data is Undo {
  const isOffset = (value: unknown) => Number.isSafeInteger(value);
  return (
    Array.isArray(data) &&
    data.every((one: unknown) => {
      if (!Array.isArray(one) || one.length !== 3) return false;
      const [start, length, text] = one as unknown[];
      return isOffset(start) && isOffset(length) && typeof text === 'string';
    })
  );
}

/** An object to edit, and an annotation that describes the edit. */
interface AnnotatedEdit extends PlaceInPiece {
  /** paths are relative to the object */
  changes: readonly DataChange[];
  annotation: string;
  /** the value of the annotation; `undo` applies to the text with that value empty */
  value(undo: Undo): string;
}

/**
 * Edits objects of a piece; everything else stays as written. Returns undefined if the edited piece would not parse
 * to the intended values.
 *
 * @param before the parsed documents
 */
export function annotatedPiece(
  piece: EditablePiece,
  before: readonly unknown[],
  edits: readonly AnnotatedEdit[],
): string | undefined {
  const placeholders = new Placeholders(piece.text);
  const treesWith = (values: readonly string[]) =>
    piece.documents.map((_, document) =>
      changeTree(
        zip(edits, values).flatMap(([edit, value]) =>
          edit.document === document ? changesOf(edit, before[document], value) : [],
        ),
      ),
    );
  const trees = treesWith(edits.map((_, at) => placeholders.value(at)));
  const textEdits = zip(piece.documents, trees).flatMap(([document, tree]) =>
    tree.inside.size > 0 ? documentEdits(document, tree) : [],
  );
  const emptied = placeholders.replaced(textEdits, (_, json) => (json ? '""' : "''"));
  const values = zip(edits, undoOf(piece, edits, emptied)).map(([edit, undo]) => edit.value(undo));
  const filled = placeholders.replaced(textEdits, (at, json) =>
    json ? jsonOf(values[at]) : scalarText(values[at], { json }),
  );
  const text = applyTextEdits(piece.text, filled);
  if (text === undefined) return undefined;
  const wanted = treesWith(values).map((tree, at) => applyDataChange(before[at], tree));
  return says(text, wanted) ? text : undefined;
}

/** Undoes edits of objects of a piece, with their annotations. Returns undefined if the text has changed since. */
export function withoutEdits(
  { text, documents }: EditablePiece,
  edits: readonly (PlaceInPiece & { annotation: string; undo: Undo })[],
): string | undefined {
  const emptied: TextEdit[] = [];
  for (const { document, path, annotation } of edits) {
    const node = documents[document]!.nodeAt([...path, 'metadata', 'annotations', annotation]);
    const quote = node && text[node.start];
    if (node?.kind !== 'scalar' || (quote !== '"' && quote !== "'")) return undefined;
    emptied.push({ start: node.start, end: node.end, text: quote + quote });
  }
  const without = applyTextEdits(text, emptied);
  if (without === undefined) return undefined;
  const undos = edits.flatMap(({ document, path, undo }) => {
    const from = startOf(documents[document]!.nodeAt(path));
    const base = shifted(from, emptied);
    return undo.map(([start, length, put]) => ({
      start: base + start,
      end: base + start + length,
      text: put,
    }));
  });
  return applyTextEdits(without, undos);
}

const startOf = (node: { start: number } | undefined) => node?.start ?? 0;

/** The new position of an offset after the edits before it. */
function shifted(offset: number, edits: readonly TextEdit[]): number {
  return edits.reduce(
    (at, { start, end, text }) => (start < offset ? at + text.length - (end - start) : at),
    offset,
  );
}

/** Placeholders for the values of annotations until they are known; they are written in the same quotes. */
class Placeholders {
  readonly #mark: string;
  readonly #written: RegExp;

  constructor(text: string) {
    let mark = 'annotation';
    while (text.includes(mark)) mark += '_';
    this.#mark = mark;
    this.#written = new RegExp(`'\\{"${mark}":(\\d+)\\}'|"\\{\\\\"${mark}\\\\":(\\d+)\\}"`, 'g');
  }

  value(at: number): string {
    return `{"${this.#mark}":${at}}`;
  }

  /** These edits with other values; each value's text matches its quotes. */
  replaced(edits: readonly TextEdit[], written: (at: number, json: boolean) => string): TextEdit[] {
    return edits.map((edit) => ({
      ...edit,
      text: edit.text.replace(this.#written, (_, single?: string, double?: string) =>
        written(Number(single ?? double), single === undefined),
      ),
    }));
  }
}

function changesOf(
  { path, changes, annotation }: AnnotatedEdit,
  document: unknown,
  value: string,
): DataChange[] {
  const object = path.reduce((at: unknown, step) => (at as Record<string | number, unknown>)[step], document);
  const metadata = (object as { metadata?: unknown }).metadata;
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  return [...changes, annotating(isObject(metadata) ? metadata : {}, annotations, annotation, value)].map(
    (change) => ({ ...change, path: [...path, ...change.path] }),
  );
}

function annotating(
  metadata: Record<string, unknown>,
  annotations: unknown,
  name: string,
  value: string,
): DataChange {
  const path = ['metadata', 'annotations'];
  if (!Object.hasOwn(metadata, 'annotations'))
    return { change: 'addMember', path: ['metadata'], name: 'annotations', value: { [name]: value } };
  if (!isObject(annotations) || Object.keys(annotations).length === 0)
    return { change: 'replace', path, value: { [name]: value } };
  if (Object.hasOwn(annotations, name)) return { change: 'replace', path: [...path, name], value };
  return { change: 'addMember', path, name, value };
}

/** The reversal of each object's edits; an edit elsewhere belongs to the object before it, or the first. */
function undoOf(
  { text, documents }: EditablePiece,
  objects: readonly PlaceInPiece[],
  textEdits: readonly TextEdit[],
): Undo[] {
  const starts = objects.map(({ document, path }) => startOf(documents[document]!.nodeAt(path)));
  const inOrder = inTextOrder(textEdits);
  const backs = zip(inOrder, reverseEdits(text, inOrder)).map(([edit, back]) => {
    const owner = starts.findLastIndex((start) => start <= edit.start);
    return { owner: Math.max(owner, 0), back };
  });
  return starts.map((start, at) => {
    const base = shifted(start, inOrder);
    return backs.flatMap(({ owner, back }): Undo =>
      owner === at ? [[back.start - base, back.end - back.start, back.text]] : [],
    );
  });
}

function says(text: string, wanted: readonly unknown[]): boolean {
  try {
    const { documents } = readPositioned(text, '');
    return (
      documents.length === wanted.length && documents.every(({ value }, at) => deepEqual(value, wanted[at]))
    );
  } catch (error) {
    if (error instanceof StateError) return false;
    throw error;
  }
}
