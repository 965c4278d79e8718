import type { GracefulEvictionTask, ResourceBinding } from '../../../karmada/api/work.ts';
import { isAttached } from '../../../karmada/objects/dependents.ts';
import { bindingKey, snapshotKey } from '../../../karmada/objects/identities.ts';
import { holdDependent, releaseDependent } from '../drainTasks.ts';
import { drainTasksFor, leftBehind } from './bindingState.ts';
import { recordEvicted, report, writeSpec, type DrainRound } from './drainRound.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { isWorkload } from '../../../karmada/objects/placement.ts';

/*
 * Dependents (ConfigMaps, Secrets, …) of a workload with propagateDeps have bindings without a placement, which follow
 * it by spec.requiredBy. Karmada deletes such a copy as soon as the workload is evicted, while the workload's old copy
 * still runs. A held task on the dependent's binding keeps its Work on that cluster. No scheduler places such bindings,
 * so only time ends their tasks, and the drain removes them itself.
 */

/**
 * Plans the writes before the eviction of a binding, so that its dependents stay with its old copy; returns whether
 * there are any.
 */
export function holdDependents(
  round: DrainRound,
  binding: ResourceBinding,
  clusters: readonly string[],
): boolean {
  const { view, options } = round;
  if (!options.hold) return false;
  const before = round.writes.length;
  for (const dependent of view.attachedTo(bindingKey(binding))) {
    if (!isAttached(dependent.spec) || dependent.metadata.deletionTimestamp) continue;
    const works = view.worksOf(dependent);
    const after = holdDependent(
      dependent.spec,
      clusters.filter((name) => works.has(name)),
    );
    if (after !== dependent.spec) writeSpec(round, dependent, after);
  }
  return round.writes.length > before;
}

/** The tasks of a drain that keep the copies of a dependent on the drained clusters. */
export function dependentTasks(
  { situation: { own } }: DrainRound,
  binding: ResourceBinding,
): GracefulEvictionTask[] {
  return isAttached(binding.spec) ? drainTasksFor(binding, own) : [];
}

/**
 * A dependent is kept as long as one of its parents is being evicted, or is about to be. After its release it still
 * stays if another workload needs it. A round that sees only some bindings does not know the next eviction.
 */
export function decideDependent(
  round: DrainRound,
  binding: ResourceBinding,
  tasks: readonly GracefulEvictionTask[],
): void {
  const { view, mayWrite, remembered, next } = round;
  recordEvicted(round, binding, leftBehind(tasks), true);
  round.present.add(bindingKey(binding));
  const parents = (binding.spec.requiredBy ?? []).flatMap(
    (one) => view.get('Binding', snapshotKey(one)) ?? [],
  );
  const needed = (cluster: string) =>
    parents.filter(({ metadata, spec }) => {
      if (spec.gracefulEvictionTasks?.some(({ fromCluster }) => fromCluster === cluster)) return true;
      if (!spec.clusters?.some(({ name }) => name === cluster)) return false;
      return !remembered || next === bindingKey({ metadata, spec });
    });
  const ended = tasks.filter(({ fromCluster }) => needed(fromCluster).length === 0);
  if (ended.length > 0 && mayWrite) {
    const clusters = ended.map(({ fromCluster }) => fromCluster);
    writeSpec(round, binding, releaseDependent(binding.spec, clusters));
  }
  const keepers = [...new Set(tasks.flatMap(({ fromCluster }) => needed(fromCluster)))];
  const names = keepers.map(({ spec: { resource } }) => resource.name).join(', ');
  if (keepers.length > 0 && keepers.every((one) => round.stuckBindings.has(bindingKey(one))))
    return report(round, binding, 'stuck', `kept for ${names}, held as well`);
  round.open = true;
  const why = names === '' ? 'release pending' : `kept for ${names} until the old copy is deleted`;
  report(round, binding, 'leaving', why);
}

/*
 * The control plane does not show which Services, ConfigMaps, ServiceAccounts and other objects without replicas a
 * workload needs. So all of these in its namespace are evicted after it, and their old copies stay until that of the
 * workload is deleted.
 */

/** The workloads whose old copies may still need an object without replicas; none for a binding with replicas. */
export function workloadsNeeding(round: DrainRound, binding: ResourceBinding): readonly ResourceBinding[] {
  const { namespace } = binding.metadata;
  if (namespace === undefined || isWorkload(binding.spec)) return [];
  round.leavingIn ??= workloadsLeaving(round);
  return round.leavingIn.get(namespace) ?? [];
}

/** Workloads under eviction by the drain, by namespace. */
function workloadsLeaving({ view, situation: { own } }: DrainRound): Map<string, ResourceBinding[]> {
  const leaving = new Map<string, ResourceBinding[]>();
  for (const binding of new Set([...own].flatMap((cluster) => [...view.bindingsLeaving(cluster)]))) {
    const { metadata, spec } = binding;
    if (!isWorkload(spec) || metadata.namespace === undefined) continue;
    if (drainTasksFor(binding, own).length > 0) getOrAdd(leaving, metadata.namespace, () => []).push(binding);
  }
  return leaving;
}

/**
 * Reports an object without replicas that is ready elsewhere: it is released after the workloads, and stuck as long as
 * they are.
 */
export function reportKeptDependent(
  round: DrainRound,
  binding: ResourceBinding,
  keepers: readonly ResourceBinding[],
): void {
  const [first, ...others] = keepers.map(({ spec: { resource } }) => resource.name);
  const names = others.length === 0 ? first : `${first} and ${others.length} more`;
  if (keepers.every((one) => round.stuckBindings.has(bindingKey(one))))
    return report(round, binding, 'stuck', `kept for ${names}, held as well`);
  round.open = true;
  report(round, binding, 'ready', `kept for ${names} until the old copies are deleted`);
}
