import { instant } from '../../kubernetes/time.ts';

/** The most texts that one load caches; beyond that, it stops looking for duplicates. */
const MAX_TEXTS = 200_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** After this many values, a field with few duplicates is no longer shared. */
const TRIAL = 4096;

/**
 * Shares duplicates among the objects of one load: equal texts become one string, equal parts of objects (such as the
 * placements of one policy) one object. This saves most of the memory of a large state, and a shared part is checked
 * only once, here and in the scheduler.
 */
export class Sharing {
  /** the newest past time so far, in epoch milliseconds; -Infinity before the first */
  newest = -Infinity;
  /** the newest future time, which no clock should show yet */
  newestToCome = -Infinity;
  readonly #present: number;
  readonly #texts = new Map<string, string>();
  readonly #values = new Map<string, SharedValues>();
  readonly #instants = new Map<string, number>();
  readonly #last: string[] = [];
  #characters = 0;

  /** @param present the time of reading, epoch milliseconds */
  constructor(present = Infinity) {
    this.#present = present;
  }

  /** The shared text of a field; the field's last text is likely to repeat. */
  textOf(field: number, text: string): string {
    const last = this.#last[field];
    return last === text ? last : (this.#last[field] = this.text(text));
  }

  text(text: string): string {
    if (isShort(text)) return text;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size < MAX_TEXTS && this.#characters < MAX_CHARACTERS) {
      this.#texts.set(text, text);
      this.#characters += text.length;
    }
    return text;
  }

  /** The values of one field so far. */
  valuesOf(field: string): SharedValues {
    let values = this.#values.get(field);
    if (values === undefined) this.#values.set(field, (values = new SharedValues()));
    return values;
  }

  /** The time in epoch milliseconds, NaN if it is invalid; remembers the newest. */
  time(text: string): number {
    let time = this.#instants.get(text);
    if (time === undefined) {
      time = instant(text);
      if (this.#instants.size < MAX_TEXTS) this.#instants.set(text, time);
    }
    if (time > this.newest)
      if (time <= this.#present) this.newest = time;
      else if (time > this.newestToCome) this.newestToCome = time;
    return time;
  }
}

/** JSON.parse already shares equal short strings. */
export function isShort(text: string): boolean {
  return text.length <= 10;
}

/** Equal values of one field, by their JSON text. */
class SharedValues {
  readonly #values = new Map<string, unknown>();
  #characters = 0;
  #asked = 0;

  get worthwhile(): boolean {
    return this.#asked < TRIAL || this.#values.size < this.#asked / 2;
  }

  get(text: string): unknown {
    this.#asked++;
    return this.#values.get(text);
  }

  add(text: string, value: unknown): void {
    if (this.#characters > MAX_CHARACTERS) return;
    this.#characters += text.length;
    this.#values.set(text, value);
  }
}
