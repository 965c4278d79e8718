import type { Kind, Kinds } from '../../karmada/controllers/kinds.ts';
import { byAge, compareText } from './indexes.ts';
import type { StartingWorld } from './startingWorld.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';

/** The present objects of all kinds: the changes over the start. */
export interface Overlay {
  get<K extends Kind>(kind: K, key: string): Kinds[K] | undefined;
  set<K extends Kind>(kind: K, key: string, object: Kinds[K] | undefined): void;
  /** all of a kind with their keys, in the order of `View.all` */
  entries<K extends Kind>(kind: K): Iterable<[string, Kinds[K]]>;
  /** the keys of a kind that have been written */
  written(kind: Kind): Iterable<string>;
}

const GONE = Symbol('an object that is gone');

/** An overlay without changes. It costs nothing, whatever the size of the world. */
export function createOverlay(start: StartingWorld): Overlay {
  /** `GONE` stands for a deleted object */
  const written = new Map<Kind, Map<string, unknown>>();
  /** keys of objects created since the start */
  const made = new Map<Kind, Set<string>>();
  /** the ordered keys of kinds with new objects */
  const ordered = new Map<Kind, readonly string[]>();

  function over<K extends Kind>(kind: K): Map<string, Kinds[K] | typeof GONE> {
    return getOrAdd(written, kind, () => new Map<string, unknown>()) as Map<string, Kinds[K] | typeof GONE>;
  }

  function get<K extends Kind>(kind: K, key: string): Kinds[K] | undefined {
    const own = over(kind).get(key);
    if (own === undefined) return start.get(kind, key);
    return own === GONE ? undefined : own;
  }

  function keys(kind: Kind): readonly string[] {
    const added = made.get(kind);
    if (!added) return start.keys(kind);
    const known = ordered.get(kind);
    if (known) return known;
    const before =
      kind === 'Binding' ? (a: string, b: string) => byAge(get(kind, a)!, get(kind, b)!) : compareText;
    const isThere = (key: string) => get(kind, key) !== undefined;
    const keys = merged(
      start.keys(kind).filter((key) => !added.has(key) && isThere(key)),
      [...added].filter(isThere).sort(before),
      before,
    );
    ordered.set(kind, keys);
    return keys;
  }

  return {
    get,
    set(kind, key, object) {
      const isNew = object !== undefined && get(kind, key) === undefined;
      if (isNew) getOrAdd(made, kind, () => new Set<string>()).add(key);
      if (isNew || object === undefined) ordered.delete(kind);
      if (object !== undefined || start.get(kind, key) !== undefined)
        return void over(kind).set(key, object ?? GONE);
      // nothing stays of objects that come and go, even in a run of months
      over(kind).delete(key);
      made.get(kind)?.delete(key);
    },
    *entries(kind) {
      if (!made.has(kind)) {
        const own = over(kind);
        for (const [key, object] of start.entries(kind)) {
          const now = own.get(key) ?? object;
          if (now !== GONE) yield [key, now];
        }
        return;
      }
      for (const key of keys(kind)) {
        const object = get(kind, key);
        if (object !== undefined) yield [key, object];
      }
    },
    written: (kind) => over(kind).keys(),
  };
}

/** Merges two ordered lists. */
function merged(
  some: readonly string[],
  others: readonly string[],
  compare: (a: string, b: string) => number,
): string[] {
  const all: string[] = [];
  let next = 0;
  for (const one of some) {
    while (next < others.length && compare(others[next]!, one) < 0) all.push(others[next++]!);
    all.push(one);
  }
  return [...all, ...others.slice(next)];
}
