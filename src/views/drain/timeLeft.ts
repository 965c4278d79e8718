import type { DrainPhase } from '../../analysis/drain/decide/drainStep.ts';
import type { DrainPlan } from '../../analysis/drain/plan/drainPlan.ts';
import type { DrainProgress } from '../../analysis/drain/drainEvent.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import type { PhaseTimes } from './phaseTimes.ts';

/**
 * The longest time (milliseconds) that a workload takes from its eviction until its old copy is gone, as
 * planned; undefined if nothing was planned to leave.
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
 * Milliseconds until the last old copy is gone, at the present pace: the time for the queue, then one more departure as
 * planned, or the rest of that of the workload that was evicted last. Undefined if the pace is paused, nothing was
 * planned, or it takes longer than planned.
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
