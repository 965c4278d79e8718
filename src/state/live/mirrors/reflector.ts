import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import { ApiError } from '../apiError.ts';
import { isBrokenObject } from '../brokenObject.ts';
import type { ApiServer, Query, WatchEvent } from '../apiServer.ts';
import { linkedSignal } from '../requests/linkedSignal.ts';
import type { Mirror, MirrorListener } from './mirror.ts';
import { realTiming } from './timing.ts';
import type { Timing } from './timing.ts';
import { compareVersions } from '../../resourceVersions.ts';
import { newestOfEach } from '../newestOfEach.ts';
import { Sharing } from '../../schema/sharing.ts';

const FIRST_PAUSE = 800;
const LONGEST_PAUSE = 30_000;
/** Milliseconds after which a watch counts as a good connection; after shorter ones, pauses keep growing. */
const GOOD_AFTER = 5_000;
/** Bookmarks arrive every minute, from a busy server after 95 s. A connection silent for longer counts as dead. */
const SILENT_AFTER = 150_000;

export interface MirrorOptions<T> {
  signal?: AbortSignal | undefined;
  /** called for each change once it is in `objects`, and for the first list */
  listener?: MirrorListener<T> | undefined;
  /** fieldSelector, labelSelector */
  query?: Query | undefined;
  /** the API server sends no bookmarks of the kind, so a silent watch does not show a dead connection */
  withoutBookmarks?: boolean | undefined;
  /** keeps managedFields, which are removed otherwise */
  managedFields?: boolean | undefined;
  timing?: Timing;
}

/**
 * Follows a collection: lists it, watches from there, and continues despite failures of the connection and the server.
 * Objects only move forward, by resourceVersion. They are checked on arrival: after a watch event with a broken object,
 * the mirror is stale until a list succeeds. Stops with the signal, or if the first list fails.
 *
 * One long function, since listing, watching and reconnecting share their state.
 */
export function mirror<T extends KubernetesObject = KubernetesObject>(
  server: Pick<ApiServer, 'list' | 'watch'>,
  path: string,
  { signal, listener, query, withoutBookmarks, managedFields, timing = realTiming }: MirrorOptions<T> = {},
): Mirror<T> {
  const objects = new Map<string, T>();
  const life = linkedSignal(signal);
  const stopped = life.signal;
  /** all changes up to this version are in `objects` */
  let version = '';
  let lastHeard = timing.now();
  /** whether the latest attempt to reach the server failed */
  let cutOff = true;
  let failure: unknown;
  /** the watch was aborted to check whether the server still answers */
  let triesAgain = false;

  const sharing = new Sharing();

  const put = (key: string, after: T | undefined) => {
    const before = objects.get(key);
    if (after) objects.set(key, after);
    else objects.delete(key);
    if (after) listener?.({ ...(before && { before }), after });
    else if (before) listener?.({ before });
  };

  const heard = () => {
    lastHeard = timing.now();
    cutOff = false;
    failure = undefined;
  };

  async function list(): Promise<void> {
    const { items, resourceVersion } = await server.list(path, {
      query,
      managedFields,
      signal: stopped,
      sharing,
    });
    heard();
    // versions go back if a backup was restored: then earlier objects are dropped
    const rewound = version !== '' && compareVersions(resourceVersion, version) < 0;
    const listed = new Map(newestOfEach(items, path).map((item) => [keyOf(item), item as T]));
    for (const [key, known] of [...objects])
      if (!listed.has(key) && (rewound || compareVersions(versionOf(known), resourceVersion) <= 0))
        put(key, undefined);
    for (const [key, item] of listed) {
      const known = objects.get(key);
      const order = known ? compareVersions(versionOf(item), versionOf(known)) : 1;
      if (rewound ? order !== 0 : order > 0) put(key, item);
    }
    version = resourceVersion;
  }

  function take(event: WatchEvent): void {
    heard();
    if (event.type === 'BOOKMARK') {
      version = event.resourceVersion || version;
      return;
    }
    const object = event.object as T;
    const key = keyOf(object);
    const known = objects.get(key);
    version = versionOf(object);
    // our own write, which `observe` recorded before the watch delivered it
    if (known && compareVersions(version, versionOf(known)) <= 0) return;
    put(key, event.type === 'DELETED' ? undefined : object);
  }

  async function watch(): Promise<void> {
    const connection = linkedSignal(stopped);
    const { signal } = connection;
    const began = timing.now();
    const guard = async () => {
      const left = () => Math.max(lastHeard, began) + SILENT_AFTER - timing.now();
      while (left() > 0) await timing.sleep(left(), signal);
      triesAgain = withoutBookmarks === true;
      connection.abort(new ApiError('the watch receives nothing', { status: 0, reason: 'ETIMEDOUT' }));
    };
    const guarded = guard().catch(() => undefined);
    try {
      for await (const event of server.watch(path, version, {
        query,
        managedFields,
        signal,
        opened: heard,
        sharing,
      }))
        take(event);
      // the server ended it normally
      heard();
    } finally {
      connection.abort();
      connection.release();
      await guarded;
    }
  }

  async function follow(): Promise<void> {
    let failures = 0;
    let expiries = 0;
    let listNext = false;
    while (!stopped.aborted) {
      const began = timing.now();
      try {
        if (listNext) await list();
        listNext = false;
        await watch();
      } catch (error) {
        if (stopped.aborted) return;
        if (triesAgain) {
          triesAgain = false;
          continue;
        }
        if (!listNext && error instanceof ApiError && error.status === 410) {
          listNext = true;
          // opening the watch counted as an answer, but it delivered nothing
          cutOff = true;
          // without a pause, a server that calls every version too old would list all objects continuously
          if (expiries++ === 0) continue;
        } else {
          cutOff = true;
          failure = error;
          // the watch would deliver the same object again, even once it is fixed
          listNext ||= isBrokenObject(error);
        }
      }
      const good = lastHeard - began >= GOOD_AFTER;
      if (good) failures = expiries = 0;
      if (good && !cutOff) continue;
      const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures++);
      await timing.sleep(longest * (0.5 + timing.random() / 2), stopped).catch(() => undefined);
    }
  }

  const staleAfter = withoutBookmarks ? 2 * SILENT_AFTER : SILENT_AFTER;
  const synced = list();
  // `synced` may have no awaiter, so its rejection must not end the process
  synced
    .then(follow)
    .catch(() => life.abort())
    .finally(() => life.release());

  return {
    objects,
    synced,
    heardAt: () => lastHeard,
    failure: () => failure,
    staleSince: () => (cutOff || timing.now() - lastHeard > staleAfter ? lastHeard : undefined),
    observe(object) {
      const known = objects.get(keyOf(object));
      const seen = versionOf(object);
      const newer = compareVersions(seen, version) > 0;
      if (newer && (!known || compareVersions(seen, versionOf(known)) > 0)) put(keyOf(object), object);
    },
    stop: () => life.abort(new Error('stopped')),
  };
}

function keyOf({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace ? `${namespace}/${name}` : name;
}

function versionOf({ metadata }: KubernetesObject): string {
  return metadata.resourceVersion ?? '';
}
