import { eventStep, isEvent } from '../analysis/history/karmadaEvents.ts';
import { emptyWorld, type UnreadKind, type World } from '../karmada/world.ts';
import type { KubernetesObject } from '../karmada/api/meta.ts';
import { addObjects } from '../state/schema/kinds.ts';
import { ApiError } from '../state/live/apiError.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import { missingPart } from '../state/live/kindReader.ts';
import type { Mirror } from '../state/live/mirrors/mirror.ts';
import { INFORMATIVE_EVENTS, EVENTS } from '../state/live/events.ts';
import { apiPath, CLUSTERS } from '../state/live/resources.ts';
import { STATE_KINDS, type StateKind } from '../state/live/stateKinds.ts';
import type { RecordedStart, RecordingWriter } from '../state/recording/recordingWriter.ts';
import type { OpenMirror } from '../state/live/mirrors/mirror.ts';
import { slimServer } from './slimServer.ts';
import { watchMirrors, type Watch, type WatchOptions, type WatchRun } from './watchMirrors.ts';

interface RecordWorldOptions extends WatchOptions {
  openMirror: OpenMirror;
  writer: RecordingWriter;
  /** facts about the control plane besides its objects */
  known: Omit<RecordedStart, 'world'>;
  /** objects recorded once and not followed */
  templates: readonly KubernetesObject[];
  /** called once the initial state is in the file */
  onStart(world: World): void;
}

/** Milliseconds between two flushes: even on a busy machine, a change is in the file within a second. */
const FLUSH_EVERY = 400;
/** Milliseconds between two checks that show that the recorder was suspended, so changes may be missing. */
const ASLEEP_AFTER = 10_000;
/** Milliseconds without changes after which the recording notes that the recorder is alive. */
const ALIVE_AFTER = 5000;

/**
 * Records a control plane until the signal aborts: its state, then each change of the kinds that make up a state.
 * Silences, and changes lost to an expired watch, are recorded as gaps by kind. Rejects with an ApiError if a kind
 * that every state needs may not be read, and with a StateError if the file cannot be written.
 */
export async function recordWorld(server: ApiServer, options: RecordWorldOptions): Promise<void> {
  let written = () => Promise.resolve();
  await watchMirrors(
    options,
    () => FLUSH_EVERY,
    (run) => {
      const recorder = recording(server, options, run);
      written = recorder.written;
      return recorder;
    },
  );
  await written();
}

function recording(
  server: ApiServer,
  { openMirror, writer, known, templates, onStart, onWarning, now }: RecordWorldOptions,
  { later, fail }: WatchRun,
): Watch & { written(): Promise<void> } {
  const unread: UnreadKind[] = [];
  let begun = false;
  let idle = 0;
  let written = 0;
  let lastCheck = now();
  let writing = Promise.resolve();

  const slim = slimServer(server);
  const followed = [...STATE_KINDS, EVENTS].map((kind) => {
    const one: Followed = { kind, lists: 0, silentSince: undefined, mirror: undefined as never };
    const noticing: ApiServer = {
      ...slim,
      list(path, request) {
        if (one.lists++ === 0) return slim.list(path, request);
        one.relistedSince ??= one.mirror.heardAt();
        one.isListing = true;
        return slim.list(path, request).finally(() => (one.isListing = false));
      },
    };
    one.mirror = openMirror<KubernetesObject>(noticing, apiPath(kind, kind.inNamespace), {
      listener(change) {
        if (!begun) return;
        noteHeard(one);
        if (isRecorded(change.after ?? change.before)) writer.change(now(), change);
      },
      ...(kind === EVENTS ? { query: INFORMATIVE_EVENTS, withoutBookmarks: true } : {}),
      // Clusters are few: keep who changed their taints
      ...(kind === CLUSTERS ? { managedFields: true } : {}),
    });
    return one;
  });

  /** Converts local time to server time, in milliseconds. */
  const onServer = (local: number) => now() - (Date.now() - local);

  /** Records the end of a gap before later changes are written. */
  function noteHeard(one: Followed): void {
    const lostSince = one.relistedSince;
    const since = one.silentSince ?? (lostSince === undefined ? undefined : onServer(lostSince));
    if (since === undefined) return;
    writer.heard(now(), [one.kind.kind], since, lostSince !== undefined);
    one.silentSince = one.relistedSince = undefined;
  }

  const responses = () =>
    followed.filter(({ kind, isAbsent }) => !isAbsent && !unread.some((one) => one.kind === kind.kind));

  /** Records a gap if the last check was too long ago. */
  function noteSleep(): void {
    const since = lastCheck;
    lastCheck = now();
    if (lastCheck - since < ASLEEP_AFTER) return;
    const kinds = responses().filter(({ silentSince }) => silentSince === undefined);
    if (kinds.length > 0)
      writer.heard(
        lastCheck,
        kinds.map(({ kind }) => kind.kind),
        since,
        false,
      );
  }

  function listen(): void {
    for (const one of responses()) {
      const stale = one.mirror.staleSince();
      if (stale === undefined) {
        if (!one.isListing) noteHeard(one);
      } else if (one.silentSince === undefined) {
        one.silentSince = onServer(stale);
        writer.silent(now(), [one.kind.kind], one.silentSince);
      }
    }
  }

  const state = (): RecordedStart => {
    const world: World = { ...emptyWorld(), ...(unread.length > 0 ? { unread } : {}) };
    for (const { kind, mirror } of followed)
      addObjects(world, kind.kind, [...mirror.objects.values()].filter(isRecorded));
    world.others.push(...templates);
    return { ...known, world };
  };

  async function synced(one: Followed): Promise<void> {
    try {
      await one.mirror.synced;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404 && one.kind.without !== undefined) return void (one.isAbsent = true);
      if (error.status !== 403) throw error;
      const lack = missingPart(one.kind, error);
      unread.push(lack.unread);
      onWarning(lack.warning);
    }
  }

  function write(step: () => Promise<void>): void {
    writing = writing.then(step);
    writing.catch(fail);
  }

  function flushLater(): void {
    later(FLUSH_EVERY, () => {
      const { changes } = writer.size;
      noteSleep();
      listen();
      idle = changes === written ? idle + FLUSH_EVERY : 0;
      written = changes;
      if (idle >= ALIVE_AFTER && followed.every(({ silentSince }) => silentSince === undefined)) {
        writer.alive(now());
        idle = 0;
      }
      write(() => writer.flush(now(), state));
      flushLater();
    });
  }

  return {
    mirrors: () => followed.map(({ mirror }) => mirror),
    synced: Promise.all(followed.map(synced)),
    written: () => writing,
    refresh() {
      if (begun) return;
      begun = true;
      lastCheck = now();
      const start = state();
      const started = writer.start(now(), start);
      write(async () => {
        await started;
        onStart(start.world);
      });
      flushLater();
    },
  };
}

/** Whether to record an object: of Events, only those that report a step. */
function isRecorded(object: KubernetesObject): boolean {
  return !isEvent(object) || eventStep(object) !== undefined;
}

/** A kind, and when the server last sent anything about it (epoch milliseconds of the local clock). */
interface Followed {
  kind: StateKind;
  mirror: Mirror;
  lists: number;
  isListing?: boolean;
  /** the API does not serve it */
  isAbsent?: boolean;
  /** when it last sent anything before its watch had to restart */
  relistedSince?: number | undefined;
  /** the start of its silence in the recording, by the server's clock */
  silentSince: number | undefined;
}
