import type { Placement } from '../../src/karmada/api/policy.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import { createAll, deployment, namespace, policyFor } from './workloads.ts';

/** Starts a control plane that evicts for taints; the old copy of a workload that cannot be placed is deleted soon. */
export function evictingBed(): Promise<Bed> {
  const controllerManager = { ...defaultOptions.controllerManager, 'graceful-eviction-timeout': '10s' };
  return up({ ...defaultOptions, controllerManager, readyAfter: 2 });
}

/** Creates Deployments of two replicas in the namespace shop, and waits until they have settled. */
export async function runInShop(
  bed: Bed,
  workloads: readonly [name: string, placement: Placement][],
): Promise<void> {
  await createAll(bed.api(), [
    namespace('shop'),
    ...workloads.flatMap(([name, placement]) => {
      const object = deployment('shop', name, 2);
      return [object, policyFor(object, placement)];
    }),
  ]);
  await steadyBindings(bed, workloads.length);
}

/** The flags for these: the host cluster, which would show them, cannot be read for a bed. */
export function assumedOn(...names: string[]): string[] {
  return names.flatMap((name) => ['--assume', `${name}=true`]);
}
