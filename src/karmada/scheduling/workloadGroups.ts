import type { ResourceBinding } from '../api/work.ts';

/** The kinds of workload affinity groups, by field name in spec.workloadAffinityGroups. */
export type GroupKind = 'affinityGroup' | 'antiAffinityGroup';

/** A control plane's ResourceBindings by workload affinity group. */
export interface WorkloadGroups {
  members(kind: GroupKind, namespace: string, group: string): Iterable<ResourceBinding>;
}

export const noWorkloadGroups: WorkloadGroups = { members: () => [] };

/** Groups a fixed set of bindings. */
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

/** A unique text per group. */
export function groupKey(kind: GroupKind, namespace: string, group: string): string {
  return `${kind}/${namespace}/${group}`;
}

/** The groups of a binding; a ClusterResourceBinding has none. */
export function groupKeys({ metadata, spec }: ResourceBinding): string[] {
  if (!metadata.namespace) return [];
  return (['affinityGroup', 'antiAffinityGroup'] as const).flatMap((kind) => {
    const group = spec.workloadAffinityGroups?.[kind];
    return group ? [groupKey(kind, metadata.namespace!, group)] : [];
  });
}
