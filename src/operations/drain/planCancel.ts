import { isCordoned, uncordoned } from '../../engine/drain/cordon.ts';
import { isDrainTask, releaseTasks } from '../../engine/drain/drainTasks.ts';
import { restoreClusters } from '../../engine/drain/restoreClusters.ts';
import { bindingIdentity, workloadIdentity } from '../../engine/explanation/identities.ts';
import { worksOfBinding } from '../../engine/explanation/worksOfBinding.ts';
import type { World } from '../../engine/world.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, ResourceBindingSpec, TargetCluster, Work } from '../../karmada/api/work.ts';

/** What `drain --cancel` would do. */
export interface CancelPlan {
  clusters: CancelledCluster[];
  /** what is on its way out and is put back, by namespace and name */
  restored: RestoredWorkload[];
  /** what has left already and stays where it is now */
  left: LeftWorkload[];
}

export interface CancelledCluster {
  name: string;
  /** not-there: there is no Cluster of the name; as-it-is: neither cordoned nor marked by a drain */
  change: 'uncordoned' | 'unmarked' | 'as-it-is' | 'not-there';
}

export interface RestoredWorkload {
  workload: ObjectIdentity;
  binding: ObjectIdentity;
  /** put back into spec.clusters */
  to: TargetCluster[];
  /** given back by what had replaced it */
  given: TargetCluster[];
  /** what the user has to know of it */
  note?: string;
}

export interface LeftWorkload {
  workload: ObjectIdentity;
  binding: ObjectIdentity;
  from: string[];
  reason: string;
}

/** What the cancelling of a drain makes of the objects of a world; nothing is written. */
export function planCancel(
  { clusters, bindings, works }: Pick<World, 'clusters' | 'bindings' | 'works'>,
  names: readonly string[],
): CancelPlan {
  const known = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const cancelled = new Set(names.filter((name) => known.has(name)));
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
  };
  for (const binding of [...ours].sort(byName)) {
    const { apiVersion: _version, ...workload } = workloadIdentity(binding);
    const about = { workload, binding: bindingIdentity(binding) };
    const change = restore(binding, cancelled, worksOf(binding));
    if (change.restored) plan.restored.push({ ...about, ...change.restored });
    else if (change.left) plan.left.push({ ...about, ...change.left });
  }
  return plan;
}

/** What is to be made of one binding. */
export interface BindingCancellation {
  /** the spec to be written; the binding's own where nothing is to be */
  spec: ResourceBindingSpec;
  restored?: Omit<RestoredWorkload, 'workload' | 'binding'>;
  left?: Omit<LeftWorkload, 'workload' | 'binding'>;
}

/**
 * Puts back the clusters that a drain's tasks take out of a binding, each by itself: one may be gone and another one
 * not. What is gone cannot be put back without moving; of it only the hold is taken off, so that its task does not
 * stay for ever.
 */
export function restore(
  binding: ResourceBinding,
  cancelled: ReadonlySet<string>,
  works: ReadonlyMap<string, Work>,
): BindingCancellation {
  const clusters = clustersToRestore(binding, cancelled);
  const refusals = new Map<string, string>();
  for (const cluster of clusters) {
    const one = restoreClusters(binding, [cluster], works);
    if ('refused' in one) refusals.set(cluster, one.refused);
  }
  const gone = [...refusals.keys()];
  const left = gone.length > 0 ? { left: { from: gone, reason: [...refusals.values()].join('; ') } } : {};
  const released = releaseTasks(binding.spec, gone);
  const present = clusters.filter((cluster) => !refusals.has(cluster));
  if (present.length === 0) return { spec: released, ...left };
  const restoration = restoreClusters({ ...binding, spec: released }, present, works);
  if ('refused' in restoration)
    return { spec: released, left: { from: clusters, reason: restoration.refused } };
  const { spec, restored, given, note } = restoration;
  return { spec, restored: { to: restored, given, ...(note === undefined ? {} : { note }) }, ...left };
}

/** The clusters, of those given, that a task of a drain takes out of the binding. */
export function clustersToRestore({ spec }: ResourceBinding, cancelled: ReadonlySet<string>): string[] {
  return (spec.gracefulEvictionTasks ?? [])
    .filter((task) => isDrainTask(task) && cancelled.has(task.fromCluster))
    .map(({ fromCluster }) => fromCluster);
}

function byName({ metadata: a }: ResourceBinding, { metadata: b }: ResourceBinding): number {
  const [x, y] = [`${a.namespace ?? ''}/${a.name}`, `${b.namespace ?? ''}/${b.name}`];
  return x < y ? -1 : x > y ? 1 : 0;
}
