import type { ResourceBinding } from '../api/work.ts';

/** The two kinds of groups that workload affinity makes, by their field in spec.workloadAffinityGroups. */
export type GroupKind = 'affinityGroup' | 'antiAffinityGroup';

/** The ResourceBindings of a control plane by the workload affinity groups that they are in. */
export interface WorkloadGroups {
  /** the bindings of a namespace that are in a group */
  members(kind: GroupKind, namespace: string, group: string): Iterable<ResourceBinding>;
}

export const noWorkloadGroups: WorkloadGroups = { members: () => [] };

/** Groups bindings that stay as they are. */
export function workloadGroups(bindings: readonly ResourceBinding[]): WorkloadGroups {
  const groups = new Map<string, ResourceBinding[]>();
  for (const binding of bindings) {
    for (const key of groupKeys(binding)) {
      const members = groups.get(key);
      if (members) members.push(binding);
      else groups.set(key, [binding]);
    }
  }
  return { members: (...group) => groups.get(groupKey(...group)) ?? [] };
}

/** One text for each group. */
export function groupKey(kind: GroupKind, namespace: string, group: string): string {
  return `${kind}/${namespace}/${group}`;
}

/** The groups that a binding is in; a ClusterResourceBinding is in none. */
export function groupKeys({ metadata, spec }: ResourceBinding): string[] {
  if (!metadata.namespace) return [];
  return (['affinityGroup', 'antiAffinityGroup'] as const).flatMap((kind) => {
    const group = spec.workloadAffinityGroups?.[kind];
    return group ? [groupKey(kind, metadata.namespace!, group)] : [];
  });
}
