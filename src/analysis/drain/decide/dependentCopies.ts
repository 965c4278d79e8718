import type { GracefulEvictionTask, ResourceBinding } from '../../../karmada/api/work.ts';
import { isDrainTask } from '../../../karmada/eviction/drainTask.ts';
import { isAttached } from '../../../karmada/objects/dependents.ts';
import { bindingKey, snapshotKey } from '../../../karmada/objects/identities.ts';
import { holdDependent, releaseDependent } from '../drainTasks.ts';
import { leftBehind } from './bindingState.ts';
import { noteEvicted, report, writeSpec, type DrainRound } from './drainRound.ts';

/*
 * The dependents of a workload with propagateDeps (ConfigMaps, Secrets, …) are where it is, by spec.requiredBy of
 * bindings that have no placement. Karmada deletes such a copy as soon as the workload is evicted, while the old copy
 * of the workload still runs. A held task on the attached binding keeps it: the binding keeps its Work on that cluster.
 * No scheduler places such bindings, so Karmada ends their tasks only by time, and the drain removes them itself.
 */

/**
 * Plans the writes before a binding is evicted from clusters, so that its dependents stay there with its old copy; returns whether there are
 * any.
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
  { spec }: ResourceBinding,
): GracefulEvictionTask[] {
  if (!isAttached(spec)) return [];
  return (spec.gracefulEvictionTasks ?? []).filter((task) => isDrainTask(task) && own.has(task.fromCluster));
}

/**
 * A dependent is kept as long as one of the workloads that need it is being evicted, or is about to be. A released one
 * still stays if another workload needs it.
 *
 * @param next keys of the bindings that are evicted next; undefined if the view has only some of the bindings
 */
export function decideDependent(
  round: DrainRound,
  binding: ResourceBinding,
  tasks: readonly GracefulEvictionTask[],
  next: ReadonlySet<string> | undefined,
  mayWrite: boolean,
): void {
  const { view } = round;
  noteEvicted(round, binding, leftBehind(tasks), true);
  round.present.add(bindingKey(binding));
  const parents = (binding.spec.requiredBy ?? []).flatMap(
    (one) => view.get('Binding', snapshotKey(one)) ?? [],
  );
  const needed = (cluster: string) =>
    parents.filter(({ metadata, spec }) => {
      if (spec.gracefulEvictionTasks?.some(({ fromCluster }) => fromCluster === cluster)) return true;
      if (!spec.clusters?.some(({ name }) => name === cluster)) return false;
      return next?.has(bindingKey({ metadata, spec })) ?? true;
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
  const why = names === '' ? 'to be released' : `kept for ${names} until the old copy is gone`;
  report(round, binding, 'leaving', why);
}
