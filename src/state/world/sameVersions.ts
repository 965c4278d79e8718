import type { World, WorldList } from '../../karmada/world.ts';

const LISTS: readonly WorldList[] = ['clusters', 'bindings', 'works', 'policies', 'taintPolicies', 'others'];

/**
 * Whether two worlds hold the same objects, in the same order and of the same resourceVersions. An object without one, as of files, is the
 * same only if it is the very object.
 */
export function sameVersions(one: World, other: World): boolean {
  return LISTS.every(
    (list) =>
      one[list].length === other[list].length &&
      one[list].every((object, at) => isSameVersion(object.metadata, other[list][at]!.metadata)),
  );
}

interface Version {
  uid?: string;
  resourceVersion?: string;
}

function isSameVersion(one: Version, other: Version): boolean {
  if (one === other) return true;
  return (
    one.resourceVersion !== undefined &&
    one.resourceVersion === other.resourceVersion &&
    one.uid === other.uid
  );
}
