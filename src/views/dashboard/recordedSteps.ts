import type { Doubt } from '../../engine/history/history.ts';
import type { RecordedEvents } from '../../engine/overview/feed.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Replayed, Step } from './replayed.ts';

/** What was recorded, step by step: each change, and each gap where it begins and ends. */
export function recordedSteps({ start, end, events, doubts }: RecordedEvents): Replayed {
  const gaps = doubts.flatMap((doubt) => (doubt.from === undefined ? [] : [{ ...doubt, from: doubt.from }]));
  const steps: Step[] = [...gaps.flatMap(gapSteps), ...events].sort((a, b) => a.time - b.time);
  return {
    ...{ steps, start, end },
    gaps: gaps.map(({ from, to }) => ({ from, ...(to === undefined ? {} : { to }) })),
  };
}

/** "Nothing was heard of Work: … Until 2026-09-01T10:00:09Z." */
export function gapText({ text, to }: Pick<Doubt, 'text' | 'to'>): string {
  return to === undefined ? text : `${text} Until ${rfc3339(to)}.`;
}

function gapSteps({ text, from, to }: Doubt & { from: number }): Step[] {
  const step = (time: number, message: string): Step => ({
    ...{ type: 'Gap', time, controller: '', message },
    object: { kind: 'gap', name: '' },
  });
  if (to === undefined) return [step(from, text)];
  return [step(from, gapText({ text, to })), step(to, `heard again; a gap since ${rfc3339(from)}`)];
}
