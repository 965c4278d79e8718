import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { sameClaims, templateGroups, type ClaimGroup } from '../../karmada/objects/claimGroups.ts';
import { compareText } from './indexes.ts';
import { createKeyIndex } from './keyIndex.ts';
import type { StartingWorld } from './startingWorld.ts';

/** Indexes of the `Object`s of a changing world; all answers are keys, in order. */
export interface ObjectIndexes {
  of(kind: string): readonly string[];
  in(groups: readonly ClaimGroup[]): readonly string[];
  changed(key: string, before: KubernetesObject | undefined, after: KubernetesObject | undefined): void;
}

/** Indexes in which nothing has changed since the start. */
export function createObjectIndexes(start: StartingWorld): ObjectIndexes {
  const kinds = createKeyIndex((kind) => start.objectsOf(kind), compareText);
  const claimed = createKeyIndex((group) => start.templatesIn(group), compareText);
  return {
    of: (kind) => kinds.of(kind),
    in: (groups) => claimed.among(groups),
    changed(key, before, after) {
      if (before?.kind !== after?.kind) kinds.move(key, kindOf(before), kindOf(after));
      if (!sameClaims(before, after)) claimed.move(key, groupsOf(before), groupsOf(after));
    },
  };
}

function groupsOf(object: KubernetesObject | undefined): ClaimGroup[] {
  return object ? templateGroups(object) : [];
}

function kindOf(object: KubernetesObject | undefined): string[] {
  return object ? [object.kind] : [];
}
