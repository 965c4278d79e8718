import { drainMarkOf, isCordoned, uncordoned, hasDrainTaint } from '../cordon.ts';
import { evictedTogether, releaseTasks, releaseDependent } from '../drainTasks.ts';
import { replacementReady } from '../../../karmada/status/replacementReady.ts';
import { restoreClusters } from './restoreClusters.ts';
import { returnOf, type ReturnContext } from './returnOf.ts';
import { isAttached } from '../../../karmada/objects/dependents.ts';
import { bindingIdentity, bindingKey, workloadOf, snapshotKey } from '../../../karmada/objects/identities.ts';
import { worksOfBinding } from '../../../karmada/objects/worksOfBinding.ts';
import { createClusterSnapshot } from '../../../karmada/scheduling/clusterSnapshot.ts';
import { schedulerOptions } from '../../../karmada/scheduling/schedulerOptions.ts';
import { declaredHooks } from '../../../karmada/status/healthInterpreter.ts';
import type { DeclaredHooks } from '../../../karmada/controllers/view.ts';
import type { World } from '../../../karmada/world.ts';
import type { Cluster } from '../../../karmada/api/cluster.ts';
import type {
  ResourceBinding,
  Work,
  ResourceBindingSpec,
  TargetCluster,
  GracefulEvictionTask,
} from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { DrainMark } from '../drainOptions.ts';
import { isDrainTask } from '../../../karmada/eviction/drainTask.ts';
import { isFaulty } from '../../../karmada/taints/evictingTaints.ts';
import { EVICTION_PRODUCER_TAINT_MANAGER } from '../../../karmada/api/names.ts';
import { instant } from '../../../kubernetes/time.ts';

export interface CancelPlan {
  clusters: CancelledCluster[];
  /** workloads under eviction that are restored, by namespace and name */
  restored: RestoredWorkload[];
  /** workloads that have already left, and stay where they are */
  left: LeftWorkload[];
  /** other clusters of the same drain, which remain cordoned */
  remaining: RemainingCluster[];
}

export interface CancelResult {
  /** not-finished: interrupted, or the API server refused a write; cancelling again continues */
  outcome: 'done' | 'not-finished';
  reason?: string;
  /** restored workloads */
  restored: number;
  /** workloads that had left before, or whose write failed */
  left: LeftWorkload[];
  /** clusters of the same drain that remain cordoned: that drain can be continued or cancelled */
  remaining: RemainingCluster[];
  /** seconds since the start */
  seconds: number;
}

/** A cluster whose drain continues: its mark no longer names the cancelled ones. */
export interface RemainingCluster {
  name: string;
  /** workloads whose old copies the drain holds there */
  held: number;
}

interface CancelledCluster {
  name: string;
  /** not-there: the Cluster does not exist; as-it-is: it is neither cordoned nor marked by a drain */
  change: 'uncordoned' | 'unmarked' | 'as-it-is' | 'not-there';
}

/**
 * The changes that cancelling a drain makes in a world; writes nothing.
 *
 * @param now epoch milliseconds
 */
export function planCancel(
  { clusters, bindings, works, others }: Pick<World, 'clusters' | 'bindings' | 'works' | 'others'>,
  names: readonly string[],
  configuration: Configuration,
  now: number,
): CancelPlan {
  const known = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const context = returnContextOf(
    clusters.map((cluster) => (names.includes(cluster.metadata.name) ? uncordoned(cluster) : cluster)),
    declaredHooks(others, configuration.rules),
    configuration,
    now,
  );
  const cancelled = cancelledDrain(names, clusters);
  const ours = bindings.filter((binding) => clustersToRestore(binding, cancelled).length > 0);
  const worksOf = worksOfBinding(works, ours);
  const plan: CancelPlan = {
    clusters: names.map((name): CancelledCluster => {
      const cluster = known.get(name);
      if (!cluster) return { name, change: 'not-there' };
      if (uncordoned(cluster) === cluster) return { name, change: 'as-it-is' };
      return { name, change: isCordoned(cluster) ? 'uncordoned' : 'unmarked' };
    }),
    restored: [],
    left: [],
    remaining: clusters.flatMap((cluster) =>
      remainingMark(cluster, cancelled.clusters)
        ? [{ name: cluster.metadata.name, held: heldOn(cluster.metadata.name, bindings) }]
        : [],
    ),
  };
  const after = new Map(bindings.map((binding) => [bindingKey(binding), binding]));
  for (const binding of [...ours].sort(dependentsLast)) {
    const about = { workload: workloadOf(binding), binding: bindingIdentity(binding) };
    const change = isAttached(binding.spec)
      ? restoreDependent(binding, cancelled, (key) => after.get(key))
      : restore(binding, cancelled, worksOf(binding), context);
    after.set(bindingKey(binding), { ...binding, spec: change.spec });
    if (change.waiting) {
      const to = change.waiting.map((name) => ({ name }));
      plan.restored.push({ ...about, to: [...(change.restored?.to ?? []), ...to], given: [] });
    } else if (change.restored) plan.restored.push({ ...about, ...change.restored });
    else if (change.left) plan.left.push({ ...about, ...change.left });
  }
  return plan;
}

/** The clusters as they will be once workloads are restored. */
export function returnContextOf(
  clusters: readonly Cluster[],
  hooks: DeclaredHooks,
  configuration: Configuration,
  now: number,
): ReturnContext {
  return {
    clusters: new Map(clusters.map((cluster) => [cluster.metadata.name, cluster])),
    snapshot: createClusterSnapshot(clusters, schedulerOptions(configuration)),
    configuration,
    hooks,
    now,
  };
}

/**
 * Restores a binding on the clusters from which a drain evicts it, one by one: the old copy may be gone from only some
 * of them. Where it is gone, the workload stays where it is; only the hold is removed, so that its task can end. Two
 * cases still leave, held until the replacement is ready: the scheduler would move the workload again at once, or its
 * old copy is not ready while the replacement would be deleted.
 */
export function restore(
  binding: ResourceBinding,
  cancelled: Cancelled,
  works: ReadonlyMap<string, Work>,
  context: ReturnContext,
): BindingCancellation {
  const clusters = evictedTogether(binding.spec, clustersToRestore(binding, cancelled), (name) => {
    const cluster = context.clusters.get(name);
    return cluster !== undefined && isCordoned(cluster) && drainMarkOf(cluster) !== undefined;
  });
  const refusals = new Map<string, string>();
  for (const cluster of clusters) {
    const one = restoreClusters(binding, [cluster], works, context.configuration.rules);
    if ('refused' in one) refusals.set(cluster, one.refused);
  }
  const gone = [...refusals.keys()];
  const left = gone.length > 0 ? { left: { from: gone, reason: [...refusals.values()].join('; ') } } : {};
  const released = releaseTasks(binding.spec, gone, context.configuration, true);
  const present = clusters.filter((cluster) => !refusals.has(cluster));
  if (present.length === 0) return { spec: released, ...left };
  const way = returnOf({ ...binding, spec: released }, present, works, context);
  if ('refused' in way) return stayGoing(binding, clusters, way.refused, works, context);
  if (way.risk !== undefined) return stayGoing(binding, clusters, way.risk, works, context);
  const { spec, affinityName, restored, given, note } = way;
  return {
    spec,
    ...(affinityName === undefined ? {} : { affinityName }),
    restored: { to: restored, given, ...(note === undefined ? {} : { note }) },
    ...left,
  };
}

/** A workload that cannot be restored leaves as in the drain: once its replacement is ready. */
function stayGoing(
  binding: ResourceBinding,
  clusters: string[],
  why: string,
  works: ReadonlyMap<string, Work>,
  context: ReturnContext,
): BindingCancellation {
  const { spec } = binding;
  const { clusters: all, hooks, configuration } = context;
  const released = releaseTasks(spec, clusters, configuration);
  const isHeld = released !== spec;
  const readiness = replacementReady(binding, works, all, hooks, configuration.rules.scheduling);
  const held = isHeld && !readiness.ready;
  const then = held
    ? `its eviction continues, and its old copy is held until the replacement is ready (${readiness.waitingFor})`
    : 'its eviction continues';
  return {
    spec: held ? spec : released,
    left: { from: clusters, reason: `${why}; ${then}` },
    ...(held ? { held } : {}),
  };
}

/** Sorts dependents last: they depend on the bindings restored before. */
export function dependentsLast(a: ResourceBinding, b: ResourceBinding): number {
  return Number(isAttached(a.spec)) - Number(isAttached(b.spec)) || byName(a, b);
}

function byName({ metadata: a }: ResourceBinding, { metadata: b }: ResourceBinding): number {
  const [x, y] = [`${a.namespace ?? ''}/${a.name}`, `${b.namespace ?? ''}/${b.name}`];
  return x < y ? -1 : x > y ? 1 : 0;
}

export interface RestoredWorkload {
  workload: ObjectIdentity;
  binding: ObjectIdentity;
  /** put back into spec.clusters */
  to: TargetCluster[];
  /** removed from the clusters that replaced it */
  given: TargetCluster[];
  /** notes for the user */
  note?: string;
}

export interface LeftWorkload {
  workload: ObjectIdentity;
  binding: ObjectIdentity;
  from: string[];
  reason: string;
}

export interface BindingCancellation {
  /** the spec to write; the binding's own if nothing changes */
  spec: ResourceBindingSpec;
  /** the affinity group to write into the status first, so that the scheduler starts with it */
  affinityName?: string;
  restored?: Omit<RestoredWorkload, 'workload' | 'binding'>;
  left?: Omit<LeftWorkload, 'workload' | 'binding'>;
  /** it cannot be restored; its old copy is held until the replacement is ready */
  held?: true;
  /** of a dependent: clusters that its parents are back on, but that Karmada has not added to its requiredBy yet */
  waiting?: string[];
}

/**
 * What happens to the tasks of a drain on a dependent: the task is released if requiredBy names the cluster again, or
 * if no parent is left there; it is kept while a parent that cannot be restored is held itself.
 */
export function restoreDependent(
  binding: ResourceBinding,
  cancelled: Cancelled,
  find: (key: string) => ResourceBinding | undefined,
): BindingCancellation {
  const requiredBy = binding.spec.requiredBy ?? [];
  const parents = requiredBy.flatMap((one) => find(snapshotKey(one)) ?? []);
  const back: string[] = [];
  const gone: string[] = [];
  const kept: string[] = [];
  const waiting: string[] = [];
  for (const name of clustersToRestore(binding, cancelled))
    if (requiredBy.some(({ clusters }) => clusters?.some((one) => one.name === name))) back.push(name);
    else if (parents.some(({ spec }) => spec.clusters?.some((one) => one.name === name))) waiting.push(name);
    else if (
      parents.some(({ spec }) => spec.gracefulEvictionTasks?.some((task) => task.fromCluster === name))
    )
      kept.push(name);
    else gone.push(name);
  const left = [...kept, ...gone];
  return {
    spec: releaseDependent(binding.spec, [...back, ...gone]),
    ...(back.length > 0 ? { restored: { to: back.map((name) => ({ name })), given: [] } } : {}),
    ...(left.length > 0 && {
      left: {
        from: left,
        reason:
          kept.length > 0
            ? 'it is kept for the workload that needs it, which is being evicted'
            : 'the workload that needs it has left, so it is evicted too',
      },
    }),
    ...(kept.length > 0 ? { held: true } : {}),
    ...(waiting.length > 0 ? { waiting } : {}),
  };
}

export interface Cancelled {
  clusters: ReadonlySet<string>;
  /**
   * the clusters from which Karmada evicts only for a drain's taint, and since when (epoch milliseconds): Karmada's
   * evictions since then are the drain's
   */
  taintedSince: ReadonlyMap<string, number>;
}

/** The scope of cancelling the drains of the named clusters, by the clusters as they are now. */
export function cancelledDrain(names: Iterable<string>, clusters: readonly Cluster[]): Cancelled {
  const own = new Set(names);
  const taintedSince = new Map<string, number>();
  for (const cluster of clusters) {
    const { name } = cluster.metadata;
    const mark = drainMarkOf(cluster);
    const started = mark?.started ? instant(mark.started) : undefined;
    if (!own.has(name) || started === undefined) continue;
    if (mark?.method !== 'taint' && !hasDrainTaint(cluster)) continue;
    // PreferNoExecute evicts as well, but exists only on Clusters of versions that support it.
    if (!isFaulty(uncordoned(cluster))) taintedSince.set(name, started);
  }
  return { clusters: own, taintedSince };
}

/** The new mark of a cluster, if the cancelled drains also drain it; undefined if its mark stays. */
export function remainingMark(cluster: Cluster, cancelled: ReadonlySet<string>): DrainMark | undefined {
  const mark = drainMarkOf(cluster);
  if (!mark || !isCordoned(cluster) || cancelled.has(cluster.metadata.name)) return undefined;
  const clusters = mark.clusters.filter((name) => !cancelled.has(name));
  return clusters.length === mark.clusters.length ? undefined : { ...mark, clusters };
}

/** How many bindings have a task for a cluster that a drain holds. */
export function heldOn(cluster: string, bindings: Iterable<ResourceBinding>): number {
  let held = 0;
  for (const { spec } of bindings)
    if (spec.gracefulEvictionTasks?.some((task) => task.fromCluster === cluster && isHeld(task))) held++;
  return held;
}

function isHeld(task: GracefulEvictionTask): boolean {
  return isDrainTask(task) && task.suppressDeletion === true;
}

/** The cancelled clusters that the binding is leaving by tasks of their drains. */
export function clustersToRestore(
  { spec }: ResourceBinding,
  { clusters, taintedSince }: Cancelled,
): string[] {
  return (spec.gracefulEvictionTasks ?? [])
    .filter((task) => clusters.has(task.fromCluster) && (isDrainTask(task) || isOfTaint(task, taintedSince)))
    .map(({ fromCluster }) => fromCluster);
}

/** Whether Karmada evicted because of a drain's taint; creation timestamps of tasks are in whole seconds. */
function isOfTaint(
  { fromCluster, producer, creationTimestamp }: GracefulEvictionTask,
  taintedSince: Cancelled['taintedSince'],
): boolean {
  const since = taintedSince.get(fromCluster);
  if (since === undefined || producer !== EVICTION_PRODUCER_TAINT_MANAGER) return false;
  const created = creationTimestamp ? instant(creationTimestamp) : undefined;
  return created === undefined || created >= since - 1000;
}
