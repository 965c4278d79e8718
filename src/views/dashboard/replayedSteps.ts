import type { HistoryGap } from '../../analysis/history/history.ts';
import type { RecordedEvents } from '../../analysis/overview/feed.ts';
import { rfc3339, rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { StepsOfCause } from './place.ts';
import type { Replayed, ReplayedStep } from './answered.ts';
import type { ControllerLog, LoggedDecision } from '../../analysis/history/karmadaEvents.ts';
import type { Block } from '../../presentation/model.ts';
import { asFaint, asStrong } from '../../presentation/words.ts';
import { decisionSentence } from '../controller/newsText.ts';
import { evidenceWords } from '../words/evidence.ts';
import { objectText } from '../words/names.ts';
import { plural } from '../words/amounts.ts';

/** A recording step by step: each change, and the start and end of each gap; for one cause only its steps. */
export function recordedSteps({ start, end, events, doubts }: RecordedEvents, of?: StepsOfCause): Replayed {
  const gaps = doubts.flatMap((doubt) => (doubt.from === undefined ? [] : [{ ...doubt, from: doubt.from }]));
  const all: ReplayedStep[] = [...gaps.flatMap(gapSteps), ...events].sort((a, b) => a.time - b.time);
  return {
    steps: of ? all.filter((step) => isOfCause(step, of)) : all,
    start,
    end,
    gaps: gaps.map(({ from, to }) => ({ from, ...(to === undefined ? {} : { to }) })),
  };
}

/** Whether a step is among those that share a line of events. */
function isOfCause(step: ReplayedStep, { type, controller, cluster, from, until }: StepsOfCause): boolean {
  return (
    step.type === type &&
    step.controller === controller &&
    (cluster === undefined || step.cluster === cluster) &&
    from <= step.time &&
    step.time <= until
  );
}

/** "No updates were received of Work: … Until 2026-09-01T10:00:09Z." */
export function gapText({ text, to }: Pick<HistoryGap, 'text' | 'to'>): string {
  return to === undefined ? text : `${text} Until ${rfc3339(to)}.`;
}

function gapSteps({ text, from, to }: HistoryGap & { from: number }): ReplayedStep[] {
  const step = (time: number, message: string): ReplayedStep => ({
    type: 'Gap',
    time,
    controller: '',
    message,
    object: { kind: 'gap', name: '' },
  });
  if (to === undefined) return [step(from, text)];
  return [step(from, gapText({ text, to })), step(to, `reconnected; gap since ${rfc3339(from)}`)];
}

/** The decisions of controllers, step by step; the first step is about facts that such a log does not show. */
export function decisionSteps(log: ControllerLog): Replayed {
  const [first, last] = [log.decisions[0]!.time, log.decisions.at(-1)!.time];
  const nothing = { kind: '', name: '' };
  const about: ReplayedStep = {
    type: 'Decision',
    time: first,
    controller: '',
    object: nothing,
    line: 0,
    message: 'limits of this log: Enter',
  };
  const steps = log.decisions.map((one): ReplayedStep => ({
    type: one.type === 'evicted' ? 'Evicted' : 'Decision',
    time: one.time,
    controller: one.controller,
    line: one.line,
    message: decisionText(one),
    object: one.object ?? nothing,
  }));
  return { steps: [about, ...steps], start: first, end: last, gaps: [] };
}

/** One decision with its evidence; for line 0, the facts that such a log does not show. */
export function decisionBlocks(log: ControllerLog, line: number): Block[] | undefined {
  if (line === 0) return [{ type: 'section', title: asStrong('Limits of this log'), blocks: limits(log) }];
  const found = log.decisions.find((one) => one.line === line);
  if (!found) return undefined;
  const { time, controller, evidence, object } = found;
  return [
    { type: 'heading', parts: [asStrong(decisionText(found)), asFaint(rfc3339Milliseconds(time))] },
    {
      type: 'keyValues',
      entries: [
        ...(controller === '' ? [] : [['decided by', controller] as const]),
        ...(object ? [['object', objectText(object)] as const] : []),
        ['line of the log', String(line)] as const,
      ],
    },
    evidence.length === 0
      ? { type: 'paragraph', words: 'The log has no evidence for it.' }
      : {
          type: 'section',
          title: asStrong('Evidence'),
          blocks: evidence.map((one): Block => ({ type: 'paragraph', words: evidenceWords(one, object) })),
        },
  ];
}

function limits({ decisions, skipped, isCut }: ControllerLog): Block[] {
  const isObserved = decisions.some(({ written }) => written === false);
  return [
    'It shows the decisions of these controllers. It does not show the scheduler, other controllers, Works, health, or earlier placements.',
    'Explanations and objects show the state of the dashboard, not of that time.',
    ...(isObserved
      ? [
          'Dry run, nothing was written: each decision assumes that no earlier one took effect. The effects of an eviction, such as the end of its task, are missing.',
        ]
      : []),
    ...(isCut
      ? ['The last line is incomplete: the process was killed, or still runs. Later decisions are unknown.']
      : []),
    ...(skipped > 0 ? [`${plural(skipped, 'line')} ${skipped === 1 ? 'is' : 'are'} no decision.`] : []),
  ].map((words): Block => ({ type: 'paragraph', words }));
}

function decisionText(one: LoggedDecision): string {
  const subject = one.workload ?? (one.object ? objectText(one.object) : '');
  return decisionSentence({ ...one, subject });
}
