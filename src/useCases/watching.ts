import { namesBinding, parseTarget } from '../engine/selection/findBindings.ts';
import { selectBindings } from '../engine/selection/selectBindings.ts';
import type { ResourceBinding } from '../karmada/api/work.ts';
import type { WatchOptions } from '../operations/watchMirrors.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import type { Ports } from './ports.ts';
import type { Selection } from './selection/selectedBindings.ts';

/** Is told of changes, of what there is first; one telling after the other. */
export type Tell<Change> = (changes: Change[], now: number) => Promise<void>;

/** Whether a binding is one of those asked for, each by itself; labels are not looked at. */
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

/** What a watch is given, and how it tells in turn. */
export type Telling = Omit<WatchOptions, 'pause'> & { tell(one: () => Promise<void>): void };

/**
 * Lets a watch of a server tell until the process is ended; what keeps it from telling ends it. How well the server is heard of is
 * said beside.
 */
export async function tellWhile(
  server: ApiServer,
  watch: (telling: Telling) => Promise<void>,
  { warn, note }: Ports,
): Promise<void> {
  const stop = new AbortController();
  let telling = Promise.resolve();
  let failure: unknown;
  await watch({
    now: () => server.now(),
    signal: stop.signal,
    tell(one) {
      telling = telling.then(one).catch((error: unknown) => {
        failure ??= error;
        stop.abort();
      });
    },
    onSilence: (silent) =>
      silent
        ? warn(`${server.url} is not heard of; what is shown may be out of date`)
        : note(`${server.url} is heard of again.`),
    onWarning: warn,
  });
  await telling;
  if (failure !== undefined) throw failure;
}
