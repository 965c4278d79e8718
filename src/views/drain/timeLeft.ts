import type { DrainPhase } from '../../engine/drain/decide/drainStep.ts';
import type { DrainPlan } from '../../engine/drain/plan/drainPlan.ts';
import type { DrainProgress } from '../../engine/drain/drainEvent.ts';

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
 * Milliseconds until the last old copy is gone, at the present pace: the queue, then one more departure as
 * planned. Undefined if the pace is paused or nothing was planned.
 */
export function timeLeft(
  { workloads, pace }: DrainProgress,
  departure: number | undefined,
): number | undefined {
  if (departure === undefined) return undefined;
  let queued = 0;
  let leaving = 0;
  for (const { phase } of workloads)
    if (phase === 'queued') queued++;
    else if (!ENDS.has(phase)) leaving++;
  if (queued === 0) return leaving === 0 ? 0 : departure;
  return pace.rate > 0 ? (queued * 1000) / pace.rate + departure : undefined;
}
