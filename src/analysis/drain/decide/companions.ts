import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { isDrainTask } from '../../../karmada/eviction/drainTask.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { bindingKey } from '../../../karmada/objects/identities.ts';
import { isWorkload } from '../../../karmada/objects/placement.ts';
import { report, type DrainRound } from './drainRound.ts';

/*
 * The workloads of a namespace need its Services, ConfigMaps, ServiceAccounts and other objects without replicas, and
 * nothing on the control plane says which workload needs which. So these objects are evicted after the workloads, and
 * their old copies stay until those of the workloads have gone.
 */

/**
 * The workloads whose old copies may still need an object without replicas; none if the binding has replicas itself.
 */
export function keptFor(round: DrainRound, binding: ResourceBinding): readonly ResourceBinding[] {
  const { namespace } = binding.metadata;
  if (namespace === undefined || isWorkload(binding.spec)) return [];
  round.leavingIn ??= workloadsLeaving(round);
  return round.leavingIn.get(namespace) ?? [];
}

/** The workloads that the drain evicts, by namespace. */
function workloadsLeaving({ view, situation: { own } }: DrainRound): Map<string, ResourceBinding[]> {
  const leaving = new Map<string, ResourceBinding[]>();
  for (const binding of new Set([...own].flatMap((cluster) => [...view.bindingsLeaving(cluster)]))) {
    const { metadata, spec } = binding;
    if (!isWorkload(spec) || metadata.namespace === undefined) continue;
    if (spec.gracefulEvictionTasks?.some((task) => isDrainTask(task) && own.has(task.fromCluster)))
      getOrAdd(leaving, metadata.namespace, () => []).push(binding);
  }
  return leaving;
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
