import type { GracefulEvictionTask, ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import type { View } from '../../../karmada/controllers/view.ts';
import type { Rules } from '../../../karmada/dialects/rules.ts';
import { instant } from '../../../kubernetes/time.ts';
import { entitledClusters } from '../../../karmada/eviction/works.ts';
import { isDrainTask } from '../../../karmada/eviction/drainTask.ts';
import type { DrainSituation } from './drainSituation.ts';

/**
 * The state of a binding on the drained clusters:
 * - `there`: in spec.clusters, without a drain's task for any of them
 * - `again`: in spec.clusters although a drain's task evicts it: another client restored the earlier state
 * - `evicted`: a drain's tasks evict it
 * - `foreign`: only tasks of other producers evict it
 * - `leaving`: its task has ended, but an unneeded Work still exists
 * - `deleted`: the binding itself is being deleted
 */
export type BindingState =
  | { type: 'there'; on: TargetCluster[] }
  | { type: 'again' | 'evicted'; on: TargetCluster[]; tasks: GracefulEvictionTask[] }
  | { type: 'foreign'; tasks: GracefulEvictionTask[] }
  | { type: 'leaving' | 'deleted'; clusters: string[] };

/** The state of a binding; undefined if the drained clusters do not concern it. */
export function bindingState(
  binding: ResourceBinding,
  { own }: DrainSituation,
  view: Pick<View, 'worksOf'>,
  rules: Rules,
): BindingState | undefined {
  const { spec, metadata } = binding;
  const on = spec.clusters?.filter(({ name }) => own.has(name)) ?? [];
  const tasks = spec.gracefulEvictionTasks?.filter(({ fromCluster }) => own.has(fromCluster)) ?? [];
  if (metadata.deletionTimestamp) {
    const clusters = [...view.worksOf(binding).keys()].filter((name) => own.has(name));
    return clusters.length > 0 ? { type: 'deleted', clusters } : undefined;
  }
  if (tasks.length > 0) {
    const ours = tasks.filter(isDrainTask);
    if (ours.length > 0) return { type: on.length > 0 ? 'again' : 'evicted', on, tasks: ours };
    if (on.length === 0) return { type: 'foreign', tasks };
  }
  if (on.length > 0) return { type: 'there', on };
  const works = view.worksOf(binding);
  if (works.size === 0) return undefined;
  let entitled: Set<string> | undefined;
  const clusters: string[] = [];
  for (const name of own)
    if (works.has(name) && !(entitled ??= entitledClusters(spec, rules)).has(name)) clusters.push(name);
  return clusters.length > 0 ? { type: 'leaving', clusters } : undefined;
}

/** Whether a binding has one of the clusters in spec.clusters. */
export function isOn({ spec }: ResourceBinding, clusters: ReadonlySet<string>): boolean {
  return spec.clusters?.some(({ name }) => clusters.has(name)) ?? false;
}

/** Whether a task of any producer evicts a binding from one of the clusters. */
export function isLeaving({ spec }: ResourceBinding, clusters: ReadonlySet<string>): boolean {
  return spec.gracefulEvictionTasks?.some(({ fromCluster }) => clusters.has(fromCluster)) ?? false;
}

/** The tasks of drains for the clusters. */
export function drainTasksFor(
  { spec }: ResourceBinding,
  clusters: ReadonlySet<string>,
): GracefulEvictionTask[] {
  return (
    spec.gracefulEvictionTasks?.filter((task) => isDrainTask(task) && clusters.has(task.fromCluster)) ?? []
  );
}

/** All bindings that are on the clusters or leaving them, whether or not they are part of a plan. */
export function bindingsConcernedBy(
  view: Pick<View, 'bindingsOn' | 'bindingsLeaving'>,
  clusters: Iterable<string>,
): Set<ResourceBinding> {
  const concerned = new Set<ResourceBinding>();
  for (const name of clusters) {
    for (const binding of view.bindingsOn(name)) concerned.add(binding);
    for (const binding of view.bindingsLeaving(name)) concerned.add(binding);
  }
  return concerned;
}

/**
 * When the newest of a drain's tasks was created (epoch milliseconds). A future time comes from a fast clock and is
 * ignored: waiting for it would stall the drain.
 */
export function evictedAt(tasks: readonly GracefulEvictionTask[], now: number): number | undefined {
  let newest: number | undefined;
  for (const { creationTimestamp } of tasks) {
    const created = creationTimestamp ? instant(creationTimestamp) : undefined;
    if (created !== undefined && created <= now) newest = Math.max(created, newest ?? created);
  }
  return newest;
}

/** The replicas that a binding had on the clusters that it is leaving, by its tasks. */
export function leftBehind(tasks: readonly GracefulEvictionTask[]): TargetCluster[] {
  return tasks.map(({ fromCluster, replicas }) => ({
    name: fromCluster,
    ...(replicas === undefined ? {} : { replicas }),
  }));
}
