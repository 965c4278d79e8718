import type { ClusterAffinityTerm, Placement } from '../../karmada/api/policy.ts';
import type { ResourceBindingStatus } from '../../karmada/api/work.ts';

/** Of a longer list the names are kept: it is asked for each cluster, once for each of its groups. */
const FEW = 16;
const byName = new WeakMap<readonly ClusterAffinityTerm[], Map<string, number>>();

/**
 * Where in `placement.clusterAffinities` the group is that the scheduler observes: the first of that name (without a name, the first without
 * one). -1 if there is none.
 */
export function observedAffinity(
  { clusterAffinities: groups }: Placement,
  status: ResourceBindingStatus | undefined,
): number {
  if (!groups) return -1;
  const observed = status?.schedulerObservingAffinityName ?? '';
  if (groups.length <= FEW) return groups.findIndex(({ affinityName }) => (affinityName ?? '') === observed);
  let positions = byName.get(groups);
  if (!positions) {
    positions = new Map();
    for (const [at, { affinityName }] of groups.entries())
      if (!positions.has(affinityName ?? '')) positions.set(affinityName ?? '', at);
    byName.set(groups, positions);
  }
  return positions.get(observed) ?? -1;
}
