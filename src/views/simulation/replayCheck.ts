import type { HistoryGap } from '../../analysis/history/history.ts';
import type { UnsimulatedChange } from '../../analysis/history/replay/outsideBindings.ts';
import type {
  ReplayCheck,
  ReplayVerdict,
  ReplayedWorkload,
} from '../../analysis/history/replay/replayCheck.ts';
import type { PlacementStep } from '../../analysis/history/replay/steps.ts';
import type { UnseenTurn } from '../../analysis/history/replay/unseenTurns.ts';
import type { Difference, DifferenceKind } from '../../analysis/history/replay/whyDiffers.ts';
import type { WriteBack } from '../../analysis/history/replay/writtenBack.ts';
import type { Basis } from '../../karmada/configuration/assumptions.ts';
import { rfc3339, rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, asStrong, asWarning } from '../../presentation/words.ts';
import { type Answer, type Shown, inOrder } from '../answer.ts';
import { assumptionBlocks, doubtCaveat } from '../assumptions.ts';
import { doubtDocument, doubtText } from '../timeline/timelineWords.ts';
import { plural } from '../words/amounts.ts';
import { duration } from '../words/duration.ts';
import { resourceName, workloadName } from '../words/names.ts';
import { nextStep } from '../words/nextStep.ts';
import { offsetText } from '../words/timelineEvent.ts';

interface ReplayInput extends ReplayCheck, Basis {
  recording: string;
  /** epoch milliseconds */
  start: number;
  end: number;
  /** how many external events there were */
  events: number;
  /** components that decide and were missing in the simulation */
  unsimulated: readonly UnsimulatedChange[];
  doubts: HistoryGap[];
  /** the recorded failures and recoveries of members */
  turns: readonly UnseenTurn[];
}

const TONES: Record<ReplayVerdict, (words: Words) => Words> = {
  agree: asGood,
  race: asWarning,
  untold: asWarning,
  differ: asBad,
};

/** Predictions beside the recording, by workload; differences first. */
export function replayCheckAnswer(input: ReplayInput): Answer {
  const { workloads, start, end, doubts, assumptions } = input;
  return {
    get document() {
      return replayDocument(input);
    },
    list: {
      field: 'workloads',
      inOrder: (positions) => replayCheckAnswer({ ...input, workloads: inOrder(workloads, positions) }),
    },
    names: () =>
      workloads.filter(({ verdict }) => verdict === 'differ').map(({ workload }) => resourceName(workload)),
    presentation(shown) {
      const table = workloadTable(input);
      const apart = workloads.filter(({ verdict }) => verdict !== 'agree' || shown.wide);
      const steps = apart.flatMap((one) => stepBlocks(one, start));
      if (shown.noHeaders) return { blocks: [...table, ...steps] };
      return {
        blocks: [
          { type: 'paragraph', words: asStrong(summaryText(input)) },
          ...nextSteps(input, shown),
          {
            type: 'heading',
            parts: [
              asStrong('Predicted and recorded'),
              asFaint(`from ${rfc3339(start)} over ${duration(end - start)}`),
            ],
          },
          ...table,
          ...steps,
          ...unsimulatedBlocks(input),
          ...assumptionBlocks(assumptions, shown, { caveats: [doubtCaveat(doubts.map(doubtText))] }),
        ],
      };
    },
  };
}

/** The command that shows all recorded steps of the first mispredicted workload. */
function nextSteps({ workloads, recording }: ReplayInput, shown: Shown): Block[] {
  const first = workloads.find(({ verdict }) => verdict !== 'agree');
  if (!first) return [];
  return nextStep(['timeline', workloadName(first.workload), shown.names.ofState(recording)], shown);
}

function counts({ workloads }: ReplayCheck): Record<ReplayVerdict, number> {
  const of = (verdict: ReplayVerdict) => workloads.filter((one) => one.verdict === verdict).length;
  return { agree: of('agree'), race: of('race'), untold: of('untold'), differ: of('differ') };
}

function replayDocument(input: ReplayInput) {
  const {
    start,
    end,
    karmadaVersion,
    assumptions,
    doubts,
    workloads,
    unsimulated,
    secondsOff,
    events,
    turns,
  } = input;
  const step = ({ time, placement }: PlacementStep) => ({ time: rfc3339Milliseconds(time), placement });
  return {
    kind: 'ReplayCheck' as const,
    schemaVersion: 'v1',
    karmadaVersion,
    start: rfc3339Milliseconds(start),
    end: rfc3339Milliseconds(end),
    assumptions,
    doubts: doubts.map(doubtDocument),
    outsideEvents: events,
    turns: turns.map(turnDocument),
    untold: unsimulated.map(unsimulatedDocument),
    summary: { ...counts(input), ...(secondsOff ? { secondsOff } : {}) },
    workloads: workloads.map((one) => ({
      workload: one.workload,
      verdict: one.verdict,
      certainty: one.certainty,
      ...(one.dependsOn ? { dependsOn: one.dependsOn } : {}),
      ...(one.unsimulated ? { untold: unsimulatedDocument(one.unsimulated) } : {}),
      ...(one.difference ? { reason: differenceDocument(one.difference, start) } : {}),
      ...(one.writeBacks && {
        writtenBack: one.writeBacks.map(({ cluster, evicted, back }) => ({
          cluster,
          evicted: rfc3339Milliseconds(evicted),
          back: rfc3339Milliseconds(back),
        })),
      }),
      recorded: one.recorded.map(step),
      predicted: one.predicted.map(step),
    })),
  };
}

function turnDocument({ cluster, status, noticed, earliest, latest, taken, since, until }: UnseenTurn) {
  const sign = ({ at, what }: { at: number; what: string }) => ({ time: rfc3339Milliseconds(at), what });
  return {
    cluster,
    status,
    noticed: rfc3339Milliseconds(noticed),
    earliest: rfc3339Milliseconds(earliest),
    latest: rfc3339Milliseconds(latest),
    simulated: rfc3339Milliseconds(taken),
    ...(since ? { since: sign(since) } : {}),
    ...(until ? { until: sign(until) } : {}),
  };
}

function unsimulatedDocument({ at, what, binding }: UnsimulatedChange) {
  return { time: rfc3339Milliseconds(at), what, ...(binding === undefined ? {} : { binding }) };
}

/** The most listed; the others are counted. */
const MAX_UNSIMULATED = 10;

function unsimulatedBlocks({ unsimulated, start }: ReplayInput): Block[] {
  if (unsimulated.length === 0) return [];
  const more = unsimulated.length - MAX_UNSIMULATED;
  return [
    {
      type: 'section',
      title: 'Inputs that are not in the recording; differences after them prove nothing:',
      blocks: [
        {
          type: 'rows',
          rows: [
            ...unsimulated
              .slice(0, MAX_UNSIMULATED)
              .map(({ at, what }): Words[] => [offsetText(at, start), asWarning(what)]),
            ...(more > 0 ? [['', asFaint(`and ${more} more; -o json lists all`)]] : []),
          ],
        },
      ],
    },
  ];
}

function workloadTable({ workloads, start }: ReplayInput): Block[] {
  if (workloads.length === 0)
    return [{ type: 'paragraph', words: 'No workload moved, and none was predicted to.' }];
  const last = (steps: readonly PlacementStep[]) => placementText(steps.at(-1));
  return [
    {
      type: 'table',
      columns: [
        { name: 'VERDICT' },
        { name: 'WORKLOAD' },
        { name: 'STEPS' },
        { name: 'LAST' },
        { name: 'ENDS ON', wraps: 24 },
      ],
      rows: workloads.map(({ workload, verdict, recorded, predicted }): Words[] => [
        TONES[verdict](verdict),
        workloadName(workload),
        verdict === 'agree'
          ? String(recorded.length - 1)
          : `${recorded.length - 1}, predicted ${predicted.length - 1}`,
        recorded.length > 1 ? offsetText(recorded.at(-1)!.time, start) : '-',
        last(recorded),
      ]),
      narrowing: [{ fold: { 'ENDS ON': '' } }, { drop: ['LAST'] }, { cut: 'WORKLOAD', to: 16 }],
    },
  ];
}

/** The placement after a step, without an empty list of evictions. */
const placementText = (step: PlacementStep | undefined) =>
  step?.placement.replace(/ \| evicting -$/, '') ?? 'nowhere';

function stepBlocks(
  {
    workload,
    recorded,
    predicted,
    certainty,
    dependsOn = [],
    unsimulated,
    difference,
    writeBacks = [],
  }: ReplayedWorkload,
  start: number,
): Block[] {
  // inputs unknown at the start are listed above
  const unsimulatedRow: Words[][] =
    unsimulated && unsimulated.at > start
      ? [['missing input', offsetText(unsimulated.at, start), asWarning(unsimulated.what)]]
      : [];
  const reasons = [
    ...(difference ? [differenceText(difference, start)] : []),
    ...writeBacks.map((one) => writeBackText(one, start)),
  ];
  const foreseen =
    reasons.length > 0 && dependsOn.length > 0
      ? [`the prediction depended on ${dependsOn.join('; and on ')}`]
      : [];
  const rows = (name: string, steps: readonly PlacementStep[]) =>
    steps.map((step, i): Words[] => [i === 0 ? name : '', offsetText(step.time, start), placementText(step)]);
  return [
    {
      type: 'section',
      title: `${workloadName(workload)}${certainty === 'certain' ? '' : ` (prediction: ${certainty})`}`,
      blocks: [
        {
          type: 'rows',
          rows: [...rows('recorded', recorded), ...rows('predicted', predicted), ...unsimulatedRow],
        },
        ...reasons.map((text): Block => ({ type: 'paragraph', words: asWarning(text) })),
        ...foreseen.map((text): Block => ({ type: 'paragraph', words: asFaint(text) })),
      ],
    },
  ];
}

function summaryText(input: ReplayInput): string {
  const { agree, race, untold, differ } = counts(input);
  const { secondsOff, events } = input;
  const off = secondsOff
    ? `; steps are off by ${secondsOff.median.toFixed(1)}s (median), ${secondsOff.most.toFixed(1)}s (most)`
    : '';
  const certain = input.workloads.filter(
    ({ verdict, certainty }) => verdict === 'differ' && certainty === 'certain',
  ).length;
  const unexplained = input.workloads.filter(({ difference }) => difference?.kind === 'unexplained').length;
  const sure = differ > 0 ? ` (${certain} of them predicted for certain, ${unexplained} unexplained)` : '';
  const noProof = untold > 0 ? `, ${untold} unproven (an input is not in the recording)` : '';
  return `${plural(agree + race + untold + differ, 'workload')} moved or should have moved: ${agree} as predicted, ${race} in another processing order${noProof}, ${differ} differently${sure}${off}. The simulation took ${plural(events, 'event')} from the recording.`;
}

/** Inputs that are unknown at the start, by kind. */
const UNKNOWABLE: Readonly<Record<Exclude<DifferenceKind, 'unexplained'>, string>> = {
  turn: 'processing order of the eviction queue, which Karmada does not guarantee, and retries after a conflict',
  health: 'when a member reports its health',
  room: 'the capacity that a cluster reports at scheduling time',
  cluster: 'the state of a cluster at the time of the decision',
  stamp: 'when an eviction task gets its creationTimestamp, from which its deadline counts',
  order: 'processing order, which Karmada does not guarantee, or a tie',
};

/**
 * One sentence: why a workload deviated from its prediction. Instants are offsets from the start (epoch milliseconds).
 */
export function differenceText(difference: Difference, start: number): string {
  const { kind, at, confirmedFrom } = difference;
  if (kind === 'unexplained')
    return `unexplained: all inputs were as predicted, and no simulation from shortly before ${offsetText(at, start)} takes the recorded step; please report it`;
  const seen = seenText(difference, start);
  const checked =
    confirmedFrom === undefined
      ? '; no simulation from shortly before takes the recorded step, which may be an internal error'
      : `; a simulation from ${offsetText(confirmedFrom, start)} predicts the recorded step`;
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
function differenceDocument(difference: Difference, start: number) {
  const { kind, at, cluster, recorded, predicted, turn, confirmedFrom } = difference;
  const time = (instant: number) => rfc3339Milliseconds(Math.round(instant));
  return {
    kind,
    time: time(at),
    text: differenceText(difference, start),
    ...(cluster === undefined ? {} : { cluster }),
    ...(recorded === undefined ? {} : { recorded }),
    ...(predicted === undefined ? {} : { predicted }),
    ...(turn?.recorded === undefined ? {} : { recordedAt: time(turn.recorded) }),
    ...(turn?.predicted === undefined ? {} : { predictedAt: time(turn.predicted) }),
    ...(confirmedFrom === undefined ? {} : { confirmedFrom: time(confirmedFrom) }),
  };
}

/** One sentence: the eviction that the scheduler undid. */
export function writeBackText({ cluster, evicted, back }: WriteBack, start: number): string {
  return `not knowable at the start: the scheduler wrote ${cluster} back at ${offsetText(back, start)}, from its reconcile before the eviction at ${offsetText(evicted, start)}; the comparison ignores it`;
}
