import { isAttached } from '../../objects/dependents.ts';
import { dividesReplicas } from '../../objects/placement.ts';
import type { ResourceBinding, ResourceBindingSpec, TargetCluster, Work } from '../../../karmada/api/work.ts';
import type { Rules } from '../../../karmada/dialects/rules.ts';
import { purgesDirectly } from '../../eviction/purgeMode.ts';
import { placementBefore } from '../../eviction/drainTask.ts';
import { reportedReady } from '../../status/copyReadiness.ts';

/** A binding with clusters put back. */
export interface RestoredClusters {
  spec: ResourceBindingSpec;
  /** put back into spec.clusters */
  restored: TargetCluster[];
  /** what the replacement had gained and gives back, by cluster */
  given: TargetCluster[];
  /** what the reader has to know: "spec.replicas has changed meanwhile, the scheduler will divide anew" */
  note?: string;
}

/**
 * The spec with the clusters back in the result and their tasks gone, in one write. Refused where an old copy is not
 * there in full any more: putting the cluster back would move the workload instead of keeping it.
 *
 * What the replacement has gained since the eviction it gives back in the same write, down to where the workload
 * was before. Left with more replicas than it asks for, or a duplicated one with one cluster more than its
 * constraints allow, the scheduler would choose anew and might take the very copies that are put back. The old
 * copies never stopped, so nothing is missing while the new ones go. If nothing tells what it was before,
 * replicas that are not ready go first.
 *
 * @param clusters names of clusters that a task evicts it from
 * @param works the binding's Works by cluster
 */
export function restoreClusters(
  { spec }: ResourceBinding,
  clusters: Iterable<string>,
  works: ReadonlyMap<string, Work>,
  rules: Rules,
): RestoredClusters | { refused: string } {
  const names = new Set(clusters);
  const tasks = (spec.gracefulEvictionTasks ?? []).filter(({ fromCluster }) => names.has(fromCluster));
  if (tasks.length === 0) return { refused: 'there is no eviction task to cancel' };
  if (isAttached(spec))
    return { refused: 'it goes where the workloads go that need it, and is placed by none of its own' };
  for (const { fromCluster, purgeMode } of tasks) {
    const work = works.get(fromCluster);
    if (purgesDirectly(purgeMode, rules))
      return { refused: `the copy on ${fromCluster} was purged directly; what replaces it stays` };
    if (!work || work.metadata.deletionTimestamp)
      return { refused: `the copy on ${fromCluster} is gone already; what replaces it stays` };
  }
  const present = spec.clusters ?? [];
  const restored = tasks
    .filter(({ fromCluster }) => !present.some(({ name }) => name === fromCluster))
    .map(({ fromCluster, replicas }): TargetCluster => ({
      name: fromCluster,
      ...(replicas === undefined ? {} : { replicas }),
    }));
  const before = tasks.map(placementBefore).find((one) => one !== undefined);
  const kept = giveBack(spec, present, restored, before, works);
  const after: ResourceBindingSpec = {
    ...spec,
    clusters: [...kept, ...restored],
    gracefulEvictionTasks: spec.gracefulEvictionTasks!.filter((task) => !tasks.includes(task)),
  };
  const note = divisionNote(after);
  return { spec: after, restored, given: givenUp(present, kept), ...(note ? { note } : {}) };
}

/** The present clusters without what they have only because others were left. */
function giveBack(
  spec: ResourceBindingSpec,
  present: readonly TargetCluster[],
  restored: readonly TargetCluster[],
  before: readonly TargetCluster[] | undefined,
  works: ReadonlyMap<string, Work>,
): TargetCluster[] {
  const had = before && new Map(before.map(({ name, replicas }) => [name, replicas ?? 0]));
  if (!isDivided(spec)) {
    if (!had) return [...present];
    return present.filter(({ name }) => had.has(name));
  }
  let surplus = total(present) + total(restored) - (spec.replicas ?? 0);
  const kept = new Map(present.map(({ name, replicas }) => [name, replicas ?? 0]));
  const give = (name: string, most: number) => {
    const given = Math.max(0, Math.min(surplus, most));
    kept.set(name, kept.get(name)! - given);
    surplus -= given;
  };
  const latestFirst = present.toReversed();
  if (had) for (const { name, replicas = 0 } of latestFirst) give(name, replicas - (had.get(name) ?? 0));
  else {
    const ready = (name: string) => reportedReady(spec.resource, works.get(name)) ?? 0;
    for (const { name, replicas = 0 } of latestFirst) give(name, replicas - ready(name));
    for (const { name } of latestFirst) give(name, kept.get(name)!);
  }
  return present
    .map((target) => ({ ...target, replicas: kept.get(target.name)! }))
    .filter(({ name, replicas }) => replicas > 0 || (had?.has(name) ?? false));
}

/**
 * What the present clusters have more than those that are kept. One that is kept with no replicas, as it was before,
 * is none of it.
 */
export function givenUp(present: readonly TargetCluster[], kept: readonly TargetCluster[]): TargetCluster[] {
  return present.flatMap(({ name, replicas = 0 }) => {
    const left = kept.find((target) => target.name === name);
    if (!left) return [{ name, replicas }];
    const given = replicas - (left.replicas ?? 0);
    return given > 0 ? [{ name, replicas: given }] : [];
  });
}

function divisionNote(after: ResourceBindingSpec): string | undefined {
  if (!isDivided(after)) return undefined;
  const placed = total(after.clusters ?? []);
  const wanted = after.replicas ?? 0;
  if (placed === wanted) return undefined;
  return `${placed} replicas are placed then and ${wanted} are wanted: the scheduler divides the difference`;
}

function isDivided(spec: ResourceBindingSpec): boolean {
  return dividesReplicas(spec) && (spec.replicas ?? 0) > 0;
}

function total(clusters: readonly TargetCluster[]): number {
  return clusters.reduce((sum, { replicas }) => sum + (replicas ?? 0), 0);
}
