import type { KubernetesObject } from '../karmada/api/meta.ts';
import { largest } from '../kubernetes/longLists.ts';
import { ApiError } from '../state/live/apiError.ts';
import type { Mirror, MirrorListener } from '../state/live/mirrors/mirror.ts';
import { linkedSignal } from '../state/live/requests/linkedSignal.ts';
import { pause as realPause, type Pause, untilAborted } from './pause.ts';

/** Starts to follow the objects at a path of the API. */
export type StartMirror = <T extends KubernetesObject>(
  path: string,
  listener: MirrorListener<T>,
) => Mirror<T>;

/** An object as the API serves it, with apiVersion and kind. */
export type Served<T> = T & KubernetesObject;

export interface WatchOptions {
  /** the server's clock, epoch milliseconds */
  now(): number;
  pause?: Pause;
  signal: AbortSignal;
  /**
   * called when the server stops responding, so that reports may be stale, and when it responds again; `why` is set if
   * the login failed or the server refuses; `since`: its last response (epoch milliseconds, server's clock)
   */
  onSilence(silent: boolean, why?: string, since?: number): void;
  /** receives one line about each kind that cannot be read */
  onWarning(message: string): void;
}

/** A watch with its mirrors. */
export interface Watch {
  mirrors(): Mirror<unknown>[];
  /** resolves when the first refresh can run */
  synced: Promise<unknown>;
  refresh(): void;
}

export interface WatchRun {
  /** Schedules a refresh soon, unless one is scheduled; has no effect before the first refresh. */
  refreshSoon(): void;
  /** Runs `act` later, unless the watch ends or `unless` aborts first. */
  later(milliseconds: number, act: () => void, unless?: AbortSignal): void;
  fail(error: unknown): void;
}

const LISTEN_EVERY = 1000;
/** Seconds of silence from a server before it is reported. */
const QUIET_LISTENS = 5;

/**
 * Refreshes when the mirrors are synced, and again `together` milliseconds (read before each refresh) after a change,
 * until the signal aborts. Reports when the server stops responding. Rejects if the watch cannot start, or fails.
 */
export async function watchMirrors(
  options: WatchOptions,
  together: () => number,
  begin: (run: WatchRun) => Watch,
): Promise<void> {
  const { pause = realPause } = options;
  const over = new AbortController();
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => undefined);
  const later = (milliseconds: number, act: () => void, unless?: AbortSignal): void => {
    const { signal, release } = linkedSignal(unless, over.signal);
    pause(milliseconds, signal)
      .finally(release)
      .then(() => {
        if (!signal.aborted) act();
      })
      .catch(fail);
  };

  let begun = false;
  let awaited = false;
  const refreshSoon = (): void => {
    if (!begun || awaited) return;
    awaited = true;
    later(together(), () => {
      awaited = false;
      watch.refresh();
    });
  };
  const watch = begin({ refreshSoon, later, fail });

  const known = new Set<Mirror<unknown>>();
  const unreadable = new Set<Mirror<unknown>>();
  /** A mirror that the user may not read also counts as silent, although the server is not. */
  function staleSince(mirror: Mirror<unknown>): number | undefined {
    if (!known.has(mirror)) mirror.synced.catch(() => unreadable.add(mirror));
    known.add(mirror);
    return unreadable.has(mirror) ? undefined : mirror.staleSince();
  }

  let quiet = 0;
  function listen(): void {
    const stale = watch.mirrors().filter((mirror) => staleSince(mirror) !== undefined);
    const isStale = stale.length > 0;
    if (!isStale && quiet > QUIET_LISTENS) options.onSilence(false);
    quiet = isStale ? quiet + 1 : 0;
    if (quiet === QUIET_LISTENS + 1) {
      const silentFor = Date.now() - largest(stale.map((mirror) => staleSince(mirror)!));
      options.onSilence(true, whyStale(stale), options.now() - silentFor);
    }
    later(LISTEN_EVERY, listen);
  }

  const end = () => over.abort();
  options.signal.addEventListener('abort', end);
  try {
    await watch.synced;
    if (options.signal.aborted) return;
    watch.refresh();
    begun = true;
    listen();
    await Promise.race([untilAborted(over.signal), failed]);
  } finally {
    options.signal.removeEventListener('abort', end);
    over.abort();
    for (const mirror of watch.mirrors()) mirror.stop();
  }
}

/** The first failure of a mirror other than a missing answer. */
function whyStale(mirrors: readonly Mirror<unknown>[]): string | undefined {
  const failures = mirrors.map((one) => one.failure?.());
  const found = failures.find(
    (one): one is ApiError => one instanceof ApiError && (one.status > 0 || one.reason.endsWith('Failed')),
  );
  return found?.message;
}
