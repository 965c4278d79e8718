import type { World, WorldList } from './world.ts';

const LISTS: readonly WorldList[] = ['clusters', 'bindings', 'works', 'policies', 'taintPolicies', 'others'];

/** Whether two worlds contain the same objects in the same order. */
export function sameVersions(one: World, other: World, lists = LISTS): boolean {
  return lists.every(
    (list) =>
      one[list].length === other[list].length &&
      one[list].every((object, at) => isSameVersion(object, other[list][at]!)),
  );
}

interface Versioned {
  metadata: { uid?: string; resourceVersion?: string };
}

/** By resourceVersion; an object without one, as from files, must be the identical object. */
export function isSameVersion(one: Versioned, other: Versioned): boolean {
  const [{ resourceVersion, uid }, { metadata }] = [one.metadata, other];
  return (
    one === other ||
    (resourceVersion !== undefined && resourceVersion === metadata.resourceVersion && uid === metadata.uid)
  );
}
