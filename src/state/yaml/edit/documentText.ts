import type { ParsedNode } from 'yaml';
import type { Path } from '../../../kubernetes/fieldPath.ts';
import { parseJsonText } from '../../json/jsonProblem.ts';
import { piecesOf, yamlDocuments } from '../yamlDocuments.ts';
import { type SourceEntry, type SourceNode, commentsIn, sourceTree } from './sourceTree.ts';
import type { TextStyle } from './writtenValue.ts';
import { matchOf } from '../../../kubernetes/matched.ts';

/** The text around a document, the document's tree, and its style. */
export class DocumentText {
  readonly text: string;
  readonly root: SourceNode;
  readonly style: TextStyle;
  readonly #comments: { start: number; end: number; text: string }[];

  constructor(text: string, contents: ParsedNode, json: boolean) {
    this.text = text;
    this.root = sourceTree(contents);
    this.#comments = commentsIn(contents).map(({ offset, source }) => ({
      start: offset,
      end: offset + source.length,
      text: source,
    }));
    this.style = {
      json,
      eol: text.includes('\r\n') ? '\r\n' : '\n',
      listIndent: listIndent(this, this.root) ?? 2,
    };
  }

  /** The node written at a path; undefined if it comes from an alias or a merge. */
  nodeAt(path: Path): SourceNode | undefined {
    let node: SourceNode | null = this.root;
    for (const step of path) {
      const entry: SourceEntry | undefined =
        node?.kind === 'map'
          ? node.entries.findLast(({ key }) => key.kind === 'scalar' && key.node.source === step)
          : node?.kind === 'list' && typeof step === 'number'
            ? node.entries[step]
            : undefined;
      if (!entry) return undefined;
      node = entry.value;
    }
    return node ?? undefined;
  }

  comments(start: number, end: number) {
    return this.#comments.filter((one) => one.start >= start && one.end <= end);
  }

  /** The comments between two offsets as text for braces and brackets: each followed by its line break. */
  commentsAlone(start: number, end: number): string {
    return this.comments(start, end)
      .map(({ text, end: behind }) => ` ${text}${matchOf(/^[ \t\r\n]*/, this.text.slice(behind))[0]}`)
      .join('');
  }

  /** How many characters precede an offset in its line. */
  column(offset: number): number {
    return offset - this.lineStart(offset);
  }

  lineStart(offset: number): number {
    return this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** Where the line after an offset begins; undefined if there is none. A block scalar includes its line break. */
  nextLine(end: number): number | undefined {
    if (this.text[end - 1] === '\n') return end;
    const newline = this.text.indexOf('\n', end);
    return newline === -1 ? undefined : newline + 1;
  }

  /** Whether only spaces precede an offset in its line. */
  beginsLine(offset: number): boolean {
    return /^ *$/.test(this.text.slice(this.lineStart(offset), offset));
  }

  indentOf({ start }: SourceEntry): string {
    return ' '.repeat(this.column(start));
  }
}

/** The indentation of the document's first block list relative to its key. */
function listIndent(document: DocumentText, node: SourceNode | null): number | undefined {
  if (node?.kind !== 'map' && node?.kind !== 'list') return undefined;
  for (const entry of node.entries) {
    const { value } = entry;
    const first = value?.kind === 'list' && !value.flow ? value.entries[0] : undefined;
    if (node.kind === 'map' && !node.flow && first)
      return Math.max(document.column(first.start) - document.column(entry.start), 0);
    const found = listIndent(document, value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A part of a text that can be edited independently: the documents between two "---", or a whole JSON text. */
export interface EditablePiece {
  text: string;
  /** the non-empty ones; the offsets of their nodes are relative to the piece */
  documents: DocumentText[];
}

/**
 * The pieces of a text, one after the other. Their documents are those of `readPositioned`, in the same order. Throws
 * a StateError like that function.
 */
export function* editablePieces(text: string, source: string): Generator<EditablePiece> {
  const bom = text.startsWith('\ufeff') ? 1 : 0;
  const json = /^\s*[{[]/.test(text.slice(bom)) && 'value' in parseJsonText(text.slice(bom));
  const pieces = json ? [{ text: text.slice(bom), line: 1 }] : piecesOf(text.slice(bom));
  for (const piece of pieces)
    yield {
      text: piece.text,
      documents: [...yamlDocuments(piece, source, { tokens: 0 }, true)].map(
        ({ contents }) => new DocumentText(piece.text, contents, json),
      ),
    };
}
