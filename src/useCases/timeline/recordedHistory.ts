import type { History, HistoryGap } from '../../analysis/history/history.ts';
import { eventsOfCluster } from '../../analysis/history/reconstructedHistory.ts';
import { observedHistory } from '../../analysis/history/observedHistory.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Recording } from '../../state/recording/recording.ts';
import { type Silence, kindsText, ofKinds, silences } from '../../state/recording/silences.ts';

/**
 * The history of a recording between two instants (epoch milliseconds; default: from its start); gaps become doubts.
 */
export function recordedHistory(
  recording: Recording,
  until: number,
  configuration: Configuration,
  since = recording.from,
): History {
  const start = Math.max(since, recording.from);
  // changes in the first millisecond are not part of the start: they are events
  const first = recording.worldAt(start - 1);
  return observedHistory({
    first,
    ...(start > recording.from && {
      earlier: first.clusters.flatMap((cluster) => eventsOfCluster(cluster, configuration.rules)),
    }),
    changes: recording.changesBetween(start - 1, until),
    start,
    end: Math.max(until, start),
    configuration,
    doubts: doubtsOfRecording(recording, until).filter(({ to = until }) => to >= start),
  });
}

/** The gaps of a recording up to an instant (epoch milliseconds). */
export function doubtsOfRecording(
  { gaps, isTorn, to, kinds: held, facts: { unread = [] } }: Recording,
  until: number,
): HistoryGap[] {
  return [
    ...silences(gaps.filter(({ from }) => from <= until)).map((silence) => ({
      text: `No updates were received${partText(silence, ofKinds(silence.kinds, held))}: ${lossText(silence)}.`,
      from: silence.from,
      ...(silence.to === undefined ? {} : { to: silence.to }),
      kinds: silence.kinds,
    })),
    ...(isTorn && until >= to ? [{ text: 'The recording is truncated here.', from: to }] : []),
    ...unread.map(({ kind, missing }) => ({ text: `${kind} could not be read (${missing}).` })),
  ];
}

/** The silent kinds, and when if not all the time: " of 7 kinds from … to …, of some kinds also before or after". */
function partText({ from, to, kinds, whole }: Silence, what: string): string {
  if (!whole) return `${what}, of each kind for a part of this time`;
  const begins = rfc3339(whole.from) === rfc3339(from);
  const ends =
    whole.to === to || (whole.to !== undefined && to !== undefined && rfc3339(whole.to) === rfc3339(to));
  if (begins && ends) return what;
  if (kinds.length === 1) return `${what}, except for moments`;
  const end = whole.to === undefined ? ' on' : ` to ${rfc3339(whole.to)}`;
  return `${what} from ${rfc3339(whole.from)}${end}, of some kinds also before or after that`;
}

/** The effect of a silence: hidden changes or, for kinds without a loss, changes recorded late. */
function lossText({ kinds, lost }: Silence): string {
  const late = 'changes have the time of their arrival';
  const result = 'only the results of changes are known';
  if (lost.length === 0) return late;
  if (lost.length === kinds.length) return result;
  const complete = kinds.filter((kind) => !lost.includes(kind));
  return complete.length <= lost.length
    ? `${result}, except for ${kindsText(complete)}: their ${late}`
    : `${late}; of ${kindsText(lost)} ${result}`;
}
