import { emptyWorld, type UnreadKind, type World } from '../karmada/world.ts';
import type { KubernetesObject } from '../karmada/api/meta.ts';
import { addObjects } from '../state/schema/kinds.ts';
import { ApiError } from '../state/live/apiError.ts';
import { missingPart } from '../state/live/kindReader.ts';
import type { Mirror } from '../state/live/mirrors/mirror.ts';
import { apiPath } from '../state/live/resources.ts';
import { STATE_KINDS, type StateKind } from '../state/live/stateKinds.ts';
import {
  watchMirrors,
  type StartMirror,
  type Watch,
  type WatchOptions,
  type WatchRun,
} from './watchMirrors.ts';

export interface WatchWorldOptions extends WatchOptions {
  kinds: ReadonlySet<string>;
  /** receives the world first, and again after each change */
  onWorld(world: World, now: number): void;
  /** milliseconds, to measure how long refreshes take; the process's own by default */
  stopwatch?: () => number;
}

/** Changes within this many milliseconds are handled in one refresh. */
const TOGETHER = 250;
/** The pause after each refresh, as a multiple of its duration, regardless of changes. */
const REST = 4;

/**
 * Follows the objects of a control plane until the signal aborts. Warns about kinds that the user may not read, and
 * records them as unread. Rejects with ApiError if the user may not read a required kind.
 */
export function watchWorld(start: StartMirror, options: WatchWorldOptions): Promise<void> {
  const { stopwatch = () => performance.now() } = options;
  let restedAt = 0;
  const timed: WatchWorldOptions = {
    ...options,
    onWorld(world, now) {
      const began = stopwatch();
      options.onWorld(world, now);
      const ended = stopwatch();
      restedAt = ended + REST * (ended - began);
    },
  };
  return watchMirrors(
    options,
    () => Math.max(TOGETHER, restedAt - stopwatch()),
    (run) => worldWatch(start, timed, run),
  );
}

function worldWatch(start: StartMirror, options: WatchWorldOptions, { refreshSoon }: WatchRun): Watch {
  const unread: UnreadKind[] = [];
  const followed = STATE_KINDS.filter(({ kind }) => options.kinds.has(kind)).map((kind) => ({
    kind,
    mirror: start<KubernetesObject>(apiPath(kind, kind.inNamespace), refreshSoon),
  }));

  async function synced({ kind, mirror }: { kind: StateKind; mirror: Mirror }): Promise<void> {
    try {
      await mirror.synced;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404 && kind.without !== undefined) return;
      if (error.status !== 403) throw error;
      const lack = missingPart(kind, error);
      unread.push(lack.unread);
      options.onWarning(lack.warning);
    }
  }
  const readable = followed.map((one) => synced(one));

  function refresh(): void {
    const world: World = { ...emptyWorld(), unread };
    for (const { kind, mirror } of followed) addObjects(world, kind.kind, mirror.objects.values());
    options.onWorld(world, options.now());
  }

  return { mirrors: () => followed.map(({ mirror }) => mirror), synced: Promise.all(readable), refresh };
}
