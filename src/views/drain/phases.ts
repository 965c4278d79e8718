import type { DrainPhase, DrainedWorkload, DrainProgress } from '../../analysis/drain/decide/drainStep.ts';
import type { DrainPlan } from '../../analysis/drain/plan/drainPlan.ts';
import { objectKey } from '../../karmada/objects/identities.ts';

/** The phases in the order in which a workload passes through them, then those in which it is stuck. */
export const PHASES: readonly DrainPhase[] = [
  'queued',
  'scheduling',
  'starting',
  'ready',
  'leaving',
  'gone',
  'stays',
  'skipped',
  'stuck',
];

/** How many workloads are in each phase. */
export function phaseCounts(workloads: readonly DrainedWorkload[]): Record<DrainPhase, number> {
  const counts = Object.fromEntries(PHASES.map((phase) => [phase, 0])) as Record<DrainPhase, number>;
  for (const { phase } of workloads) counts[phase]++;
  return counts;
}

/** "3 queued", "1 starting": those of the given phases that are not empty. */
export function countTexts(counts: Record<DrainPhase, number>, phases: readonly DrainPhase[]): string[] {
  return phases.filter((phase) => counts[phase] > 0).map((phase) => `${counts[phase]} ${phase}`);
}

/** Observed times of one binding, in epoch milliseconds. */
interface PhaseTime {
  phase: DrainPhase;
  /** when it entered its phase */
  since: number;
  /** when it was evicted, or first seen evicted; absent unless it is evicting */
  evictedAt?: number;
}

/** The times of each binding, by `objectKey`. */
export type PhaseTimes = ReadonlyMap<string, PhaseTime>;

/** Phases of evicted workloads that are not gone. */
const UNDER_WAY: ReadonlySet<DrainPhase> = new Set(['scheduling', 'starting', 'ready', 'leaving', 'stuck']);

/** Follows the phases from one observation of a drain to the next. */
export function followPhases(before: PhaseTimes, { workloads, now }: DrainProgress): PhaseTimes {
  return new Map(
    workloads.map(({ binding, phase }) => {
      const key = objectKey(binding);
      const known = before.get(key);
      if (known?.phase === phase) return [key, known];
      const evictedAt = UNDER_WAY.has(phase) ? { evictedAt: known?.evictedAt ?? now } : {};
      return [key, { phase, since: now, ...evictedAt }];
    }),
  );
}

/**
 * The longest planned time (milliseconds) from a workload's eviction until its old copy is gone; undefined if no workload was planned to
 * leave.
 */
export function plannedDeparture({ workloads }: Pick<DrainPlan, 'workloads'>): number | undefined {
  let longest: number | undefined;
  for (const { evictedAt, goneAt } of workloads)
    if (evictedAt !== undefined && goneAt !== undefined) longest = Math.max(longest ?? 0, goneAt - evictedAt);
  return longest;
}

/** Phases that a workload does not leave by waiting. */
const ENDS = new Set<DrainPhase>(['gone', 'stays', 'skipped', 'stuck']);

/**
 * Milliseconds until the last old copy is gone, at the present pace: the time for the queue, then one more planned departure, or the rest
 * of the departure evicted last. Undefined if the pace is paused, nothing was planned, or it takes longer than planned.
 */
export function timeLeft(
  { workloads, pace, now }: DrainProgress,
  departure: number | undefined,
  times: PhaseTimes,
): number | undefined {
  if (departure === undefined) return undefined;
  let queued = 0;
  let youngest: number | undefined;
  for (const { phase, binding } of workloads)
    if (phase === 'queued') queued++;
    else if (!ENDS.has(phase))
      youngest = Math.max(youngest ?? 0, times.get(objectKey(binding))?.evictedAt ?? now);
  if (queued === 0) {
    if (youngest === undefined) return 0;
    const left = youngest + departure - now;
    return left > 0 ? left : undefined;
  }
  return pace.rate > 0 ? (queued * 1000) / pace.rate + departure : undefined;
}
