import { forgetEvictions } from '../../../karmada/application/evictionHistory.ts';
import { isAttached } from '../../../karmada/objects/dependents.ts';
import { dividesReplicas } from '../../../karmada/objects/placement.ts';
import type { ResourceBinding, ResourceBindingSpec, TargetCluster, Work } from '../../../karmada/api/work.ts';
import type { Rules } from '../../../karmada/dialects/rules.ts';
import { purgesDirectly } from '../../../karmada/eviction/evictionTasks.ts';
import { placementBefore } from '../../../karmada/eviction/drainTask.ts';
import { reportedReady } from '../../../karmada/status/copyReadiness.ts';

export interface RestoredClusters {
  spec: ResourceBindingSpec;
  /** put back into spec.clusters */
  restored: TargetCluster[];
  /** the replicas that the replacement had gained and returns, by cluster */
  given: TargetCluster[];
  /** a note for the user: "spec.replicas has changed meanwhile, the scheduler will divide again" */
  note?: string;
}

/**
 * The spec with the clusters back in spec.clusters and without their tasks, in one write, and without the application
 * failover history that would make the scheduler move it. Refused if an old copy is incomplete: restoring the cluster
 * would then move the workload instead of keeping it.
 *
 * The same write returns the replicas that the replacement gained since the eviction. With surplus replicas, or with
 * one cluster too many for a Duplicated workload's constraints, the scheduler would choose again and might drop the
 * restored copies. The old copies never stopped, so nothing is missing while the new ones are deleted. If the state
 * before is unknown, unready replicas are removed first.
 *
 * @param clusters names of clusters with a task of the binding
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
    return { refused: 'it has no placement of its own: it follows the workloads that need it' };
  for (const { fromCluster, purgeMode } of tasks) {
    const work = works.get(fromCluster);
    if (purgesDirectly(purgeMode, rules))
      return { refused: `the copy on ${fromCluster} was purged directly; ${whatReplaces(spec)}` };
    if (!work || work.metadata.deletionTimestamp)
      return { refused: `the copy on ${fromCluster} is already deleted; ${whatReplaces(spec)}` };
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
    ...forgetEvictions(spec, names),
    clusters: [...kept, ...restored],
    gracefulEvictionTasks: spec.gracefulEvictionTasks!.filter((task) => !tasks.includes(task)),
  };
  const note = divisionNote(after);
  return { spec: after, restored, given: removedTargets(present, kept), ...(note ? { note } : {}) };
}

/** The present clusters without the replicas that they gained from the evicted ones. */
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

/** What the present clusters have beyond those that are kept. A kept cluster without replicas does not count. */
export function removedTargets(
  present: readonly TargetCluster[],
  kept: readonly TargetCluster[],
): TargetCluster[] {
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
  return `spec.clusters then has ${placed} replicas, spec.replicas ${wanted}: the scheduler divides the difference`;
}

function isDivided(spec: ResourceBindingSpec): boolean {
  return dividesReplicas(spec) && (spec.replicas ?? 0) > 0;
}

function total(clusters: readonly TargetCluster[]): number {
  return clusters.reduce((sum, { replicas }) => sum + (replicas ?? 0), 0);
}

function whatReplaces({ clusters }: ResourceBindingSpec): string {
  return clusters?.length ? 'its replacement stays' : 'nothing has replaced it yet';
}
