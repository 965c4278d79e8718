import type { Path } from '../../kubernetes/fieldPath.ts';
import { endOfString } from './depth.ts';

const NOTHING = /[ \t\n\r]*/y;
/** Numbers, true, false, null. */
const OTHER = /[^\s,:[\]{}"]+/y;

/** The contents of an object or a list: the offsets of names or entries, and of their values. */
type Held = { names: Map<string, Place> } | { entries: number[] };
interface Place {
  found: number;
  inside: number;
}

/**
 * The places of fields in a valid JSON text. An object or a list is scanned once, when one of its fields is first
 * requested, so that a file with a thousand objects is not rescanned for each.
 */
export class JsonPlaces {
  readonly #text: string;
  readonly #held = new Map<number, Held>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * The offset of a field: of its name, or of the list entry. If it is missing, of the nearest field that would contain
   * it. If a name occurs twice, the last one applies.
   */
  offsetOf(path: Path): number {
    this.#at = 0;
    this.#space();
    let place: Place = { found: this.#at, inside: this.#at };
    for (const step of path) {
      const next = this.#placeIn(place.inside, step);
      if (!next) break;
      place = next;
    }
    return place.found;
  }

  #placeIn(opening: number, step: string | number): Place | undefined {
    const held = this.#heldBy(opening);
    if (!held) return undefined;
    if ('names' in held) return held.names.get(String(step));
    const entry = typeof step === 'number' ? held.entries[step] : undefined;
    return entry === undefined ? undefined : { found: entry, inside: entry };
  }

  /** The contents of the object or list whose bracket is at an offset; undefined for another value. */
  #heldBy(opening: number): Held | undefined {
    const bracket = this.#text[opening];
    if (bracket !== '{' && bracket !== '[') return undefined;
    let held = this.#held.get(opening);
    if (!held) {
      held = bracket === '{' ? { names: new Map() } : { entries: [] };
      this.#look(opening, held);
      this.#held.set(opening, held);
    }
    return held;
  }

  #look(opening: number, held: Held): void {
    const text = this.#text;
    this.#at = opening + 1;
    for (;;) {
      this.#space();
      const start = this.#at;
      if (text[start] === '}' || text[start] === ']' || start >= text.length) return;
      if ('names' in held) {
        this.#at = endOfString(text, start);
        const name = JSON.parse(text.slice(start, this.#at)) as string;
        this.#space();
        this.#at++;
        this.#space();
        held.names.set(name, { found: start, inside: this.#at });
      } else held.entries.push(start);
      this.#value();
      this.#space();
      if (text[this.#at] === ',') this.#at++;
    }
  }

  /** Skips a value with all its contents. */
  #value(): void {
    const text = this.#text;
    for (let depth = 0; this.#at < text.length;) {
      this.#space();
      const char = text[this.#at];
      if (char === '{' || char === '[') depth++;
      if (char === '}' || char === ']') depth--;
      if (char === '"') this.#at = endOfString(text, this.#at);
      else if (char === undefined || '{}[],:'.includes(char)) this.#at++;
      else this.#pass(OTHER);
      if (depth <= 0) return;
    }
  }

  #space(): void {
    this.#pass(NOTHING);
  }

  #pass(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    pattern.test(this.#text);
    this.#at = Math.max(this.#at, pattern.lastIndex);
  }
}

/** The offset of one field of a valid JSON text. */
export function jsonOffset(text: string, path: Path): number {
  return new JsonPlaces(text).offsetOf(path);
}
