import type { Doubt } from '../../engine/history/history.ts';
import type { Recording, RecordingGap } from '../../state/recording/recording.ts';

/** What a recording does not tell of the time up to an instant (epoch milliseconds). */
export function doubtsOfRecording(
  { gaps, isTorn, to, facts: { unread = [] } }: Recording,
  until: number,
): Doubt[] {
  return [
    ...together(gaps.filter(({ from }) => from <= until)).map(({ kinds, from, to: end, lost }) => ({
      text: `Nothing was heard of ${kinds.join(', ')}: ${lost ? 'only what came of changes is known' : 'changes have the time at which they were told'}.`,
      from,
      ...(end === undefined ? {} : { to: end }),
    })),
    ...(isTorn && until >= to
      ? [{ text: 'The recording breaks off here: its end was not written.', from: to }]
      : []),
    ...unread.map(({ kind, missing }) => ({ text: `${kind} could not be read (${missing}).` })),
  ];
}

/** A server that does not answer tells nothing of all kinds at once. */
function together(gaps: Recording['gaps']): (Omit<RecordingGap, 'kind'> & { kinds: string[] })[] {
  const found = new Map<string, Omit<RecordingGap, 'kind'> & { kinds: string[] }>();
  for (const { kind, ...gap } of gaps) {
    const key = `${gap.from} ${gap.to ?? ''} ${gap.lost}`;
    const same = found.get(key);
    if (same) same.kinds.push(kind);
    else found.set(key, { ...gap, kinds: [kind] });
  }
  return [...found.values()];
}
