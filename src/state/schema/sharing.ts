import { instant } from '../../kubernetes/time.ts';

/** Distinct texts that one load remembers; beyond that, more repetition is not looked for. */
const MOST_TEXTS = 200_000;
const MOST_CHARACTERS = 32 * 1024 * 1024;
/** After so many values a field that hardly repeats is left alone. */
const TRIAL = 4096;

/**
 * What the objects of one load have in common: equal texts become one string, equal parts of objects
 * (placements of one policy, say) one object. It saves most of the memory of a large state, and what is one
 * object needs to be looked at only once, here and in the scheduler.
 */
export class Sharing {
  /** epoch milliseconds of the newest time met that is past; -Infinity before the first */
  newest = -Infinity;
  /** and of the newest that is not: no clock of anybody's should show it yet */
  newestToCome = -Infinity;
  readonly #present: number;
  readonly #texts = new Map<string, string>();
  readonly #values = new Map<string, SharedValues>();
  readonly #instants = new Map<string, number>();
  #characters = 0;

  /** @param present the instant of reading, epoch milliseconds */
  constructor(present = Infinity) {
    this.#present = present;
  }

  text(text: string): string {
    // JSON.parse makes one string of equal short ones by itself
    if (text.length <= 10) return text;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size < MOST_TEXTS && this.#characters < MOST_CHARACTERS) {
      this.#texts.set(text, text);
      this.#characters += text.length;
    }
    return text;
  }

  /** The values of one field that were met so far. */
  valuesOf(field: string): SharedValues {
    let values = this.#values.get(field);
    if (values === undefined) this.#values.set(field, (values = new SharedValues()));
    return values;
  }

  /** Epoch milliseconds, remembered as the newest if they are; NaN for what is no time. */
  time(text: string): number {
    let time = this.#instants.get(text);
    if (time === undefined) {
      time = instant(text);
      if (this.#instants.size < MOST_TEXTS) this.#instants.set(text, time);
    }
    if (time > this.newest)
      if (time <= this.#present) this.newest = time;
      else if (time > this.newestToCome) this.newestToCome = time;
    return time;
  }
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
    if (this.#characters > MOST_CHARACTERS) return;
    this.#characters += text.length;
    this.#values.set(text, value);
  }
}
