import type { ResourceBinding } from '../../karmada/api/work.ts';
import { groupKey, groupKeys, type WorkloadGroups } from '../../karmada/scheduling/workloadGroups.ts';
import type { StartingWorld } from './startingWorld.ts';

/** The workload affinity groups of a store, with their present bindings. */
export interface LiveGroups extends WorkloadGroups {
  changed(key: string, before: ResourceBinding | undefined, after: ResourceBinding | undefined): void;
}

/** The groups at the start. */
export function createLiveGroups(start: StartingWorld): LiveGroups {
  const groups = new Map<string, Map<string, ResourceBinding>>();
  const enter = (key: string, binding: ResourceBinding) => {
    for (const group of groupKeys(binding)) {
      const members = groups.get(group);
      if (members) members.set(key, binding);
      else groups.set(group, new Map([[key, binding]]));
    }
  };
  for (const [key, binding] of start.bindings) enter(key, binding);
  return {
    members: (...group) => groups.get(groupKey(...group))?.values() ?? [],
    changed(key, before, after) {
      if (before)
        for (const group of groupKeys(before))
          if (!after || !groupKeys(after).includes(group)) groups.get(group)?.delete(key);
      if (after) enter(key, after);
    },
  };
}
