import { namesBinding, parseTarget, selectBindings } from '../karmada/selection/selectBindings.ts';
import type { ResourceBinding } from '../karmada/api/work.ts';
import type { WatchOptions } from '../operations/watchMirrors.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import type { Ports } from './ports.ts';
import type { Selection } from './selection/selection.ts';

/** Receives the present state, then the changes; never called again before it has finished. */
export type Tell<Change> = (changes: Change[], now: number) => Promise<void>;

/** A test whether a binding is one of those asked for; it does not look at labels. */
export function concerned(
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

/** What a watch needs, and `tell`, which calls back one after the other. */
export type Telling = Omit<WatchOptions, 'pause'> & { tell(one: () => Promise<void>): void };

/** Is told since when the server has not been heard (epoch milliseconds of its clock), undefined once it is again. */
type SilenceTeller = (since: number | undefined) => void;

/**
 * Runs a watch of a server until the signal aborts, the process ends or a callback fails. Warns if the server stops
 * answering, and says when it answers again, unless `silence` is told.
 */
export async function tellWhile(
  server: ApiServer,
  watch: (telling: Telling) => Promise<void>,
  { warn, note }: Ports,
  { signal, silence }: { signal?: AbortSignal | undefined; silence?: SilenceTeller | undefined } = {},
): Promise<void> {
  const stop = new AbortController();
  let telling = Promise.resolve();
  let failure: unknown;
  await watch({
    now: () => server.now(),
    signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
    tell(one) {
      telling = telling.then(one).catch((error: unknown) => {
        failure ??= error;
        stop.abort();
      });
    },
    onSilence: (silent, why = `${server.url} does not answer`, since) =>
      silence
        ? silence(silent ? since : undefined)
        : silent
          ? warn(`${why}; what is shown may be out of date`)
          : note(`${server.url} answers again.`),
    onWarning: warn,
  });
  await telling;
  if (failure !== undefined) throw failure;
}
