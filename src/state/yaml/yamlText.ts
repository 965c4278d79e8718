import { isUtf8 } from 'node:buffer';
import { type Path, stepsOf } from '../../kubernetes/fieldPath.ts';
import { type DocumentSink } from '../documents.ts';
import { InvalidObjectError, StateError } from '../errors.ts';
import { INVALID_UTF8, invalidUtf8Line } from '../json/jsonStream.ts';
import { repeatedNames, repeatedNameText } from '../json/repeatedNames.ts';
import { positionIn, type Position } from '../position.ts';
import type { PositionedDocument } from './positions.ts';
import { parseKubectlLayout } from './kubectlLayout.ts';

const NEWLINE = 0x0a;
const SPACE = 0x20;
const DASH = 0x2d;
const DOT = 0x2e;
const HASH = 0x23;
const RETURN = 0x0d;
const TAB = 0x09;
/** Larger texts are not parsed a second time as a whole. */
const SMALL_ENOUGH_AS_A_WHOLE = 64 * 1024 * 1024;
/** The most names of one document that are reported. */
const MAX_REPORTED = 10;

/**
 * Reads the documents of a YAML text. A List whose entries begin in the same column, as in kubectl's output, is split
 * into entries before parsing: this is faster, and only one entry at a time is a string. If an entry cannot be read
 * by itself (an alias to another entry), the whole document is parsed.
 */
export async function readYaml(bytes: Buffer, name: string, line: number, sink: DocumentSink): Promise<void> {
  if (!isUtf8(bytes)) throw new StateError(`${name}:${line + invalidUtf8Line(bytes)}: ${INVALID_UTF8}`);
  const reader = new YamlReader(bytes, name, sink);
  let start = 0;
  let startLine = line;
  let current = line;
  for (let at = 0; at < bytes.length;) {
    const next = nextLine(bytes, at);
    if (isMarker(bytes, at)) {
      await reader.document(start, at, startLine);
      // text after "--- " belongs to the document; kubectl refuses it, but YAML parsers do not
      const isEnd = bytes[at] === DOT;
      start = isEnd || isBlank(bytes, at + 3, next) ? next : at;
      startLine = start === next ? current + 1 : current;
    }
    current++;
    at = next;
  }
  await reader.document(start, bytes.length, startLine);
}

/** A line "---" or "...", bare or followed by a space and more. */
function isMarker(bytes: Buffer, at: number): boolean {
  const first = bytes[at];
  if (first !== DASH && first !== DOT) return false;
  if (bytes[at + 1] !== first || bytes[at + 2] !== first) return false;
  const after = bytes[at + 3];
  return after === undefined || after === NEWLINE || after === SPACE || after === RETURN || after === TAB;
}

function nextLine(bytes: Buffer, at: number): number {
  const newline = bytes.indexOf(NEWLINE, at);
  return newline === -1 ? bytes.length : newline + 1;
}

/** Whether a range has only white space and comments. */
function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte === HASH) at = nextLine(bytes, at) - 1;
    else if (byte !== SPACE && byte !== NEWLINE && byte !== RETURN && byte !== TAB) return false;
  }
  return true;
}

/** The positions of the entries of a document's `items`. The text before and after them is the header. */
interface Layout {
  itemsKey: number;
  entries: { start: number; line: number }[];
  end: number;
  column: number;
}

class YamlReader {
  readonly #bytes: Buffer;
  readonly #name: string;
  readonly #sink: DocumentSink;

  constructor(bytes: Buffer, name: string, sink: DocumentSink) {
    this.#bytes = bytes;
    this.#name = name;
    this.#sink = sink;
  }

  async document(start: number, end: number, line: number): Promise<void> {
    if (isBlank(this.#bytes, start, end)) return;
    const layout = this.#layout(start, end, line);
    if (layout === undefined) {
      const text = this.#text(start, end);
      const value = await this.#parse(text, line);
      await placing(text, line, () => this.#give(value, line));
      return;
    }
    const header = await this.#parse(
      `${this.#text(start, layout.itemsKey)}items: []\n${this.#text(layout.end, end)}`,
      line,
    );
    // checked first, because an entry split off here may seem to have another error
    if ((header as { kind?: unknown } | null)?.kind === undefined)
      throw new StateError(
        `${this.#name}:${line}: the list that begins here has no kind behind its items; if the file is truncated, write it again`,
      );
    this.#sink.beginItems();
    for (const [index, entry] of layout.entries.entries()) {
      const text = this.#text(entry.start, layout.entries[index + 1]?.start ?? layout.end);
      let value = parseKubectlLayout(text, layout.column + 2, layout.column + 2);
      if (value === undefined) {
        try {
          value = ((await this.#parse(text, entry.line)) as unknown[])[0];
        } catch (error) {
          if (!(error instanceof StateError) || end - start > SMALL_ENOUGH_AS_A_WHOLE) throw error;
          const whole = this.#text(start, end);
          const value = await this.#parse(whole, line, error);
          await placing(whole, line, () => this.#giveFrom(index, value, line));
          return;
        }
      }
      await placing(text, entry.line, () => within([0], () => this.#sink.item(value, entry.line)));
    }
    this.#sink.document(header, line);
  }

  #give(value: unknown, line: number): void {
    const items = itemsOf(value);
    if (items === undefined) {
      this.#sink.document(value, line);
      return;
    }
    this.#sink.beginItems();
    this.#giveFrom(0, value, line);
  }

  #giveFrom(from: number, value: unknown, line: number): void {
    for (const [index, item] of (itemsOf(value) ?? []).entries())
      if (index >= from) within(['items', index], () => this.#sink.item(item, line));
    this.#sink.document({ ...(value as object), items: [] }, line);
  }

  #text(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end);
  }

  /** @param instead the error to throw if the text cannot be read */
  async #parse(text: string, line: number, instead?: StateError): Promise<unknown> {
    const fast = parseKubectlLayout(text);
    if (fast !== undefined) return fast;
    if (/^\s*\{/.test(text)) {
      try {
        const value: unknown = JSON.parse(text);
        for (const { name, offset } of repeatedNames(text, MAX_REPORTED))
          this.#sink.warn(
            positionIn(text, offset, { line, column: 1 }).line,
            `${repeatedNameText(name)}; the last one counts, as for kubectl`,
          );
        return value;
      } catch {
        // it may still be YAML, which has braces too
      }
    }
    const { parseAnyYaml, YamlProblem } = await import('./anyYaml.ts');
    try {
      return parseAnyYaml(text, (at, message) => this.#sink.warn(line + at, message));
    } catch (error) {
      if (instead) throw instead;
      if (error instanceof YamlProblem)
        throw new StateError(
          `${this.#name}:${line + error.line}${error.column ? `:${error.column}` : ''}: ${error.message}`,
        );
      throw error;
    }
  }

  /** Finds the lines where the entries of `items:` begin; undefined for another layout. */
  #layout(start: number, end: number, startLine: number): Layout | undefined {
    const bytes = this.#bytes;
    let itemsKey = -1;
    let column = -1;
    const entries: Layout['entries'] = [];
    let line = startLine;
    for (let at = start; at < end; line++) {
      const next = nextLine(bytes, at);
      if (itemsKey === -1) {
        if (bytes[at] === 0x69 && bytes.toString('latin1', at, next).trimEnd() === 'items:') itemsKey = at;
      } else {
        let content = at;
        while (bytes[content] === SPACE) content++;
        const first = bytes[content];
        const indent = content - at;
        const isContent = first !== NEWLINE && first !== RETURN && first !== HASH && content < end;
        if (isContent) {
          const isEntry = first === DASH && bytes[content + 1] === SPACE && bytes[content + 2] !== SPACE;
          if (column === -1) {
            if (!isEntry) return undefined;
            column = indent;
          }
          if (indent === column && isEntry) entries.push({ start: at, line });
          else if (indent <= column) return { itemsKey, entries, end: at, column };
        }
      }
      at = next;
    }
    return column === -1 ? undefined : { itemsKey, entries, end, column };
  }
}

/** The problem of an object, and the path to the object. */
class Misplaced extends Error {
  readonly error: InvalidObjectError;
  readonly steps: Path;

  constructor(error: InvalidObjectError, steps: Path) {
    super(error.message);
    this.error = error;
    this.steps = steps;
  }
}

function within(steps: Path, give: () => void): void {
  try {
    give();
  } catch (error) {
    throw error instanceof InvalidObjectError ? new Misplaced(error, steps) : error;
  }
}

/** Calls `give`, and adds line and column to its error; the text begins on line `first` of the file. */
async function placing(text: string, first: number, give: () => void): Promise<void> {
  try {
    give();
  } catch (thrown) {
    const { error, steps } =
      thrown instanceof InvalidObjectError ? { error: thrown, steps: [] } : (thrown as Misplaced);
    if (!(error instanceof InvalidObjectError)) throw thrown;
    const { line, column } = await positionOf(text, [...steps, ...stepsOf(error.path)], error);
    throw error.at({ line: first + line - 1, column });
  }
}

/** The place of a field. Throws `instead` if the text cannot be read by itself. */
async function positionOf(text: string, path: Path, instead: Error): Promise<Position> {
  const { readPositioned } = await import('./positions.ts');
  let documents: PositionedDocument[];
  try {
    ({ documents } = readPositioned(text, ''));
  } catch {
    throw instead;
  }
  if (!documents[0]) throw instead;
  return documents[0].at(path);
}

function itemsOf(value: unknown): unknown[] | undefined {
  const items = (value as { items?: unknown } | null)?.items;
  return Array.isArray(items) ? items : undefined;
}
