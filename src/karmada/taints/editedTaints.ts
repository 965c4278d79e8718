import type { Taint } from '../api/meta.ts';
import { getOrAdd } from '../objects/getOrAdd.ts';
import { taintIdentity } from '../objects/sameTaint.ts';

type Named = Pick<Taint, 'key' | 'effect'>;

/** The taints of a cluster while a pass appends some and removes others, indexed by key and effect. */
export class EditedTaints {
  readonly #slots: (Taint | undefined)[];
  /** the positions of the taints of a key and effect, in order; a cluster may have duplicates */
  readonly #places = new Map<string, number[]>();

  constructor(taints: readonly Taint[]) {
    this.#slots = [...taints];
    for (const [at, taint] of taints.entries()) this.#placesOf(taint).push(at);
  }

  has(taint: Named): boolean {
    return (this.#places.get(taintIdentity(taint))?.length ?? 0) > 0;
  }

  add(taint: Taint): void {
    this.#placesOf(taint).push(this.#slots.push(taint) - 1);
  }

  /** Removes and returns the first taint with this key and effect; undefined if there is none. */
  remove(taint: Named): Taint | undefined {
    const at = this.#places.get(taintIdentity(taint))?.shift();
    if (at === undefined) return undefined;
    const gone = this.#slots[at];
    this.#slots[at] = undefined;
    return gone;
  }

  left(): Taint[] {
    return this.#slots.filter((taint) => taint !== undefined);
  }

  #placesOf(taint: Named): number[] {
    return getOrAdd(this.#places, taintIdentity(taint), () => []);
  }
}
