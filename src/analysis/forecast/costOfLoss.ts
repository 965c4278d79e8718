import type { Outcome, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';

/** The result of a loss of clusters: the outcome of each workload, and the total cost. */
export interface Losses<Workload = WorkloadOutcome> extends LossTotals {
  /** one for each requested workload with a copy on them, including copies under eviction */
  workloads: Workload[];
}

export interface LossTotals {
  /** how many workloads have each outcome */
  ifItFails: Partial<Record<Outcome, number>>;
  /** how many of these outcomes are uncertain */
  uncertainIfItFails: number;
  costIfItFails: CostOfLoss;
}

export interface CostOfLoss {
  /** workloads that are lost or never settle */
  lost: number;
  /** workloads without a ready replica at the end, whatever their outcome */
  down: number;
  blocked: number;
  /** workloads that move, partly or completely, or restart */
  moves: number;
  /** for workloads with missing replicas at the end: the sum of each one's peak */
  missingForGood: number;
  /** how many of them are missing permanently; the others are unknown */
  missingPermanently: number;
  /** for other workloads: peak of missing replicas times minutes of the gap, rounded up */
  missingReplicaMinutes: number;
}

/** The total cost of outcomes. */
export function lossesOf(workloads: WorkloadOutcome[]): Losses {
  return { workloads, ...lossTotals(workloads) };
}

/** The total cost without the outcomes themselves. */
export function lossTotals(
  workloads: readonly Pick<WorkloadOutcome, 'outcome' | 'certainty' | 'gap' | 'down'>[],
): LossTotals {
  const counts: Losses['ifItFails'] = {};
  const cost: CostOfLoss = {
    lost: 0,
    down: 0,
    blocked: 0,
    moves: 0,
    missingForGood: 0,
    missingPermanently: 0,
    missingReplicaMinutes: 0,
  };
  let [uncertain, seconds] = [0, 0];
  for (const { outcome, certainty, gap, down } of workloads) {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (certainty !== 'certain') uncertain++;
    if (down) cost.down++;
    if (outcome === 'lost' || outcome === 'flaps') cost.lost++;
    else if (outcome === 'blocked') cost.blocked++;
    else if (outcome !== 'stays' && outcome !== 'tolerates') cost.moves++;
    if (!gap) continue;
    if (gap.open) cost.missingForGood += gap.replicas;
    if (gap.permanent) cost.missingPermanently += gap.replicas;
    if (!gap.open) seconds += gap.replicas * gap.seconds;
  }
  cost.missingReplicaMinutes = Math.ceil(seconds / 60);
  return { ifItFails: counts, uncertainIfItFails: uncertain, costIfItFails: cost };
}

/**
 * Negative if the first costs more: lost workloads count most, then blocked ones, then missing replicas and their
 * duration, then moves.
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
