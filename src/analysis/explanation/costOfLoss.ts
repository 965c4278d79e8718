import type { WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';

/** What the loss of a cluster would cost. */
export interface CostOfLoss {
  /** workloads that are lost or never come to rest */
  lost: number;
  blocked: number;
  /** workloads that move, partly or as a whole, or start anew */
  moves: number;
  /** for workloads that still miss replicas at rest: the most that each missed at one time, added up */
  missingForGood: number;
  /**
   * for the other workloads: the most replicas missing at one time, times the minutes during which some are; rounded up
   */
  missingReplicaMinutes: number;
}

/** Adds up the outcomes of the workloads of a failing cluster. */
export function costOfLoss(forecast: readonly WorkloadOutcome[]): CostOfLoss {
  const cost: CostOfLoss = { lost: 0, blocked: 0, moves: 0, missingForGood: 0, missingReplicaMinutes: 0 };
  let seconds = 0;
  for (const { outcome, gap } of forecast) {
    if (outcome === 'lost' || outcome === 'flaps') cost.lost++;
    else if (outcome === 'blocked') cost.blocked++;
    else if (outcome !== 'stays' && outcome !== 'tolerates') cost.moves++;
    if (!gap) continue;
    if (gap.open) cost.missingForGood += gap.replicas;
    else seconds += gap.replicas * gap.seconds;
  }
  return { ...cost, missingReplicaMinutes: Math.ceil(seconds / 60) };
}

/**
 * Negative if the first costs more: lost workloads count most, then blocked ones, then missing replicas and how long,
 * then moves.
 */
export function compareCosts(a: CostOfLoss, b: CostOfLoss): number {
  return (
    b.lost - a.lost ||
    b.blocked - a.blocked ||
    b.missingForGood - a.missingForGood ||
    b.missingReplicaMinutes - a.missingReplicaMinutes ||
    b.moves - a.moves
  );
}
