import type { Kind, Kinds } from '../../../src/engine/controllers/kinds.ts';
import type { Change, Write, WriteOf } from '../../../src/engine/controllers/write.ts';
import { applied } from '../../../src/engine/store/applied.ts';
import type { Store } from '../../../src/engine/store/store.ts';

/**
 * Takes a write that was decided on an earlier version than the one that is there by now: a locked one is a conflict, others
 * are merged. Says why it refuses, or what has changed.
 */
export function takeWrite(store: Store, write: Write, now: number): Change | string | undefined {
  return take(store, write as WriteOf<Kind>, now);
}

function take<K extends Kind>(store: Store, write: WriteOf<K>, now: number): Change | string | undefined {
  const current = store.get(write.kind, write.key);
  const result =
    write.verb === 'update' && current !== write.base && current !== undefined
      ? late(store, { ...write, base: write.base }, current, now)
      : store.write(write as Write, now);
  if (typeof result === 'object' && 'refused' in result) return result.refused;
  return result;
}

function late<K extends Kind>(
  store: Store,
  write: Extract<WriteOf<K>, { verb: 'update' }>,
  current: Kinds[K],
  now: number,
): ReturnType<Store['write']> {
  const merged = applied(current, write as WriteOf<K>, false, now);
  if ('refused' in merged) return merged;
  const { kind, key, part } = write;
  return store.write(
    { verb: 'update', kind, key, part, lock: false, base: current, object: merged.object } as Write,
    now,
  );
}
