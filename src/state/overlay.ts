import type { World, WorldList } from '../engine/world.ts';
import type { KubernetesObject } from '../karmada/api/meta.ts';
import { StateError } from './errors.ts';
import { worldKinds, groupOf } from './schema/kinds.ts';
import { identityOf, nameOf, validateObject } from './validateObject.ts';

/**
 * The world with manifests laid over it: an object that is there is replaced, another one added. Neither the
 * world nor the manifests are changed. Throws StateError, with `source` before it, for a manifest that has
 * another shape than its kind, and for two manifests of one object.
 */
export function overlay(world: World, objects: readonly KubernetesObject[], source = 'manifest'): World {
  const laid: Record<WorldList, Map<string, KubernetesObject>> = {
    clusters: new Map(),
    bindings: new Map(),
    works: new Map(),
    policies: new Map(),
    taintPolicies: new Map(),
    others: new Map(),
  };
  for (const manifest of objects) {
    const checked = validateObject(structuredClone(manifest));
    if ('problem' in checked) throw new StateError(`${source}: ${checked.problem}`);
    const { object, kind } = checked;
    const list = laid[kind?.list ?? 'others'];
    const identity = identityOf(object);
    if (list.has(identity)) throw new StateError(`${source}: ${nameOf(object)} is there twice; give it once`);
    list.set(identity, object);
  }
  const result = { ...world };
  for (const name of Object.keys(laid) as WorldList[]) {
    const fresh = laid[name];
    if (fresh.size === 0) continue;
    const kept = (world[name] as KubernetesObject[]).map((object) => {
      const identity = identityIn(name, object);
      const replacement = fresh.get(identity);
      fresh.delete(identity);
      return replacement ?? object;
    });
    Object.assign(result, { [name]: [...kept, ...fresh.values()] });
  }
  return result;
}

/** Objects of the engine's own making may lack apiVersion and kind, which their list implies. */
function identityIn(list: WorldList, object: Partial<KubernetesObject>): string {
  if (object.apiVersion !== undefined && object.kind !== undefined)
    return identityOf(object as KubernetesObject);
  const [kind, known] = [...worldKinds].find((entry) => entry[1].list === list) ?? ['', undefined];
  const apiVersion = object.apiVersion ?? `${known?.group}/${known?.version}`;
  return identityOf({
    ...(object as KubernetesObject),
    apiVersion: `${groupOf(apiVersion)}/`,
    kind: object.kind ?? kind,
  });
}
