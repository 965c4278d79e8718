import type { Doubt } from '../../engine/history/history.ts';
import type { Recording } from '../../state/recording/recording.ts';

/** What a recording does not tell of the time up to an instant (epoch milliseconds). */
export function doubtsOfRecording(
  { gaps, isTorn, to, facts: { unread = [] } }: Recording,
  until: number,
): Doubt[] {
  return [
    ...gaps
      .filter(({ from }) => from <= until)
      .map(({ kind, from, to: end, lost }) => ({
        text: `Nothing was heard of ${kind}: ${lost ? 'only what came of its changes is known' : 'its changes have the time at which they were told'}.`,
        from,
        ...(end === undefined ? {} : { to: end }),
      })),
    ...(isTorn && until >= to
      ? [{ text: 'The recording breaks off here: its end was not written.', from: to }]
      : []),
    ...unread.map(({ kind, missing }) => ({ text: `${kind} could not be read (${missing}).` })),
  ];
}
