import { conditionOf } from '../../karmada/objects/conditions.ts';
import { plainNames, type InputNames } from '../../karmada/configuration/inputNames.ts';
import type { Condition } from '../../karmada/api/meta.ts';
import type { ResourceBinding, ResourceHealth } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { isScheduled } from '../../karmada/eviction/replacement.ts';
import { targetClusters } from '../../karmada/objects/placement.ts';
import type { World } from '../../karmada/world.ts';
import { explainEvictionTasks, type EvictionTaskExplanation } from './tasks/evictionTask.ts';
import { playedTasks } from './tasks/playedTasks.ts';
import { isStale } from '../../karmada/objects/clusterReadiness.ts';
import type { Simulation } from '../../simulator/simulation/simulation.ts';

/** Where a workload is at the instant of the state. */
export interface PresentState {
  /** that it asks for; null for what has none */
  replicas: number | null;
  clusters: PresentCluster[];
  /** the affinity group it is in, if it has groups */
  affinityGroup?: string;
  evictions: EvictionTaskExplanation[];
  /** the Scheduled condition; null if the scheduler has not written one */
  scheduled: Pick<Condition, 'status' | 'reason' | 'message' | 'lastTransitionTime'> | null;
  /** the scheduler has seen the present spec */
  upToDate: boolean;
  lastScheduledTime: string | null;
}

export interface PresentCluster {
  name: string;
  replicas: number;
  health: ResourceHealth | null;
  /** the cluster is not Ready: its health is the last one known */
  stale: boolean;
}

export interface PresentQuestion {
  binding: ResourceBinding;
  configuration: Configuration;
  /** gates and flags that are defaults which nobody has confirmed */
  unconfirmed: ReadonlySet<string>;
  names?: InputNames | undefined;
  /** epoch milliseconds */
  now: number;
  /** a simulation of the state in which nothing is asked to happen */
  calm?: Simulation | undefined;
}

/** Reads where a workload is from its binding, with what each of its eviction tasks means. */
export function presentState(world: World, question: PresentQuestion): PresentState {
  const { binding, configuration, unconfirmed, names = plainNames, now, calm } = question;
  const { spec, status } = binding;
  const clusters = new Map(world.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const reported = new Map(status?.aggregatedStatus?.map((item) => [item.clusterName, item.health ?? null]));
  const scheduled = conditionOf(status?.conditions, 'Scheduled');
  const timeout = 'graceful-eviction-timeout';
  return {
    replicas: (spec.replicas ?? 0) > 0 ? spec.replicas! : null,
    clusters: targetClusters(spec).map(({ name, replicas = 0 }) => ({
      name,
      // the replicas in spec.requiredBy are those of the binding that requires it
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
      ...(calm && { played: playedTasks(calm) }),
      ...(unconfirmed.has(timeout) ? { timeoutAssumed: `${names.assume} ${timeout}=DURATION` } : {}),
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
