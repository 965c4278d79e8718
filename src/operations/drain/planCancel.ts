import { drainMarkOf, isCordoned, uncordoned } from '../../analysis/drain/cordon.ts';
import { evictedTogether, releaseTasks } from '../../analysis/drain/drainTasks.ts';
import { replacementReady } from '../../karmada/status/replacementReady.ts';
import { restoreClusters } from '../../analysis/drain/back/restoreClusters.ts';
import { wayBack, type ReturnContext } from '../../analysis/drain/back/wayBack.ts';
import { isAttached } from '../../karmada/objects/dependents.ts';
import { bindingIdentity, bindingKey, workloadIdentity } from '../../karmada/objects/identities.ts';
import { worksOfBinding } from '../../karmada/objects/worksOfBinding.ts';
import { createClusterSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import { schedulerOptions } from '../../karmada/scheduling/schedulerOptions.ts';
import { declaredHooks } from '../../karmada/status/healthInterpreter.ts';
import type { DeclaredHooks } from '../../karmada/controllers/view.ts';
import type { World } from '../../karmada/world.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { BindingCancellation, LeftWorkload, RestoredWorkload } from './bindingCancellation.ts';
import { restoreDependent } from './restoreDependent.ts';
import {
  clustersToRestore,
  heldOn,
  remainingMark,
  whatIsCancelled,
  type Cancelled,
} from './whatIsCancelled.ts';

/** What cancelling drains would do. */
export interface CancelPlan {
  clusters: CancelledCluster[];
  /** workloads that are being evicted and are put back, by namespace and name */
  restored: RestoredWorkload[];
  /** workloads that have left already and stay where they are now */
  left: LeftWorkload[];
  /** other clusters of the same drain, which stay cordoned */
  remaining: RemainingCluster[];
}

/** A cluster whose drain goes on: its mark no longer names the cancelled ones. */
export interface RemainingCluster {
  name: string;
  /** workloads whose old copies the drain holds there */
  held: number;
}

export interface CancelledCluster {
  name: string;
  /** not-there: there is no such Cluster; as-it-is: neither cordoned nor marked by a drain */
  change: 'uncordoned' | 'unmarked' | 'as-it-is' | 'not-there';
}

/**
 * What cancelling a drain would change in a world; writes nothing.
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
  const cancelled = whatIsCancelled(names, clusters);
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
  for (const binding of [...ours].sort(byDependence)) {
    const { apiVersion: _version, ...workload } = workloadIdentity(binding);
    const about = { workload, binding: bindingIdentity(binding) };
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

/** The clusters as workloads that are put back will find them. */
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
 * Puts back the clusters that a drain's tasks take out of a binding, one by one: the workload may be gone from one and
 * not from another. If it is gone it cannot be put back without a move; only the hold is removed, so that its task does
 * not stay forever. If the scheduler would move it again at once, or the old copy is not ready and its replacement
 * would be given up, the workload still leaves, and is held until the replacement is ready.
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
  const way = wayBack({ ...binding, spec: released }, present, works, context);
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

/** A workload that cannot go back leaves as in the drain: once its replacement is ready. */
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
    ? `it leaves, and its old copy is held until the replacement is ready (${readiness.waitingFor})`
    : 'it leaves';
  return {
    spec: held ? spec : released,
    left: { from: clusters, reason: `${why}; ${then}` },
    ...(held ? { held } : {}),
  };
}

/** Sorts dependents last: their way back depends on the others. */
export function byDependence(a: ResourceBinding, b: ResourceBinding): number {
  return Number(isAttached(a.spec)) - Number(isAttached(b.spec)) || byName(a, b);
}

function byName({ metadata: a }: ResourceBinding, { metadata: b }: ResourceBinding): number {
  const [x, y] = [`${a.namespace ?? ''}/${a.name}`, `${b.namespace ?? ''}/${b.name}`];
  return x < y ? -1 : x > y ? 1 : 0;
}
