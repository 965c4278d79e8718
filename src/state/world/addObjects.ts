import type { World } from '../../karmada/world.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { worldKinds } from '../schema/kinds.ts';

/** Adds objects of one kind to the list of a world in which decisions look for them. */
export function addObjects(world: World, kind: string, objects: Iterable<KubernetesObject>): void {
  const list = world[worldKinds.get(kind)?.list ?? 'others'] as KubernetesObject[];
  for (const object of objects) list.push(object);
}
