import type { History } from '../../analysis/history/history.ts';
import { seenHistory } from '../../analysis/history/seenHistory.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Recording } from '../../state/recording/recording.ts';
import { doubtsOfRecording } from './doubtsOfRecording.ts';

/** All that a recording has seen, up to an instant (epoch milliseconds), with its gaps as doubts. */
export function recordedHistory(recording: Recording, until: number, configuration: Configuration): History {
  const { from: start } = recording;
  return seenHistory({
    // changes of the first millisecond are not in it: they are told
    first: recording.worldAt(start - 1),
    changes: recording.changesBetween(start - 1, until),
    start,
    end: Math.max(until, start),
    configuration,
    doubts: doubtsOfRecording(recording, until),
  });
}
