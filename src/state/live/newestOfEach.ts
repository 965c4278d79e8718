import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { compareVersions } from '../resourceVersions.ts';
import { nameOf } from '../world/validateObject.ts';

/**
 * The objects of a list without duplicates. An object that moved between pages may appear twice: the newest wins.
 *
 * @param path of the list, for the warning
 */
export function newestOfEach<T extends KubernetesObject>(
  objects: T[],
  path: string,
  warn?: (text: string) => void,
): T[] {
  const byName = new Map<string, T>();
  let first: T | undefined;
  for (const object of objects) {
    const { namespace = '', name, resourceVersion = '' } = object.metadata;
    const key = `${namespace}/${name}`;
    const known = byName.get(key);
    if (known) first ??= object;
    if (!known || compareVersions(resourceVersion, known.metadata.resourceVersion ?? '') >= 0)
      byName.set(key, object);
  }
  if (!first) return objects;
  const more = objects.length - byName.size - 1;
  const others = more > 0 ? `, and ${more} more are` : '';
  warn?.(
    `the list of ${path} holds ${nameOf(first)} twice${others}: it changed while the list was read; the newest one counts`,
  );
  return [...byName.values()];
}
