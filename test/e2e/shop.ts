import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import type { Happening } from './happening.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import { createAll, namespace, policyFor } from './workloads.ts';

/** A bed whose namespace shop has these workloads, each with its policy, once all are placed. */
export async function bedWith(workloads: readonly [KubernetesObject, Placement, object?][]): Promise<Bed> {
  const bed = await up(defaultOptions);
  await createAll(bed.api(), [
    namespace('shop'),
    ...workloads.flatMap(([object, placement, more]) => [object, policyFor(object, placement, more)]),
  ]);
  await steadyBindings(bed, workloads.length);
  return bed;
}

/** An object of the namespace shop. */
export const shop = (kind: string, name: string) => ({ kind, namespace: 'shop', name });
export const place = (name: string, placement: object): Happening => ({
  patch: { ...shop('PropagationPolicy', name), merge: { spec: { placement } } },
});
export const scale = (name: string, replicas: number): Happening => ({
  patch: { ...shop('Deployment', name), merge: { spec: { replicas } } },
});
