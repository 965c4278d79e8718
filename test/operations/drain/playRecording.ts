import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { DrainEvent, DrainProgress } from '../../../src/analysis/drain/decide/drainStep.ts';
import { cancelDrain } from '../../../src/operations/drain/cancelDrain.ts';
import { executeDrain } from '../../../src/operations/drain/executeDrain.ts';
import {
  configurationOfRecording,
  createRecordedPlane,
  endOfCancel,
  endOfDrain,
  type RecordedDrain,
  type RecordedPlane,
  type RecordedTurn,
} from '../recordedPlane.ts';

const DATA = new URL('data/', import.meta.url);
/** Names of the recordings of test/e2e/recordDrain.ts. */
export const recordings = readdirSync(DATA).map((file) => file.replace('.json.gz', ''));

export function recordingOf(name: string): RecordedDrain {
  const packed = readFileSync(new URL(`${name}.json.gz`, DATA));
  return JSON.parse(gunzipSync(packed).toString()) as RecordedDrain;
}

/** The reports of one turn. */
export interface ReportedTurn {
  events: DrainEvent[];
  progress: DrainProgress[];
}

export interface Played {
  plane: RecordedPlane;
  /** of drains and cancellations */
  ends: unknown[];
  reported: ReportedTurn[];
}

/** Plays the turns of a recording, each at its recorded offset from the start; `during` is called at each beginning. */
export async function play(
  recording: RecordedDrain,
  plane = createRecordedPlane(recording),
): Promise<Played> {
  const ends: unknown[] = [];
  const reported: ReportedTurn[] = [];
  for (const turn of recording.turns) {
    await plane.until(turn.at);
    if (!('ended' in turn)) continue;
    const own: ReportedTurn = { events: [], progress: [] };
    reported.push(own);
    ends.push(await plane.time.until(take(turn, recording, plane, own)));
  }
  return { plane, ends, reported };
}

async function take(
  turn: Extract<RecordedTurn, { ended: object }>,
  recording: RecordedDrain,
  plane: RecordedPlane,
  { events, progress }: ReportedTurn,
) {
  const configuration = configurationOfRecording(recording);
  const { server, openMirror, pause, stopwatch } = plane.client();
  const onEvent = (event: DrainEvent) => void events.push(event);
  if ('cancel' in turn)
    return endOfCancel(await cancelDrain(server, turn.cancel, { configuration, pause, onEvent }));
  const result = await executeDrain(server, turn.drain, {
    configuration,
    openMirror,
    pause,
    stopwatch,
    onEvent,
    timeout: turn.timeout,
    onProgress: (now) => void progress.push(now),
    runner: 'recorder@bed',
  });
  return endOfDrain(result);
}
