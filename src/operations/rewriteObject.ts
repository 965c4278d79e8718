import type { ApiServer } from '../state/live/apiServer.ts';
import type { ApiResource } from '../state/live/resources.ts';
import { CONFLICTS, retries } from './retries.ts';
import type { StoredObject, Unwritten } from './settleWrite.ts';
import { writeObject, type WriteObjectOptions, type WriteOutcome } from './writeObject.ts';

/**
 * The outcome of a change with a new decision after each conflict. `before`: the state of the last decision. contended:
 * other clients wrote the object first each time, or it was stopped in between.
 */
type RewriteOutcome<T> =
  | { result: 'written' | 'unchanged'; before: T; object: T }
  | { result: 'contended'; object: T; message: string }
  | { result: 'gone' }
  | Unwritten;

interface RewriteOptions<T> extends WriteObjectOptions<T> {
  /** called with the state that another client wrote */
  onConflict?: ((newest: T) => void) | undefined;
}

/**
 * Changes one object despite concurrent writers: after a conflict it decides again on the newest state, with the
 * pauses and the limit of `retries`. If `change` returns its argument, nothing is written.
 *
 * Rejects as `writeObject` does.
 */
export async function rewriteObject<T extends StoredObject>(
  server: ApiServer,
  resource: ApiResource,
  first: T,
  change: (object: T) => T,
  options: RewriteOptions<T>,
): Promise<RewriteOutcome<T>> {
  const again = retries(options);
  const holds = options.holds ?? ((object: T) => change(object) === object);
  for (let before = first; ;) {
    const after = change(before);
    const outcome: WriteOutcome<T> =
      after === before
        ? { result: 'unchanged', object: before }
        : await writeObject(server, resource, before, after, { ...options, holds });
    if (outcome.result === 'written' || outcome.result === 'unchanged')
      return { result: outcome.result, before, object: outcome.object };
    if (!('object' in outcome)) return outcome;
    options.onConflict?.(outcome.object);
    if (!(await again())) return { result: 'contended', object: outcome.object, message: CONFLICTS };
    before = outcome.object;
  }
}
