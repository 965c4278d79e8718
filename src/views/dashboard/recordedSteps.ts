import type { HistoryGap } from '../../analysis/history/history.ts';
import type { RecordedEvents } from '../../analysis/overview/feed.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { StepsOfCause } from './place.ts';
import type { Replayed, ReplayedStep } from './replayed.ts';

/** What was recorded, step by step: each change, and each gap where it begins and ends; of one cause only its steps. */
export function recordedSteps({ start, end, events, doubts }: RecordedEvents, of?: StepsOfCause): Replayed {
  const gaps = doubts.flatMap((doubt) => (doubt.from === undefined ? [] : [{ ...doubt, from: doubt.from }]));
  const all: ReplayedStep[] = [...gaps.flatMap(gapSteps), ...events].sort((a, b) => a.time - b.time);
  return {
    ...{ steps: of ? all.filter((step) => isOfCause(step, of)) : all, start, end },
    gaps: gaps.map(({ from, to }) => ({ from, ...(to === undefined ? {} : { to }) })),
  };
}

/** Whether a step is one of those that share a line of events. */
function isOfCause(step: ReplayedStep, { type, controller, cluster, from, until }: StepsOfCause): boolean {
  return (
    step.type === type &&
    step.controller === controller &&
    (cluster === undefined || step.cluster === cluster) &&
    from <= step.time &&
    step.time <= until
  );
}

/** "Nothing was heard of Work: … Until 2026-09-01T10:00:09Z." */
export function gapText({ text, to }: Pick<HistoryGap, 'text' | 'to'>): string {
  return to === undefined ? text : `${text} Until ${rfc3339(to)}.`;
}

function gapSteps({ text, from, to }: HistoryGap & { from: number }): ReplayedStep[] {
  const step = (time: number, message: string): ReplayedStep => ({
    ...{ type: 'Gap', time, controller: '', message },
    object: { kind: 'gap', name: '' },
  });
  if (to === undefined) return [step(from, text)];
  return [step(from, gapText({ text, to })), step(to, `heard again; a gap since ${rfc3339(from)}`)];
}
