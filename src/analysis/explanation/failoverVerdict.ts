import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import { type ClusterFacts, wantedReplicas } from '../../karmada/objects/placement.ts';
import type { Simulation } from '../../simulator/simulation/simulation.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { OutcomeOfWorkload, OutcomeWithEnd, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import { smallest } from '../../kubernetes/longLists.ts';

/** The simulated outcome of a workload, with what an operator asks first. Times are epoch milliseconds. */
export type FailoverVerdict = OutcomeWithEnd &
  Omit<OutcomeOfWorkload, 'kind' | 'namespace' | 'name' | 'binding'> & {
    leaving: TargetCluster[];
    dependsOn: string[];
    /** replicas; null for workloads without any */
    replicas: {
      /** the desired number on all clusters together */
      wanted: number;
      /** ready at the start, on reachable clusters */
      readyAtStart: number;
      /** the fewest that are ready at any time */
      fewest: number;
      readyAtEnd: number;
    } | null;
    /** when the final number of ready replicas was reached; absent if none are ready */
    settledAt?: number;
    /** when the last eviction task ended: then its old copy is deleted */
    oldCopyEnds?: {
      time: number;
      clusters: string[];
      /** its Work was deleted earlier: the task did not keep the copy */
      deletedBefore: boolean;
    };
  };

/** The simulated outcome of one workload, with the times of its eviction steps and its readiness. */
export function failoverVerdict(
  outcome: WorkloadOutcome,
  binding: ResourceBinding,
  chain: TimelineEvent[],
  { readiness = [] }: Pick<Simulation, 'readiness'>,
  facts: ClusterFacts,
): FailoverVerdict {
  const { kind: _kind, namespace: _namespace, name: _name, binding: _binding, ...verdict } = outcome;
  const ready = readiness.map((change) => change.ready);
  const readyAtEnd = ready.at(-1) ?? 0;
  const replicas = {
    wanted: wantedReplicas(binding, facts),
    readyAtStart: ready[0] ?? 0,
    fewest: smallest(ready),
    readyAtEnd,
  };
  const ended = chain.findLast(({ type }) => type === 'TaskEnded');
  return {
    ...verdict,
    leaving: verdict.leaving ?? [],
    dependsOn: verdict.dependsOn ?? [],
    replicas: (binding.spec.replicas ?? 0) > 0 ? replicas : null,
    ...(readiness.length > 1 && readyAtEnd > 0 ? { settledAt: readiness.at(-1)!.time } : {}),
    ...(ended ? { oldCopyEnds: oldCopyEnd(ended, chain) } : {}),
  };
}

function oldCopyEnd(
  ended: TimelineEvent,
  chain: TimelineEvent[],
): NonNullable<FailoverVerdict['oldCopyEnds']> {
  const clusters = (ended.cluster ?? '').split(',');
  const before = chain.slice(0, chain.indexOf(ended));
  const isDeleted = (name: string) =>
    before.some(
      ({ type, cluster, object }) =>
        type === 'WorkDeleted' && cluster === name && object.name === ended.object.name,
    );
  return { time: ended.time, clusters, deletedBefore: clusters.every(isDeleted) };
}
