import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { type ClusterSnapshot, schedulerSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import type { WorstCase } from './auditedWorkload.ts';
import { type Cause, causeOf } from './causes.ts';
import type { Contingency } from './contingencies.ts';
import type { Tally, WorstEffect } from './tally.ts';

/**
 * The worst case of each workload with its cause, by key of its binding; and all these causes, for the next audit.
 *
 * @param placed the audited bindings, by key
 * @param now epoch milliseconds
 * @param known causes found by an earlier audit that still apply
 */
export function worstCases(
  placed: ReadonlyMap<string, ResourceBinding>,
  { tally, contingencies }: { tally: Tally; contingencies: readonly Contingency[] },
  { world, configuration, now }: { world: ResumableWorld; configuration: Configuration; now: number },
  known: ReadonlyMap<WorstEffect, Cause> = new Map(),
): { cases: Map<string, WorstCase>; causes: Map<WorstEffect, Cause> } {
  const worst = [...placed].flatMap(([key, binding]) => {
    const found = tally.of(key)?.worst;
    return found ? [{ key, binding, found }] : [];
  });
  const cases = new Map<string, WorstCase>();
  const causes = new Map<WorstEffect, Cause>();
  let remaining: { at: number; snapshot: ClusterSnapshot } | undefined;
  // Sorted by contingency: each needs its own snapshot of clusters.
  for (const { key, binding, found } of worst.sort((a, b) => a.found.at - b.found.at)) {
    const { at, trouble, outcome, certainty, after, reason } = found;
    const { name, clusters } = contingencies[at]!;
    let cause = known.get(found);
    if (!cause) {
      if (remaining?.at !== at) remaining = { at, snapshot: withoutClusters(world, clusters, configuration) };
      cause = causeOf(trouble, found, binding, remaining.snapshot, now);
    }
    causes.set(found, cause);
    cases.set(key, {
      trouble,
      contingency: name,
      outcome,
      certainty,
      after,
      ...(reason !== undefined && { reason }),
      cause,
    });
  }
  return { cases, causes };
}

/** The remaining clusters, as the scheduler sees them. */
export function withoutClusters(
  { clusters, bindings }: ResumableWorld,
  failing: Iterable<string>,
  configuration: Configuration,
): ClusterSnapshot {
  const failed = new Set(failing);
  const left = clusters.filter(({ metadata }) => !failed.has(metadata.name));
  return schedulerSnapshot(left, bindings, configuration);
}
