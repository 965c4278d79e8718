import type { Path } from '../../kubernetes/fieldPath.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { kubectlScalar } from './kubectlScalar.ts';
import { matchOf } from '../../kubernetes/matched.ts';

/** Control characters, tabs, carriage returns and the line breaks known only to YAML. */
// eslint-disable-next-line no-control-regex
const UNUSUAL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;
const MAX_LEVELS = 100;

const NEWLINE = 10;
const SPACE = 32;
const QUOTE = 34;
const HASH = 35;
const APOSTROPHE = 39;
const DASH = 45;
const COLON = 58;
const BRACKET = 91;
const BRACE = 123;
const QUESTION = 63;

/** A plain scalar cannot begin with one of these: , [ ] { } # & * ! | > ' " % @ ` */
const INDICATORS = new Set(Array.from(',[]{}#&*!|>\'"%@`', (char) => char.charCodeAt(0)));

/** A word in a flow collection that every parser reads the same way: no spaces or special characters. */
const FLOW_WORD = /[A-Za-z0-9_/][A-Za-z0-9_./-]*/y;

class NotThisLayout extends Error {}
const notThisLayout = new NotThisLayout('not the layout of kubectl');

/**
 * The value of a YAML block in the layout that kubectl prints, and most people write: block mappings and sequences,
 * plain, quoted and literal scalars, comments, and one-line collections of plain words (`[a, b]`, `{name: web}`).
 * Undefined if the text uses other YAML (anchors, tags, other flow collections) or is invalid: then a full YAML parser
 * must read it. This one is several times faster, and most states use only this layout.
 *
 * `start` is the offset of the value and `column` its column, so that an entry can be read after its "- ".
 */
export function parseKubectlLayout(text: string, start = 0, column = 0): unknown {
  if (UNUSUAL.test(text)) return undefined;
  try {
    return new LayoutParser(text, start, column).document();
  } catch (error) {
    if (error instanceof NotThisLayout) return undefined;
    throw error;
  }
}

/**
 * The offsets of fields in a text of this layout: of names or list entries; for a missing field, of the nearest one
 * that would contain it, or the beginning. Computed on demand, because few texts have findings.
 */
export function placesInKubectlLayout(text: string): (path: Path) => number {
  // the first line that is neither blank nor a comment
  const start = matchOf(/^(?: *(?:#.*)?\n)* */, text)[0].length;
  const offsets = new Map<unknown, Map<string, number>>();
  const note: NotePlace = (container, step, offset) =>
    getOrAdd(offsets, container, () => new Map<string, number>()).set(`${step}`, offset);
  let root: unknown;
  return (path) => {
    let offset = start;
    if (path.length === 0) return offset;
    let value = (root ??= new LayoutParser(text, 0, 0, note).document());
    for (const step of path) {
      const next = offsets.get(value)?.get(`${step}`);
      if (next === undefined) break;
      offset = next;
      value = (value as Record<string | number, unknown>)[step];
    }
    return offset;
  };
}

/** Receives the place of each member of a mapping or sequence. */
type NotePlace = (container: object, step: string | number, offset: number) => void;

class LayoutParser {
  readonly #text: string;
  readonly #note: NotePlace | undefined;
  /** where the content of the current line begins; at the end, the length of the text */
  #at: number;
  /** column of #at; -1 at the end of the text */
  #column: number;
  #level = 0;

  constructor(text: string, start: number, column: number, note?: NotePlace) {
    this.#text = text;
    this.#note = note;
    this.#at = start;
    this.#column = column;
  }

  document(): unknown {
    if (this.#at === 0) this.#nextLine(0);
    if (this.#column < 0 || this.#isMarker()) throw notThisLayout;
    const value = this.#block(this.#column);
    if (this.#column >= 0) throw notThisLayout;
    return value;
  }

  /** "---" or "..." at the start of the line, followed by more */
  #isMarker(): boolean {
    const text = this.#text;
    return (
      this.#column === 0 &&
      (text.startsWith('---', this.#at) || text.startsWith('...', this.#at)) &&
      this.#isBreak(this.#at + 3)
    );
  }

  /** Moves to the first line with content that begins at or after `at`. */
  #nextLine(at: number): void {
    const text = this.#text;
    const length = text.length;
    for (;;) {
      let content = at;
      while (text.charCodeAt(content) === SPACE) content++;
      if (content >= length) {
        this.#at = length;
        this.#column = -1;
        return;
      }
      const char = text.charCodeAt(content);
      if (char !== NEWLINE && char !== HASH) {
        this.#at = content;
        this.#column = content - at;
        return;
      }
      const end = text.indexOf('\n', content);
      at = end === -1 ? length : end + 1;
    }
  }

  #endOfLine(at: number): number {
    const end = this.#text.indexOf('\n', at);
    return end === -1 ? this.#text.length : end;
  }

  /** Reads the mapping or sequence whose first line begins here, in this column. */
  #block(column: number): unknown {
    if (++this.#level > MAX_LEVELS) throw notThisLayout;
    const value = this.#isEntry() ? this.#sequence(column) : this.#mapping(column);
    this.#level--;
    return value;
  }

  /** Whether "- " or a bare "-" is here. */
  #isEntry(): boolean {
    if (this.#text.charCodeAt(this.#at) !== DASH) return false;
    const next = this.#text.charCodeAt(this.#at + 1);
    return next === SPACE || next === NEWLINE || this.#at + 1 === this.#text.length;
  }

  #sequence(column: number): unknown[] {
    const text = this.#text;
    const values: unknown[] = [];
    while (this.#column === column && this.#isEntry()) {
      let at = this.#at + 1;
      while (text.charCodeAt(at) === SPACE) at++;
      if (this.#isRest(at)) {
        this.#nextLine(this.#endOfLine(at));
        this.#note?.(values, values.length, this.#column > column ? this.#at : at);
        values.push(this.#column > column ? this.#block(this.#column) : null);
        continue;
      }
      const entryColumn = column + at - this.#at;
      this.#at = at;
      this.#column = entryColumn;
      this.#note?.(values, values.length, at);
      if (this.#isEntry() || this.#keyEnd() !== -1) values.push(this.#block(entryColumn));
      else values.push(this.#scalar(column));
    }
    if (this.#column > column) throw notThisLayout;
    return values;
  }

  #mapping(column: number): Record<string, unknown> {
    const text = this.#text;
    const values: Record<string, unknown> = {};
    while (this.#column === column) {
      const keyEnd = this.#keyEnd();
      if (keyEnd === -1) throw notThisLayout;
      const key = this.#key(keyEnd);
      // a repeated name, or one that every JavaScript object has, is rare: leave it to the other parser
      if (values[key] !== undefined || key === '__proto__' || key === '<<') throw notThisLayout;
      this.#note?.(values, key, this.#at);
      let at = keyEnd + 1;
      while (text.charCodeAt(at) === SPACE) at++;
      if (this.#isRest(at)) {
        this.#nextLine(this.#endOfLine(at));
        // kubectl prints the entries of a list in the column of the list's key
        const nested = this.#column > column || (this.#column === column && this.#isEntry());
        values[key] = nested ? this.#block(this.#column) : null;
      } else {
        this.#at = at;
        values[key] = this.#scalar(column);
      }
    }
    if (this.#column > column) throw notThisLayout;
    return values;
  }

  /** The offset of the colon after the key that begins here; -1 if there is no key. */
  #keyEnd(): number {
    const text = this.#text;
    const first = text.charCodeAt(this.#at);
    let at = this.#at;
    if (first === QUOTE || first === APOSTROPHE) {
      at = this.#endOfQuoted(at);
      const end = text.indexOf('\n', this.#at);
      return text.charCodeAt(at) === COLON && (end === -1 || end > at) && this.#isBreak(at + 1) ? at : -1;
    }
    if (!this.#beginsPlain(at)) return -1;
    for (; ; at++) {
      const char = text.charCodeAt(at);
      if (char === COLON && this.#isBreak(at + 1)) return text.charCodeAt(at - 1) === SPACE ? -1 : at;
      // NaN at the end of the text
      if (char === NEWLINE || char !== char) return -1;
      if (char === HASH && text.charCodeAt(at - 1) === SPACE) return -1;
    }
  }

  /** Whether an offset has a space, a line break or the end of the text. */
  #isBreak(at: number): boolean {
    const char = this.#text.charCodeAt(at);
    return char === SPACE || char === NEWLINE || at >= this.#text.length;
  }

  /** Whether only a comment, after a space, remains in the line. */
  #isRest(at: number): boolean {
    const char = this.#text.charCodeAt(at);
    if (char === HASH) return this.#text.charCodeAt(at - 1) === SPACE;
    return char === NEWLINE || at >= this.#text.length;
  }

  #beginsPlain(at: number): boolean {
    const first = this.#text.charCodeAt(at);
    if (first === DASH || first === QUESTION || first === COLON) return !this.#isBreak(at + 1);
    return !INDICATORS.has(first);
  }

  /** Keys in JSON are text: booleans and integers are converted. */
  #key(end: number): string {
    const raw = this.#text.slice(this.#at, end);
    const first = raw.charCodeAt(0);
    if (first === QUOTE) return this.#doubleQuoted(raw);
    if (first === APOSTROPHE) return raw.slice(1, -1).replaceAll("''", "'");
    const value = kubectlScalar(raw);
    if (typeof value === 'string') return value;
    if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
    throw notThisLayout;
  }

  /** Reads the scalar, `{}` or `[]` here, of a key or entry in column `parent`; moves to the next line. */
  #scalar(parent: number): unknown {
    const text = this.#text;
    const at = this.#at;
    const first = text.charCodeAt(at);
    if (first === QUOTE || first === APOSTROPHE) {
      const end = this.#endOfQuoted(at);
      let after = end;
      while (text.charCodeAt(after) === SPACE) after++;
      if (!this.#isRest(after)) throw notThisLayout;
      const raw = text.slice(at, end);
      if (raw.includes('\n') && !isDeeper(raw, parent)) throw notThisLayout;
      this.#nextLine(this.#endOfLine(after));
      return first === QUOTE ? this.#doubleQuoted(raw) : folded(raw.slice(1, -1)).replaceAll("''", "'");
    }
    if (first === BRACE || first === BRACKET) {
      const value = this.#flow();
      let after = this.#at;
      while (text.charCodeAt(after) === SPACE) after++;
      if (!this.#isRest(after)) throw notThisLayout;
      this.#nextLine(this.#endOfLine(after));
      return value;
    }
    const end = this.#endOfLine(at);
    if (first === 0x7c) return this.#literal(parent, at + 1, end);
    if (!this.#beginsPlain(at)) throw notThisLayout;
    const comment = text.slice(at, end).indexOf(' #');
    const line = this.#plainLine(at, comment < 0 ? end : at + comment);
    this.#nextLine(end + 1);
    if (comment >= 0 && this.#column > parent) throw notThisLayout;
    if (this.#column <= parent) {
      const value = kubectlScalar(line);
      // JSON has no .inf and .nan
      if (typeof value === 'number' && !Number.isFinite(value)) throw notThisLayout;
      return value;
    }
    // the text continues on more deeply indented lines
    const lines = [line];
    let last = end;
    while (this.#column > parent) {
      const blank = this.#lineBreaks(last, this.#at) - 1;
      for (let i = 0; i < blank; i++) lines.push('');
      if (this.#hasComment(last, this.#at)) throw notThisLayout;
      last = this.#endOfLine(this.#at);
      lines.push(this.#plainLine(this.#at, last));
      this.#nextLine(last + 1);
    }
    return folded(lines.join('\n'));
  }

  /** Reads the collection of plain words that begins here; moves past it. */
  #flow(): unknown {
    if (++this.#level > MAX_LEVELS) throw notThisLayout;
    const text = this.#text;
    const isList = text.charCodeAt(this.#at) === BRACKET;
    const list: unknown[] = [];
    const members: Record<string, unknown> = {};
    const skip = () => {
      while (text.charCodeAt(this.#at) === SPACE) this.#at++;
    };
    const word = () => {
      FLOW_WORD.lastIndex = this.#at;
      const [found] = FLOW_WORD.exec(text) ?? [];
      if (found === undefined) throw notThisLayout;
      this.#at += found.length;
      return found;
    };
    const value = () => {
      const first = text.charCodeAt(this.#at);
      return first === BRACE || first === BRACKET ? this.#flow() : kubectlScalar(word());
    };
    do {
      this.#at++;
      skip();
      if (text[this.#at] === (isList ? ']' : '}') && list.length + Object.keys(members).length === 0) break;
      if (isList) {
        this.#note?.(list, list.length, this.#at);
        list.push(value());
      } else {
        const start = this.#at;
        const key = kubectlScalar(word());
        if (typeof key !== 'string' || members[key] !== undefined || key === '__proto__') throw notThisLayout;
        if (text.charCodeAt(this.#at) !== COLON || text.charCodeAt(this.#at + 1) !== SPACE)
          throw notThisLayout;
        this.#note?.(members, key, start);
        this.#at++;
        skip();
        members[key] = value();
      }
      skip();
    } while (text[this.#at] === ',');
    if (text[this.#at] !== (isList ? ']' : '}')) throw notThisLayout;
    this.#at++;
    this.#level--;
    return isList ? list : members;
  }

  /** A line of a plain scalar; inside it, ": " or " #" would have another meaning. */
  #plainLine(at: number, end: number): string {
    const line = this.#line(at, end);
    if (line.includes(': ') || line.includes(' #') || line.endsWith(':')) throw notThisLayout;
    return line;
  }

  /** A line without trailing spaces. */
  #line(at: number, end: number): string {
    while (this.#text.charCodeAt(end - 1) === SPACE) end--;
    return this.#text.slice(at, end);
  }

  #lineBreaks(from: number, to: number): number {
    let count = 0;
    for (let at = from; at < to; at++) if (this.#text.charCodeAt(at) === NEWLINE) count++;
    return count;
  }

  #hasComment(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (this.#text.charCodeAt(at) === HASH) return true;
    return false;
  }

  /** The offset after the closing quote. */
  #endOfQuoted(start: number): number {
    const text = this.#text;
    if (text.charCodeAt(start) === APOSTROPHE) {
      for (let at = start + 1; ; at += 2) {
        at = text.indexOf("'", at);
        if (at === -1) throw notThisLayout;
        if (text.charCodeAt(at + 1) !== APOSTROPHE) return at + 1;
      }
    }
    for (let at = start + 1; at < text.length; at++) {
      const char = text.charCodeAt(at);
      if (char === QUOTE) return at + 1;
      if (char === 0x5c) at++;
    }
    throw notThisLayout;
  }

  #doubleQuoted(raw: string): string {
    if (!raw.includes('\\')) return folded(raw.slice(1, -1));
    // escaped backslashes go first; JSON has all escapes of kubectl except the space after a fold
    if (/\\[^ "\\bfnrtu]/.test(raw.replaceAll('\\\\', ''))) throw notThisLayout;
    const json = folded(raw).replace(/\\(.)/g, (escape, char) => (char === ' ' ? ' ' : escape));
    try {
      return JSON.parse(json) as string;
    } catch {
      throw notThisLayout;
    }
  }

  /** A literal block: "|", optionally with an indentation digit and "-" or "+". */
  #literal(parent: number, header: number, end: number): string {
    const text = this.#text;
    const [, digit, chomping] = /^([1-9]?)([-+]?) *$/.exec(text.slice(header, end)) ?? [];
    if (digit === undefined) throw notThisLayout;
    let indent = digit === '' ? -1 : Math.max(parent, 0) + Number(digit);
    const lines: string[] = [];
    let at = end + 1;
    let ended = false;
    while (at < text.length) {
      const lineEnd = this.#endOfLine(at);
      let content = at;
      while (text.charCodeAt(content) === SPACE) content++;
      const blank = content >= lineEnd;
      if (!blank && indent === -1) {
        indent = content - at;
        if (indent <= parent) break;
      }
      if (!blank && content - at < indent) break;
      if (blank && indent === -1 && content > at) throw notThisLayout;
      lines.push(blank && content - at <= indent ? '' : text.slice(at + Math.max(indent, 0), lineEnd));
      ended = lineEnd < text.length;
      at = lineEnd + 1;
    }
    if (!ended && lines.length > 0) throw notThisLayout;
    this.#nextLine(Math.min(at, text.length));
    let last = lines.length;
    while (last > 0 && lines[last - 1] === '') last--;
    const body = lines.slice(0, last).join('\n');
    if (chomping === '-') return body;
    if (chomping === '+') return lines.map((line) => `${line}\n`).join('');
    return last === 0 ? '' : `${body}\n`;
  }
}

/** Whether the later lines of a quoted scalar are indented deeper than its key or entry, as YAML requires. */
function isDeeper(raw: string, parent: number): boolean {
  return raw
    .split('\n')
    .slice(1)
    .every((line) => /^ *$/.test(line) || line.search(/[^ ]/) > parent);
}

/** Folds a scalar: a single line break becomes a space, further ones stay; spaces around them are removed. */
function folded(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n');
  let result = withoutBlanks(lines[0]!, 0);
  let breaks = 0;
  for (let at = 1; at < lines.length; at++) {
    breaks++;
    const line = lines[at]!;
    let start = 0;
    while (line.charCodeAt(start) === SPACE) start++;
    const isLast = at === lines.length - 1;
    if (start === line.length && !isLast) continue;
    result += breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
    result += isLast ? line.slice(start) : withoutBlanks(line, start);
    breaks = 0;
  }
  return result;
}

/** The line from `start` on, without trailing spaces. */
function withoutBlanks(line: string, start: number): string {
  let end = line.length;
  while (end > start && line.charCodeAt(end - 1) === SPACE) end--;
  return line.slice(start, end);
}
