import type { WorkloadOutcome } from '../verdicts/outcome.ts';

/** What the loss of a cluster would cost. */
export interface CostOfLoss {
  /** workloads of which nothing is left, or which never come to rest */
  lost: number;
  blocked: number;
  /** that move, in part or as a whole, or start anew */
  moves: number;
  /** replicas that are still missing when nothing more happens: the most of each workload that were at one time */
  missingForGood: number;
  /** of the others the most replicas missing at one time, times the minutes during which some are; rounded up */
  missingReplicaMinutes: number;
}

/** Adds up what becomes of the workloads of a cluster that fails. */
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

/** Negative if the first costs more: what is lost counts most, then what is blocked, what is missing for how long, what moves. */
export function compareCosts(a: CostOfLoss, b: CostOfLoss): number {
  return (
    b.lost - a.lost ||
    b.blocked - a.blocked ||
    b.missingForGood - a.missingForGood ||
    b.missingReplicaMinutes - a.missingReplicaMinutes ||
    b.moves - a.moves
  );
}
