import type { Work } from '../../karmada/api/work.ts';
import type { Copy, Kind, Kinds } from '../../karmada/controllers/kinds.ts';
import { compareText, once } from './indexes.ts';
import type { StartingWorks } from './startingWorks.ts';

/** The objects of a start by kind and key. */
export interface StartingObjects {
  get<K extends Kind>(kind: K, key: string): Kinds[K] | undefined;
  /** all keys of a kind: bindings by age, others sorted */
  keys(kind: Kind): readonly string[];
  /** all of a kind with their keys, in the same order */
  entries<K extends Kind>(kind: K): Iterable<readonly [string, Kinds[K]]>;
}

type Given = Exclude<Kind, 'Work' | 'Copy'>;

/**
 * @param given the objects at the beginning, in order
 * @param copies the saved copies by key; or a function that derives a copy from a Work at the first look
 */
export function startingObjects(
  given: { [K in Given]: ReadonlyMap<string, Kinds[K]> },
  works: StartingWorks,
  copies: Readonly<Record<string, Copy>> | ((key: string, work: Work) => Copy | undefined),
): StartingObjects {
  const made = new Map<string, Copy | undefined>();

  function copy(key: string): Copy | undefined {
    if (typeof copies !== 'function') return copies[key];
    const known = made.get(key);
    if (known !== undefined || made.has(key)) return known;
    const work = works.work(key);
    const one = work && copies(key, work);
    made.set(key, one);
    return one;
  }

  function get(kind: Kind, key: string): Kinds[Kind] | undefined {
    if (kind === 'Work') return works.work(key);
    return kind === 'Copy' ? copy(key) : given[kind].get(key);
  }

  const workKeys = once(() => works.workKeys().sort(compareText));
  const keysOf = new Map<Kind, readonly string[]>();

  function keys(kind: Kind): readonly string[] {
    if (kind === 'Work' || (kind === 'Copy' && typeof copies === 'function')) return workKeys();
    let own = keysOf.get(kind);
    if (!own) {
      own = kind === 'Copy' ? Object.keys(copies).sort(compareText) : [...given[kind].keys()];
      keysOf.set(kind, own);
    }
    return own;
  }

  function entries(kind: Kind): Iterable<readonly [string, Kinds[Kind]]> {
    if (kind !== 'Work' && kind !== 'Copy') return given[kind];
    return keys(kind).flatMap((key) => {
      const object = get(kind, key);
      return object === undefined ? [] : [[key, object] as const];
    });
  }

  return { get, keys, entries } as StartingObjects;
}
