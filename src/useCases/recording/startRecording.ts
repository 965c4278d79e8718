import { isHostComponent } from '../../state/componentFlags.ts';
import type { World } from '../../karmada/world.ts';
import { recordWorld } from '../../operations/recordWorld.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { EVENTS } from '../../state/live/events.ts';
import { mirror } from '../../state/live/mirrors/reflector.ts';
import { servedGroups } from '../../state/live/served/servedGroups.ts';
import { STATE_KINDS } from '../../state/live/stateKinds.ts';
import { createRecording, type RecordingSize } from '../../state/recording/recordingWriter.ts';
import type { LoadedState } from '../../state/source.ts';
import type { Ports } from '../ports.ts';

export interface RecordingRequest {
  file: string;
  /** bytes after which the file is renamed and a new one begins */
  mostBytes?: number | undefined;
  /** escapes terminal control characters in a JSON text */
  escaped(text: string): string;
}

export interface RunningRecording {
  /** its initial world */
  world: World;
  /** resolves once it has ended; rejects if it failed */
  ended: Promise<void>;
  /** Ends it, with this reason in the file. Rejects if it failed. */
  stop(why: string): Promise<RecordedSummary>;
}

export interface RecordedSummary extends RecordingSize {
  /** milliseconds */
  took: number;
}

const FOLLOWED = new Set([...STATE_KINDS, EVENTS].map(({ kind }) => kind));

/**
 * Starts recording a control plane whose state was just read: resolves once the initial state is in the file. Rejects
 * with a StateError if the file exists or is not writable, with an ApiError if the server cannot be followed.
 */
export async function startRecording(
  server: ApiServer,
  { components, detected, warnings, world }: LoadedState,
  request: RecordingRequest,
  { warn, note }: Ports,
): Promise<RunningRecording> {
  const served = await servedGroups(server);
  const writer = await createRecording(request.file, request);
  const stop = new AbortController();
  const began = server.now();
  const said = new Set(warnings);
  let started: (world: World) => void = () => undefined;
  const first = new Promise<World>((resolve) => (started = resolve));
  const ended = recordWorld(server, {
    openMirror: mirror,
    writer,
    known: { components, warnings, served, ...(detected ? { detected } : {}) },
    templates: world.others.filter((one) => !FOLLOWED.has(one.kind) && !isHostComponent(one)),
    onStart: started,
    now: () => server.now(),
    signal: stop.signal,
    onSilence: (silent, why = `${server.url} does not answer`) =>
      silent ? warn(`${why}; the recording has a gap from here on`) : note(`${server.url} answers again.`),
    onWarning: (warning) => void (said.has(warning) || warn(warning)),
  });
  // callers that await `ended` get the error; none has to
  ended.catch(() => undefined);
  try {
    const recorded = await Promise.race([first, ended.then(() => first)]);
    return {
      world: recorded,
      ended,
      async stop(why) {
        stop.abort();
        await ended;
        await writer.close(server.now(), why);
        return { ...writer.size, took: server.now() - began };
      },
    };
  } catch (error) {
    await writer.close(server.now(), 'it failed').catch(() => undefined);
    throw error;
  }
}
