import { startRecording } from '../../useCases/recording/startRecording.ts';
import { readState } from '../../useCases/state/openState.ts';
import type { Ports } from '../../useCases/ports.ts';
import { recordingRequest } from '../recording/recordingFlags.ts';
import { whileRecorded } from '../recording/whileRecording.ts';
import { liveSourceFromFlags, type SourceFlags } from '../stateRequest.ts';

/** Controllers run for weeks: a file of this size is kept as FILE.1, and FILE begins anew. */
const MOST_BYTES = '100Mi';

/**
 * Begins to record what the control plane does, with a connection of its own; resolves once the state at the start is in the file. Call the
 * result to end it. What fails later is told of and ends nothing. Rejects with a StateError if the file is there, or cannot be written.
 */
export async function recordRun(
  file: string,
  flags: Omit<SourceFlags, 'state'>,
  ports: Ports,
): Promise<() => Promise<void>> {
  const { state, server } = await readState({ source: liveSourceFromFlags(flags) }, ports, {
    live: { templates: {} },
  });
  try {
    const recording = await startRecording(server!, state, recordingRequest(file, MOST_BYTES), ports);
    let over: () => void = () => undefined;
    const run = new Promise<void>((resolve) => (over = resolve));
    const recorded = whileRecorded(
      recording,
      file,
      () => run,
      () => 'the controllers have ended',
      { note: ports.note, error: ports.warn },
    );
    return async () => {
      over();
      await recorded;
      server?.close();
    };
  } catch (error) {
    server?.close();
    throw error;
  }
}
