import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { Certainty } from '../evidence.ts';
import { trackGap } from '../verdicts/readinessGap.ts';
import type { ReadinessChange, Simulation, TimelineEvent } from '../simulation/timeline.ts';
import type { Outcome, ReplicaGap, WorkloadOutcome } from '../verdicts/outcome.ts';

/** What becomes of a workload. Times are epoch milliseconds. */
export interface FailoverVerdict {
  outcome: Outcome;
  /** in a sentence, where there is more to say */
  reason?: string;
  before: TargetCluster[];
  after: TargetCluster[];
  /** copies that are being left at the start already */
  leaving: TargetCluster[];
  /** clusters that still hold an old copy at the end */
  evicting: string[];
  /** replicas; null for what has none */
  replicas: {
    /** at the start on all clusters together; where there is none but copies that are being left, those */
    wanted: number;
    /** ready at the start, on clusters that can be reached */
    readyAtStart: number;
    /** the fewest that are ready at one time */
    fewest: number;
    /** ready at the end */
    readyAtEnd: number;
  } | null;
  /** since when as many are ready as at the end */
  settledAt?: number;
  /** ready replicas that are missing against those wanted */
  gap?: ReplicaGap;
  /** the end of the last eviction task that ended: then its old copy is deleted */
  oldCopyEnds?: { time: number; clusters: string[] };
  certainty: Certainty;
  /** what an estimate or unknown depends on */
  dependsOn: string[];
}

/** The outcome of a simulation for one workload, with what an operator asks first. */
export function failoverVerdict(
  outcome: WorkloadOutcome,
  binding: ResourceBinding,
  chain: TimelineEvent[],
  { readiness = [], end }: Pick<Simulation, 'readiness' | 'end'>,
): FailoverVerdict {
  const { before, after, evicting, reason, certainty, dependsOn = [] } = outcome;
  const { replicas: asked = 0, gracefulEvictionTasks = [] } = binding.spec;
  const leaving = gracefulEvictionTasks.map(({ fromCluster: name, replicas }): TargetCluster => ({
    name,
    replicas: replicas ?? 0,
  }));
  const wanted = sum(before) || sum(leaving) || asked;
  const ready = readiness.map((change) => change.ready);
  const gap = asked > 0 ? gapOf(readiness, wanted, end) : undefined;
  const ended = chain.findLast(({ type }) => type === 'TaskEnded');
  return {
    outcome: outcome.outcome,
    ...(reason ? { reason } : {}),
    before,
    after,
    leaving,
    evicting,
    replicas:
      asked > 0
        ? {
            wanted,
            readyAtStart: ready[0] ?? 0,
            fewest: Math.min(...ready),
            readyAtEnd: ready.at(-1) ?? 0,
          }
        : null,
    ...(readiness.length > 1 ? { settledAt: readiness.at(-1)!.time } : {}),
    ...(gap ? { gap } : {}),
    ...(ended ? { oldCopyEnds: { time: ended.time, clusters: (ended.cluster ?? '').split(',') } } : {}),
    certainty,
    dependsOn,
  };
}

function sum(clusters: TargetCluster[]): number {
  return clusters.reduce((total, { replicas = 0 }) => total + replicas, 0);
}

function gapOf(readiness: ReadinessChange[], wanted: number, end: number): ReplicaGap | undefined {
  const tracker = trackGap(wanted);
  for (const { time, ready } of readiness) tracker.observe(time, ready);
  return tracker.result(end);
}
