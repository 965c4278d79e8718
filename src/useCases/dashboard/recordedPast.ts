import type { History } from '../../analysis/history/history.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import { openRecording } from '../../state/recording/recording.ts';
import { worldAndWarning, type OpenedState } from '../state/openState.ts';
import { recordedHistory } from '../timeline/recordedHistory.ts';

/** The part of a recording before the displayed instant. */
export interface RecordedPast {
  history: History;
  /** the state after all changes up to a moment (epoch milliseconds) */
  stateAt(moment: number): OpenedState;
}

/** Reads a state's recording; undefined without one, or for stdin. Rejects with a StateError if it is unreadable. */
export async function recordedPast(opened: OpenedState): Promise<RecordedPast | undefined> {
  const { loaded, now, configuration, karmadaVersion, assumptions } = opened;
  if (!loaded.recorded?.paths) return undefined;
  const recording = await openRecording(loaded.recorded.paths);
  let last: { moment: number; state: OpenedState } | undefined;
  return {
    history: recordedHistory(recording, now, configuration),
    stateAt(moment) {
      if (last?.moment === moment) return last.state;
      const { world } = worldAndWarning(recording.worldAt(moment), karmadaVersion, configuration.rules);
      const value = rfc3339Milliseconds(moment);
      const state = {
        ...opened,
        world,
        now: moment,
        assumptions: assumptions.map((one) =>
          one.name === 'now' ? { ...one, value, source: 'a moment of the recording', assumed: false } : one,
        ),
      };
      last = { moment, state };
      return state;
    },
  };
}
