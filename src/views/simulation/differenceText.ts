import type { WriteBack } from '../../analysis/history/replay/writtenBack.ts';
import type { Difference, DifferenceKind } from '../../analysis/history/replay/whyDiffers.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import { offsetText } from '../words/timelineEvent.ts';

/** What nobody knows at the start, by kind. */
const UNKNOWABLE: Readonly<Record<Exclude<DifferenceKind, 'unexplained'>, string>> = {
  turn: 'whose turn it is in the eviction queue, which Karmada fills in no fixed order, and tries again after a conflict',
  health: 'when a member reports which health',
  room: 'how much room a cluster has reported at the moment at which the scheduler looks',
  cluster: 'what a cluster is like at the moment of the decision',
  stamp: 'when an eviction task gets its creationTimestamp, from which its deadline counts',
  order: 'which of several things Karmada comes to first, and who wins a tie',
};

/** One sentence: why a workload went another way than predicted. Instants are offsets from the start (epoch milliseconds). */
export function differenceText(difference: Difference, start: number): string {
  const { kind, at, confirmedFrom } = difference;
  if (kind === 'unexplained')
    return `unexplained: nothing that decides was unlike what was predicted, and no simulation from shortly before ${offsetText(at, start)} takes the recorded step; please report it`;
  const seen = seenText(difference, start);
  const checked =
    confirmedFrom === undefined
      ? '; no simulation from shortly before takes the recorded step, which may be a mistake of ours'
      : `; from what was recorded until ${offsetText(confirmedFrom, start)}, the recorded step is predicted`;
  return `not knowable at the start: ${UNKNOWABLE[kind]}${seen}${checked}`;
}

function seenText({ kind, at, cluster, recorded, predicted, turn }: Difference, start: number): string {
  if (turn) {
    const when = (time: number | undefined) =>
      time === undefined ? 'never' : `at ${offsetText(time, start)}`;
    return ` (eviction from ${cluster}: ${when(turn.recorded)}, predicted ${when(turn.predicted)})`;
  }
  if (kind === 'order' || cluster === undefined) return '';
  return ` (${cluster} at ${offsetText(at, start)}: ${recorded}; predicted ${predicted})`;
}

/** The same for machines. */
export function differenceDocument(difference: Difference, start: number) {
  const { kind, at, cluster, recorded, predicted, turn, confirmedFrom } = difference;
  const time = (instant: number) => rfc3339Milliseconds(Math.round(instant));
  return {
    ...{ kind, time: time(at), text: differenceText(difference, start) },
    ...(cluster === undefined ? {} : { cluster }),
    ...(recorded === undefined ? {} : { recorded }),
    ...(predicted === undefined ? {} : { predicted }),
    ...(turn?.recorded === undefined ? {} : { recordedAt: time(turn.recorded) }),
    ...(turn?.predicted === undefined ? {} : { predictedAt: time(turn.predicted) }),
    ...(confirmedFrom === undefined ? {} : { confirmedFrom: time(confirmedFrom) }),
  };
}

/** One sentence: what the scheduler has undone. */
export function writeBackText({ cluster, evicted, back }: WriteBack, start: number): string {
  return `not knowable at the start: the scheduler wrote ${cluster} back at ${offsetText(back, start)}, from its look before the eviction at ${offsetText(evicted, start)}; this is left out above`;
}
