import { namesBinding, parseTarget, selectBindings } from '../karmada/selection/selectBindings.ts';
import type { ResourceBinding } from '../karmada/api/work.ts';
import type { WatchOptions } from '../operations/watchMirrors.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import type { Ports } from './ports.ts';
import type { Selection } from './selection/selection.ts';

/** Receives the current state, then the changes; never called again before it has finished. */
export type OnChanges<Change> = (changes: Change[], now: number) => Promise<void>;

/** Returns a test for whether a binding was requested; it ignores labels. */
export function bindingFilter(
  targets: readonly string[],
  { namespace, fields }: Selection,
): (binding: ResourceBinding) => boolean {
  if (targets.length > 0) {
    const named = targets.flatMap((target) => {
      const query = parseTarget(target);
      return query ? [namesBinding({ ...(namespace === undefined ? {} : { namespace }), ...query })] : [];
    });
    return (binding) => named.some((names) => names(binding));
  }
  if (fields === undefined) return () => true;
  return (binding) => selectBindings({ bindings: [binding], others: [] }, { fields }).length > 0;
}

/** The inputs of a watch, and `enqueue`, which runs callbacks one after the other. */
export type WatchRequest = Omit<WatchOptions, 'pause'> & { enqueue(one: () => Promise<void>): void };

/** Called with the start of the server's silence (epoch milliseconds, server clock), undefined once it responds. */
type OnSilence = (since: number | undefined) => void;

/**
 * Runs a watch of a server until the signal aborts, the process ends or a callback fails. Warns when the server stops
 * responding and when it responds again, unless `silence` is given.
 */
export async function runWatch(
  server: ApiServer,
  watch: (request: WatchRequest) => Promise<void>,
  { warn, note }: Ports,
  { signal, silence }: { signal?: AbortSignal | undefined; silence?: OnSilence | undefined } = {},
): Promise<void> {
  const stop = new AbortController();
  let calls = Promise.resolve();
  let failure: unknown;
  await watch({
    now: () => server.now(),
    signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
    enqueue(one) {
      calls = calls.then(one).catch((error: unknown) => {
        failure ??= error;
        stop.abort();
      });
    },
    onSilence: (silent, why = `${server.url} does not answer`, since) =>
      silence
        ? silence(silent ? since : undefined)
        : silent
          ? warn(`${why}; the output may be stale`)
          : note(`${server.url} answers again.`),
    onWarning: warn,
  });
  await calls;
  if (failure !== undefined) throw failure;
}
