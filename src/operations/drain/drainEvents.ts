import type {
  DrainEvent,
  CurrentPace,
  DrainedWorkload,
  DrainPhase,
  DrainStep,
} from '../../analysis/drain/decide/drainStep.ts';
import { objectKey } from '../../karmada/objects/identities.ts';

type Untimed<Event> = Event extends unknown ? Omit<Event, 'time'> : never;
export type DrainNews = Untimed<DrainEvent>;

/** The order of the phases: a workload only advances, unless it is restored and evicted again. */
const reached: Record<DrainPhase, number> = {
  stays: 0,
  skipped: 0,
  queued: 0,
  scheduling: 1,
  stuck: 1,
  starting: 2,
  ready: 3,
  leaving: 4,
  gone: 5,
};

interface Reported {
  reached: number;
  phase: DrainPhase;
  from: DrainedWorkload['from'];
  /** a placement elsewhere has been reported */
  placed: boolean;
  /** the last reported reason for skipping it, or for being stuck */
  trouble: string | undefined;
}

interface DrainStepReader {
  /** the events since the last step; empty for the first step of a run */
  read(step: Pick<DrainStep, 'workloads' | 'pace'>): DrainNews[];
}

/** @param holds whether the drain holds old copies, and releases them later */
export function createDrainStepReader(holds: boolean): DrainStepReader {
  const reported = new Map<string, Reported>();
  let pace: CurrentPace | undefined;
  let begun = false;

  function ofWorkload(workload: DrainedWorkload): DrainNews[] {
    const key = objectKey(workload.binding);
    const before = reported.get(key);
    const at = reached[workload.phase];
    // a workload that is gone is no longer on any cluster
    const from = workload.from.length > 0 ? workload.from : (before?.from ?? []);
    const { phase, to, waitingFor: reason = '' } = workload;
    const news: DrainNews[] = [];
    const about = { workload: workload.workload, binding: workload.binding };
    let trouble = before?.trouble;
    const reportTrouble = () => {
      if (phase !== 'stays' && phase !== 'skipped' && phase !== 'stuck') return;
      if (phase === before?.phase || trouble === reason) return;
      trouble = reason;
      news.push({ type: phase, ...about, reason });
    };
    if (!begun) {
      reportTrouble();
      reported.set(key, { reached: at, phase, from, placed: at >= 2 && to.length > 0, trouble });
      return news;
    }
    // if first seen with a terminating Work, it was not evicted by this run
    const since = before?.reached ?? (phase === 'leaving' ? at : 0);
    const passes = (mark: number) => since < mark && at >= mark;
    const names = from.map(({ name }) => name);
    if (passes(1)) news.push({ type: 'evicted', ...about, from });
    const isPlaced = at >= 2 && to.length > 0;
    const placed = before?.placed ?? since >= 2;
    if (isPlaced && !placed) news.push({ type: 'scheduled', ...about, to });
    reportTrouble();
    if (holds && passes(4)) news.push({ type: 'released', ...about, from: names });
    if (passes(5)) news.push({ type: 'gone', ...about, from: names });
    reported.set(key, { reached: Math.max(at, since), phase, from, placed: placed || isPlaced, trouble });
    return news;
  }

  return {
    read(step) {
      const news = step.workloads.flatMap(ofWorkload);
      if (pace === undefined ? step.pace.mode !== 'normal' : pace.mode !== step.pace.mode)
        news.push({ type: 'pace', pace: step.pace });
      pace = step.pace;
      begun = true;
      return news;
    },
  };
}
