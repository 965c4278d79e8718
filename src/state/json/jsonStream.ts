import { isUtf8 } from 'node:buffer';
import { DEEPEST_OBJECT, LARGEST_OBJECT } from '../documents.ts';
import type { DocumentSink, PlaceOfField } from '../documents.ts';
import { StateError } from '../errors.ts';
import { placeOf, positionIn, type Position } from '../position.ts';
import { jsonOffset } from './jsonPlaces.ts';
import { jsonProblem } from './jsonProblem.ts';
import { namesIn, repeatedNames, repeatedNameText } from './repeatedNames.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const COMMA = 0x2c;
const DASH = 0x2d;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const END = -1;

/** The most names of one object that are reported. */
const MAX_REPORTED = 10;

/** A part of the document without its items, and where it begins. */
interface Piece extends Position {
  bytes: Buffer;
  /** the number of colons outside strings: one after each name */
  colons: number;
}

/**
 * Cuts consecutive JSON documents into pieces for JSON.parse while the bytes arrive: the entries of a top-level
 * `items` (or of a top-level array) one by one, everything else whole. It keeps only the current piece, so a list may
 * exceed memory or the longest string.
 */
export class JsonStream {
  readonly #name: string;
  readonly #sink: DocumentSink;
  readonly #scan: Generator<void, void>;
  #ended = false;
  #other: Buffer | undefined;

  /** the window: the bytes kept so far, from #start on; #at is the next one to process */
  #bytes: Buffer = Buffer.alloc(0);
  /** free bytes after the window */
  #room = 0;
  #start = 0;
  #at = 0;
  #line: number;
  /** where the current line begins, relative to the same base as #at; negative if no longer kept */
  #lineStart = 0;

  // state of the current value, which may continue in the next chunk
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** outside strings, in all values so far and after the names of the document */
  #colons = 0;

  constructor(name: string, line: number, sink: DocumentSink) {
    this.#name = name;
    this.#line = line;
    this.#sink = sink;
    this.#scan = this.#documents();
  }

  get #position(): Position {
    return { line: this.#line, column: this.#at - this.#lineStart + 1 };
  }

  /** number of the current line */
  get line(): number {
    return this.#line;
  }

  /**
   * Processes the next bytes, and keeps them. If a line "---" follows a JSON document, another format may begin
   * there: returns the rest from that line on.
   */
  write(chunk: Buffer): Buffer | undefined {
    this.#take(chunk);
    this.#scan.next();
    if (this.#bytes.length - this.#start > LARGEST_OBJECT)
      throw this.#error(
        this.#line,
        'an object of more than 64 MiB, which no API server stores; check the file',
      );
    return this.#other;
  }

  /** Appends bytes to the window. Doubles its capacity, so that each byte is moved only a few times. */
  #take(chunk: Buffer): void {
    const bytes = this.#bytes;
    const kept = bytes.length - this.#start;
    if (kept === 0) {
      this.#bytes = chunk;
      this.#room = 0;
    } else if (chunk.length <= this.#room) {
      const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length + chunk.length);
      chunk.copy(whole, bytes.length);
      this.#bytes = whole.subarray(this.#start);
      this.#room -= chunk.length;
    } else {
      const length = kept + chunk.length;
      const whole = Buffer.allocUnsafeSlow(2 * length);
      bytes.copy(whole, 0, this.#start);
      chunk.copy(whole, kept);
      this.#bytes = whole.subarray(0, length);
      this.#room = length;
    }
    this.#at -= this.#start;
    this.#lineStart -= this.#start;
    this.#start = 0;
  }

  /** No more bytes follow. */
  end(): void {
    this.#ended = true;
    this.#scan.next();
  }

  *#documents(): Generator<void, void> {
    for (;;) {
      const next = yield* this.#next();
      this.#start = this.#at;
      if (next === END) return;
      if (next === OPEN_BRACE) yield* this.#object();
      else if (next === OPEN_BRACKET) {
        const line = this.#line;
        yield* this.#items();
        this.#sink.document([], line);
      } else if (next === DASH) {
        while (this.#bytes.length - this.#at < 3 && !this.#ended) yield;
        if (this.#bytes.toString('latin1', this.#at, this.#at + 3) !== '---')
          throw this.#expected('a JSON document');
        this.#other = this.#bytes.subarray(this.#at);
        return;
      } else throw this.#expected('a JSON document');
    }
  }

  *#object(): Generator<void, void> {
    const first = this.#position;
    const pieces: Piece[] = [];
    let begin = first;
    this.#colons = 0;
    this.#at++;
    for (let isFirst = true; ; isFirst = false) {
      let next = yield* this.#next();
      if (next === CLOSE_BRACE) break;
      if (!isFirst) {
        if (next !== COMMA) throw this.#expected('"," or "}"');
        this.#at++;
        next = yield* this.#next();
      }
      if (next !== QUOTE) throw this.#expected('a name in double quotes');
      const key = this.#at - this.#start;
      yield* this.#value();
      const isItems = this.#bytes.toString('latin1', this.#start + key, this.#at) === '"items"';
      if ((yield* this.#next()) !== COLON) throw this.#expected('":"');
      this.#at++;
      this.#colons++;
      if ((yield* this.#next()) === OPEN_BRACKET && isItems) {
        if (pieces.length > 0)
          throw this.#error(this.#line, `${repeatedNameText('items')}; keep one of them`);
        pieces.push({ ...this.#piece(this.#at + 1), ...begin });
        yield* this.#items();
        // the next piece begins with the bracket that closes the items
        this.#start = this.#at - 1;
        const { line, column } = this.#position;
        begin = { line, column: column - 1 };
      } else yield* this.#value();
    }
    this.#at++;
    pieces.push({ ...this.#piece(), ...begin });
    this.#start = this.#at;
    this.#sink.document(this.#parse(pieces), first.line, placeIn(pieces));
  }

  /** The bytes since the last piece. */
  #piece(end = this.#at): Omit<Piece, keyof Position> {
    const colons = this.#colons;
    this.#colons = 0;
    return { bytes: this.#bytes.subarray(this.#start, end), colons };
  }

  /** Passes over a list, from "[" to after "]". */
  *#items(): Generator<void, void> {
    this.#at++;
    this.#sink.beginItems();
    for (let first = true; ; first = false) {
      this.#start = this.#at;
      let next = yield* this.#next();
      if (next === CLOSE_BRACKET) break;
      if (!first) {
        if (next !== COMMA) throw this.#expected('"," or "]"');
        this.#at++;
        next = yield* this.#next();
      }
      if (next === END) throw this.#truncated();
      this.#start = this.#at;
      const begin = this.#position;
      yield* this.#value(begin.line);
      const pieces = [{ ...this.#piece(), ...begin }];
      this.#sink.item(this.#parse(pieces), begin.line, placeIn(pieces));
    }
    this.#at++;
  }

  /** Finds the next byte that is not white space, without consuming it. */
  *#next(): Generator<void, number> {
    for (;;) {
      const bytes = this.#bytes;
      let at = this.#at;
      for (; at < bytes.length; at++) {
        const byte = bytes[at]!;
        if (byte === NEWLINE) {
          this.#line++;
          this.#lineStart = at + 1;
        } else if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) {
          this.#at = at;
          return byte;
        }
      }
      this.#at = at;
      if (this.#ended) return END;
      yield;
    }
  }

  /** Passes over a value; JSON.parse checks it later. */
  *#value(line = this.#line): Generator<void, void> {
    const first = this.#bytes[this.#at];
    if (first === undefined) throw this.#truncated();
    if (first === OPEN_BRACE || first === OPEN_BRACKET || first === QUOTE) {
      this.#depth = 0;
      while (!this.#passNested()) {
        if (this.#ended) throw this.#truncated(line);
        yield;
      }
      return;
    }
    const from = this.#at - this.#start;
    for (;;) {
      for (; this.#at < this.#bytes.length; this.#at++) {
        const byte = this.#bytes[this.#at]!;
        if (byte <= 0x20 || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
          if (this.#at - this.#start === from) throw this.#expected('a value');
          return;
        }
      }
      if (this.#ended) return;
      yield;
    }
  }

  /** Passes over the rest of a string, object or array; false if its end has not arrived yet. */
  #passNested(): boolean {
    const bytes = this.#bytes;
    const length = bytes.length;
    let at = this.#at;
    let depth = this.#depth;
    let inString = this.#inString;
    let line = this.#line;
    let lineStart = this.#lineStart;
    let colons = this.#colons;
    if (this.#escaped && at < length) {
      at++;
      this.#escaped = false;
    }
    while (at < length) {
      let byte: number;
      if (inString) {
        while (at < length && (byte = bytes[at]!) !== QUOTE && byte !== BACKSLASH) at++;
        if (at >= length) break;
        if (bytes[at]! === BACKSLASH) {
          at += 2;
          if (at > length) {
            at = length;
            this.#escaped = true;
          }
          continue;
        }
        inString = false;
        at++;
        if (depth === 0) break;
        continue;
      }
      byte = bytes[at++]!;
      // most of kubectl's output is indentation
      if (byte <= 0x20) {
        if (byte === NEWLINE) {
          line++;
          lineStart = at;
          while (bytes[at] === SPACE) at++;
        }
      } else if (byte === QUOTE) inString = true;
      else if (byte === COLON) colons++;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (++depth > DEEPEST_OBJECT)
          throw this.#error(line, `is nested more than ${DEEPEST_OBJECT} levels deep; check the file`);
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (--depth === 0) break;
      }
    }
    const done = depth === 0 && !inString && !this.#escaped && at > this.#at;
    this.#at = at;
    this.#depth = depth;
    this.#inString = inString;
    this.#line = line;
    this.#lineStart = lineStart;
    this.#colons = colons;
    return done;
  }

  #parse(pieces: Piece[]): unknown {
    let text = '';
    let colons = 0;
    for (const { bytes, line, colons: ofPiece } of pieces) {
      if (!isUtf8(bytes)) throw this.#error(line + invalidUtf8Line(bytes), INVALID_UTF8);
      text += bytes.toString('utf8');
      colons += ofPiece;
    }
    try {
      const value: unknown = JSON.parse(text);
      if (namesIn(value) !== colons) this.#reportRepeated(pieces, text);
      return value;
    } catch (error) {
      if (error instanceof StateError) throw error;
      const { offset, problem } = jsonProblem(text) ?? { offset: 0, problem: 'not understood' };
      const { line, column } = positionWithin(pieces, text, offset);
      throw new StateError(
        `${placeOf(this.#name, { line, column })}: not valid JSON: ${problem}${near(text, offset)}`,
      );
    }
  }

  #reportRepeated(pieces: Piece[], text: string): void {
    for (const { name, offset } of repeatedNames(text, MAX_REPORTED)) {
      const { line } = positionWithin(pieces, text, offset);
      this.#sink.warn(line, `${repeatedNameText(name)}; the last one counts, as for kubectl`);
    }
  }

  #expected(what: string): StateError {
    if (this.#at >= this.#bytes.length) return this.#truncated();
    const shown = this.#bytes.toString('utf8', this.#at, this.#at + 20).replace(/\ufffd$/, '');
    return new StateError(
      `${placeOf(this.#name, this.#position)}: not valid JSON: ${what} is expected at "${shown}"`,
    );
  }

  #truncated(line?: number): StateError {
    return this.#error(
      this.#line,
      `the JSON ends ${line === undefined ? 'too early' : `in the middle of the object that begins on line ${line}`}; the file is truncated; write it again`,
    );
  }

  #error(line: number, message: string): StateError {
    return new StateError(`${this.#name}:${line}: ${message}`);
  }
}

/** The place in the file for an offset in the text of the pieces. */
function positionWithin(pieces: readonly Piece[], text: string, offset: number): Position {
  let before = 0;
  let index = 0;
  while (index < pieces.length - 1) {
    const { length } = pieces[index]!.bytes.toString('utf8');
    if (before + length > offset) break;
    before += length;
    index++;
  }
  return positionIn(text.slice(before), offset - before, pieces[index]);
}

function placeIn(pieces: readonly Piece[]): PlaceOfField {
  return (path) => {
    const text = pieces.map(({ bytes }) => bytes.toString('utf8')).join('');
    return positionWithin(pieces, text, jsonOffset(text, path));
  };
}

export const INVALID_UTF8 = 'not valid UTF-8; write the file again as UTF-8';

function near(text: string, offset: number): string {
  const shown = text.slice(offset, offset + 20);
  return shown === '' ? '' : ` at "${shown}"`;
}

/** The line of the first invalid byte, relative to the start. */
export function invalidUtf8Line(bytes: Buffer): number {
  let line = 0;
  let start = 0;
  for (;;) {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline === -1 || !isUtf8(bytes.subarray(start, newline))) return line;
    start = newline + 1;
    line++;
  }
}
