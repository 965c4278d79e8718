import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import { wantedReplicas, type ClusterFacts } from '../../karmada/objects/placement.ts';
import type { Simulation } from '../../simulator/simulation/simulation.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { OutcomeOfWorkload, OutcomeWithEnd, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import { smallest } from '../../kubernetes/longLists.ts';

/**
 * The outcome of a workload, as the simulation says it, with what an operator asks first. Times are epoch
 * milliseconds.
 */
export type FailoverVerdict = OutcomeWithEnd &
  Omit<OutcomeOfWorkload, 'kind' | 'namespace' | 'name' | 'binding'> & {
    leaving: TargetCluster[];
    dependsOn: string[];
    /** replicas; null for what has none */
    replicas: {
      /** that it is to have on all clusters together */
      wanted: number;
      /** ready at the start, on clusters that can be reached */
      readyAtStart: number;
      /** the fewest that are ready at one time */
      fewest: number;
      /** ready at the end */
      readyAtEnd: number;
    } | null;
    /** since when as many are ready as at the end; absent if that is none */
    settledAt?: number;
    /** the end of the last eviction task that ended: then its old copy is deleted */
    oldCopyEnds?: {
      time: number;
      clusters: string[];
      /** its Work was deleted before: the task did not keep it */
      deletedBefore: boolean;
    };
  };

/** The outcome of a simulation for one workload, with the times of its chain and its readiness. */
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
