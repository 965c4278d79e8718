import type { ApiServer } from '../../state/live/apiServer.ts';
import type { LoadedState } from '../../state/source.ts';
import { printError, printNote } from '../../terminal/messages.ts';
import { startRecording, type RunningRecording } from '../../useCases/recording/startRecording.ts';
import { ports } from '../ports.ts';
import { recordedText, recordingRequest } from './recordingFlags.ts';

/** Runs something while recording the control plane; if the recording fails, reports that and continues. */
export async function whileRecording<Result>(
  server: ApiServer,
  state: LoadedState,
  file: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const recording = await startRecording(server, state, recordingRequest(file), ports);
  return whileRecorded(recording, file, act, () => 'the recorded command has ended');
}

/**
 * Runs something while a recording continues, and ends the recording however that ends; `why` turns the result into the
 * reason in the file. A failure of the recording is only reported, once.
 */
export async function whileRecorded<Result>(
  recording: RunningRecording,
  file: string,
  act: () => Promise<Result>,
  why: (result: Result) => string,
  say: { note(text: string): void; error(text: string): void } = { note: printNote, error: printError },
): Promise<Result> {
  let isSaid = false;
  const fail = ({ message }: Error) => {
    if (!isSaid) say.error(`the recording has ended: ${message}`);
    isSaid = true;
  };
  recording.ended.catch(fail);
  let reason = 'the recorded command failed';
  try {
    const result = await act();
    reason = why(result);
    return result;
  } finally {
    const summary = await recording.stop(reason).catch(fail);
    if (summary) say.note(recordedText(file, summary));
  }
}
