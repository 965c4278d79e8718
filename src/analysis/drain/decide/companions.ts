import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { isDrainTask } from '../../../karmada/eviction/drainTask.ts';
import { bindingKey } from '../../../karmada/objects/identities.ts';
import { isWorkload } from '../../../karmada/selection/isWorkload.ts';
import { report, type DrainRound } from './drainRound.ts';

/*
 * The workloads of a namespace need its Services, ConfigMaps, ServiceAccounts and other objects without replicas, and
 * nothing on the control plane says which workload needs which. So these objects are evicted after the workloads, and
 * their old copies stay until those of the workloads have gone.
 */

/**
 * The workloads whose old copies may still need an object without replicas; none if the binding has replicas itself.
 */
export function keptFor(
  { view, situation: { own } }: DrainRound,
  binding: ResourceBinding,
): ResourceBinding[] {
  const { namespace } = binding.metadata;
  if (namespace === undefined || isWorkload(binding.spec)) return [];
  return [...view.leaving(namespace)].filter(
    ({ spec }) =>
      isWorkload(spec) &&
      spec.gracefulEvictionTasks?.some((task) => isDrainTask(task) && own.has(task.fromCluster)),
  );
}

/** An object without replicas that is ready elsewhere is released after the workloads; if those are stuck, so is it. */
export function decideCompanion(
  round: DrainRound,
  binding: ResourceBinding,
  keepers: readonly ResourceBinding[],
): void {
  const [first, ...others] = keepers.map(({ spec: { resource } }) => resource.name);
  const names = others.length === 0 ? first! : `${first} and ${others.length} more`;
  if (keepers.every((one) => round.stuckBindings.has(bindingKey(one))))
    return report(round, binding, 'stuck', `kept for ${names}, held as well`);
  round.open = true;
  report(round, binding, 'ready', `kept for ${names} until the old copies are gone`);
}
