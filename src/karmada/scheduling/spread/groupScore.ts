import type { SpreadConstraint } from '../../api/policy.ts';
import type { ResourceBindingSpec } from '../../api/work.ts';
import { availableOn, scoreOf, type RankedClusters } from '../rankClusters.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';
import { isDuplicated } from '../strategy.ts';

const UNIT = 1000;
const NO_TARGET = -Infinity;

/** The constraint that counts for a field: the last one. */
export function constraintOf(
  constraints: readonly SpreadConstraint[] | undefined,
  field: string,
): SpreadConstraint | undefined {
  return constraints?.findLast(({ spreadByField }) => spreadByField === field);
}

/**
 * The score of a region. Since v1.12 it says how well its clusters, in ranked order, could take their share of the
 * workload, then how much of the workload is there already; before, it was the score of its best cluster. Integer
 * division throughout.
 */
export function groupScore(
  members: readonly number[],
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
  minGroups: number,
  { regionScore }: Pick<SchedulingRules, 'regionScore'>,
): number {
  if (regionScore === 'highestClusterScore') return scoreOf(ranked, members[0]!);
  return isDuplicated(spec.placement)
    ? duplicatedScore(members, ranked, spec.replicas ?? 0)
    : dividedScore(members, ranked, spec, minGroups);
}

function duplicatedScore(members: readonly number[], ranked: RankedClusters, replicas: number): number {
  let count = 0;
  let scores = 0;
  for (const at of members) {
    if (availableOn(ranked, at) < replicas) continue;
    count++;
    scores += scoreOf(ranked, at);
  }
  return count === 0 ? 0 : count * UNIT + Math.trunc(scores / count);
}

function dividedScore(
  members: readonly number[],
  ranked: RankedClusters,
  spec: ResourceBindingSpec,
  minGroups: number,
): number {
  // Without a minimum Karmada divides floats by zero; as an int64 (on amd64) the result is no target at all.
  const target = minGroups === 0 ? NO_TARGET : Math.ceil((spec.replicas ?? 0) / minGroups);
  const clusterMinGroups = constraintOf(spec.placement?.spreadConstraints, 'cluster')?.minGroups ?? 0;
  const least = Math.max(clusterMinGroups, minGroups);
  let available = 0;
  let scores = 0;
  let count = 0;
  for (const at of members) {
    available += availableOn(ranked, at);
    scores += scoreOf(ranked, at);
    count++;
    if (count >= least && available >= target) break;
  }
  if (available < target) return available * UNIT + Math.trunc(scores / members.length);
  return (target === NO_TARGET ? 0 : target * UNIT) + Math.trunc(scores / count);
}
