import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { GracefulEvictionTask, ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import {
  evictionClock,
  evictionDeadline,
  evictPluginsOf,
  passedPlugin,
  timesOut,
} from '../../karmada/eviction/evictionRule.ts';
import { isScheduled, replacementOf } from '../../karmada/eviction/replacement.ts';
import { wakesEvictionController } from '../../karmada/eviction/evictionAssessment.ts';
import { suspendsDispatching } from '../../karmada/eviction/works.ts';
import { isDividedByCapacity } from '../../karmada/scheduling/strategy.ts';
import type { ClusterSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import { afterNextScheduling } from '../../karmada/scheduling/nextScheduling.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { factsOfClusters } from '../../karmada/selection/clusterAffinity.ts';
import { isFaulty } from '../../karmada/taints/evictingTaints.ts';
import { judge, type Judgement, type UnreadyReplicas } from './judge.ts';
import { isAwaited } from './readinessCourse.ts';

/** The expected outcome of a binding after its evictions, on the present clusters. */
export interface PredictedEnd {
  judgement: Judgement;
  /** where the scheduler would place the binding, if it has not scheduled it yet */
  next: { clusters: TargetCluster[]; byCapacity: boolean } | undefined;
  binding: ResourceBinding;
  /** no work in progress needs a simulation */
  calm: boolean;
}

interface PredictionInput {
  snapshot: ClusterSnapshot;
  configuration: Configuration;
  /** epoch milliseconds */
  now: number;
}

/**
 * Judges a binding with eviction tasks without a simulation: the scheduler processes pending changes, all tasks that
 * are not held end (those that a check can end, unless they time out), and the scheduler runs again, possibly choosing
 * an evicted cluster.
 */
export function predictedEnd(binding: ResourceBinding, foresight: PredictionInput): PredictedEnd {
  const { snapshot } = foresight;
  const clusterNamed = (name: string) => snapshot.clusters.find(({ metadata }) => metadata.name === name);
  const seen = isScheduled(binding);
  const placed = seen ? binding : afterNextScheduling(binding, binding.spec, foresight).binding;
  const tasks = placed.spec.gracefulEvictionTasks ?? [];
  const staying = tasks.filter(
    (task) => !endsSooner(task, placed, notStarted(placed, binding, snapshot), foresight),
  );
  const spec = { ...placed.spec, gracefulEvictionTasks: staying };
  // An earlier reconcile has set a timer for the deadline; otherwise the tasks wait until an event wakes the
  // controller.
  const clock = evictionClock(foresight.now, foresight.configuration);
  const looked =
    tasks.some((task) => task.creationTimestamp && (evictionDeadline(task, clock) ?? 0) > clock.now) ||
    wakesEvictionController(placed, foresight.configuration.rules);
  const ends = staying.length < tasks.length && looked;
  const end = ends ? afterNextScheduling(placed, spec, foresight).binding : placed;
  const judgement = judge({
    before: binding,
    after: end,
    rules: foresight.configuration.rules,
    facts: factsOfClusters(clusterNamed, foresight.configuration.rules.scheduling, snapshot.clusters),
    evictedFrom: new Set(),
    unready: notStarted(end, binding, snapshot),
  });
  const byCapacity = isDividedByCapacity(placed.spec.placement);
  return {
    judgement,
    next: seen ? undefined : { clusters: placed.spec.clusters ?? [], byCapacity },
    binding: end,
    calm: isSettled(binding, clusterNamed),
  };
}

/** Whether a task will end if nothing changes from now on. */
function endsSooner(
  task: GracefulEvictionTask,
  placed: ResourceBinding,
  unready: UnreadyReplicas | undefined,
  { configuration }: PredictionInput,
): boolean {
  if (typeof task.suppressDeletion === 'boolean') return !task.suppressDeletion;
  if (timesOut(task, configuration.rules)) return true;
  const replaced = replacementOf(placed, configuration.rules);
  // Copies that can become ready are assumed to do so.
  const hopeful = { ...replaced, healthy: () => !unready && (placed.spec.clusters?.length ?? 0) > 0 };
  return passedPlugin(task, hopeful, evictPluginsOf(configuration)) !== undefined;
}

/**
 * Whether a binding does not change until an operator acts: all of its tasks are held, and all of its copies are
 * healthy.
 */
export function isSettled(
  { metadata, spec, status }: ResourceBinding,
  clusterNamed: (name: string) => Cluster | undefined,
): boolean {
  const tasks = spec.gracefulEvictionTasks ?? [];
  const scheduled = conditionOf(status?.conditions, 'Scheduled');
  const health = new Map(status?.aggregatedStatus?.map((item) => [item.clusterName, item.health]));
  return (
    metadata.deletionTimestamp == null &&
    tasks.every(({ suppressDeletion }) => suppressDeletion === true) &&
    isScheduled({ metadata, spec, status }) &&
    scheduled?.status === 'True' &&
    (spec.clusters ?? []).every(({ name }) => {
      const cluster = clusterNamed(name);
      return health.get(name) === 'Healthy' && isReady(cluster) && !(cluster && isFaulty(cluster));
    })
  );
}

/** Copies that are not dispatched never become ready, nor do those that must start on a cluster that is not Ready. */
function notStarted(
  { spec, status }: ResourceBinding,
  before: ResourceBinding,
  { clusters: all }: ClusterSnapshot,
): UnreadyReplicas | undefined {
  const { replicas = 0, clusters = [] } = spec;
  const healthy = new Set(
    status?.aggregatedStatus
      ?.filter(({ health }) => health === 'Healthy')
      .map(({ clusterName }) => clusterName),
  );
  const down = new Set(all.filter((cluster) => !isReady(cluster)).map(({ metadata }) => metadata.name));
  const short = clusters.filter(
    ({ name }) =>
      (suspendsDispatching(spec, name) && !healthy.has(name)) || (down.has(name) && isAwaited(before, name)),
  );
  if (replicas === 0 || short.length === 0) return undefined;
  return {
    clusters: short.map(({ name }) => name),
    replicas: short.reduce((sum, one) => sum + (one.replicas ?? 0), 0),
    all: short.length === clusters.length,
    overdue: false,
  };
}
