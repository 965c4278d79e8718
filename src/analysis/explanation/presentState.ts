import { conditionOf } from '../../karmada/objects/conditions.ts';
import { plainNames } from '../../karmada/configuration/inputNames.ts';
import type { Condition } from '../../karmada/api/meta.ts';
import type { ResourceBinding, ResourceHealth } from '../../karmada/api/work.ts';
import { isScheduled } from '../../karmada/eviction/replacement.ts';
import { targetClusters } from '../../karmada/objects/placement.ts';
import type { World } from '../../karmada/world.ts';
import { type EvictionTaskExplanation, explainEvictionTasks } from './tasks/evictionTask.ts';
import { simulatedTasks } from './tasks/simulatedTasks.ts';
import { isStale } from '../../karmada/objects/clusterReadiness.ts';
import type { Simulation } from '../../simulator/simulation/simulation.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { Doubt } from '../../simulator/verdicts/doubt.ts';
import type { WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import type { SchedulingDecision } from './schedulingDecision.ts';
import type { KnownConfiguration } from '../../karmada/configuration/assumptions.ts';

/** The placement of a workload at the instant of the state. */
export interface PresentState {
  /** the requested number; null for workloads without replicas */
  replicas: number | null;
  clusters: PresentCluster[];
  /** its affinity group, if it has groups */
  affinityGroup?: string;
  evictions: EvictionTaskExplanation[];
  /** the Scheduled condition; null if the scheduler has not written one */
  scheduled: Pick<Condition, 'status' | 'reason' | 'message' | 'lastTransitionTime'> | null;
  /** the scheduler has seen the current spec */
  upToDate: boolean;
  lastScheduledTime: string | null;
}

interface PresentCluster {
  name: string;
  replicas: number;
  health: ResourceHealth | null;
  /** the cluster is not Ready: its health is from the last report */
  stale: boolean;
}

interface PresentQuestion extends KnownConfiguration {
  binding: ResourceBinding;
  /** epoch milliseconds */
  now: number;
  /** a simulation of this state without further events */
  calm?: Simulation | undefined;
}

/** Reads where a workload is from its binding, with an explanation of each of its eviction tasks. */
export function presentState(world: World, question: PresentQuestion): PresentState {
  const { binding, configuration, unverified: unverified, names = plainNames, now, calm } = question;
  const { spec, status } = binding;
  const clusters = new Map(world.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const reported = new Map(status?.aggregatedStatus?.map((item) => [item.clusterName, item.health ?? null]));
  const scheduled = conditionOf(status?.conditions, 'Scheduled');
  const timeout = 'graceful-eviction-timeout';
  return {
    replicas: spec.replicas !== undefined && spec.replicas > 0 ? spec.replicas : null,
    clusters: targetClusters(spec).map(({ name, replicas = 0 }) => ({
      name,
      // The replicas in spec.requiredBy are those of the parent.
      replicas: spec.replicas ? replicas : 0,
      health: reported.get(name) ?? null,
      stale: isStale(clusters.get(name)),
    })),
    ...(spec.placement?.clusterAffinities && status?.schedulerObservingAffinityName
      ? { affinityGroup: status.schedulerObservingAffinityName }
      : {}),
    evictions: explainEvictionTasks(world, [binding], {
      now,
      configuration,
      ...(calm && { played: simulatedTasks(calm) }),
      ...(unverified.has(timeout) ? { timeoutAssumed: `${names.assume} ${timeout}=DURATION` } : {}),
    }),
    scheduled: scheduled
      ? {
          status: scheduled.status,
          ...(scheduled.reason ? { reason: scheduled.reason } : {}),
          ...(scheduled.message ? { message: scheduled.message } : {}),
          ...(scheduled.lastTransitionTime ? { lastTransitionTime: scheduled.lastTransitionTime } : {}),
        }
      : null,
    upToDate: isScheduled(binding),
    lastScheduledTime: status?.lastScheduledTime ?? null,
  };
}

/** The doubts about an outcome, its steps and the scheduler's decision, without duplicates. */
export function doubtsOf(
  outcome: WorkloadOutcome,
  chain: TimelineEvent[],
  decision: SchedulingDecision,
  { replicas, clusters }: PresentState,
  { configuration, unverified: unverified, names = plainNames }: KnownConfiguration,
): Doubt[] {
  const doubts: Doubt[] = [];
  const add = (doubt: Doubt) => {
    if (!doubts.some(({ what, missing }) => what === doubt.what && missing === doubt.missing))
      doubts.push(doubt);
  };
  if (outcome.certainty !== 'certain')
    for (const what of outcome.dependsOn ?? []) add({ certainty: outcome.certainty, what });
  for (const { certainty, rule, missing } of chain.flatMap(({ evidence }) => evidence))
    if (certainty && certainty !== 'certain') add({ certainty, what: rule, ...(missing ? { missing } : {}) });
  // Unready replicas are assumed to start with the last scheduling; for replicas that never start, the outcome has its
  // own doubt.
  const starting = clusters.filter(({ health, stale }) => health !== null && health !== 'Healthy' && !stale);
  if (replicas !== null && starting.length > 0 && !outcome.gap?.permanent)
    add({
      certainty: 'estimate',
      what: `when the replicas on ${starting.map(({ name }) => name).join(', ')} become ready: assumed from the last scheduling on`,
      missing: `${names.readyAfter} DURATION`,
    });
  if (decision.hypothetical && dividesByCapacity(decision)) {
    const estimator = 'enable-scheduler-estimator';
    if (configuration.scheduler[estimator] || unverified.has(estimator))
      add({
        certainty: configuration.scheduler[estimator] ? 'unknown' : 'estimate',
        what: configuration.scheduler[estimator]
          ? 'the capacity of clusters: only scheduler estimators know it, and the state lacks their answers'
          : 'the capacity of clusters, estimated from status.resourceSummary: scheduler estimators know it better',
        missing: `${names.assume} ${estimator}=BOOLEAN, or the Deployment of karmada-scheduler in the state`,
      });
  }
  return doubts;
}

/** Whether the decision depends on the capacity of clusters. */
function dividesByCapacity({ strategy, groups }: SchedulingDecision): boolean {
  return (
    strategy === 'DynamicWeight' ||
    strategy === 'Aggregated' ||
    groups.some(({ spread }) => spread !== undefined && spread.rule !== 'all')
  );
}
