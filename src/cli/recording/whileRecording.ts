import type { ApiServer } from '../../state/live/apiServer.ts';
import type { LoadedState } from '../../state/source.ts';
import { sayError, sayNote } from '../../terminal/messages.ts';
import { startRecording } from '../../useCases/recording/startRecording.ts';
import { ports } from '../ports.ts';
import { recordedText, recordingRequest } from './recordingFlags.ts';

/** Does something while the control plane is recorded; if the recording fails meanwhile, it says so and goes on. */
export async function whileRecording<Result>(
  server: ApiServer,
  state: LoadedState,
  file: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const recording = await startRecording(server, state, recordingRequest(file), ports);
  recording.ended.catch((error: Error) => sayError(`the recording has ended: ${error.message}`));
  try {
    return await act();
  } finally {
    const summary = await recording.stop('what was recorded is over').catch(() => undefined);
    if (summary) sayNote(recordedText(file, summary));
  }
}
