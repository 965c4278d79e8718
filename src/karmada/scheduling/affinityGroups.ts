import type { ClusterAffinity, ClusterAffinityTerm, Placement } from '../api/policy.ts';
import type { ResourceBindingStatus } from '../api/work.ts';
import type { SchedulingRules } from './schedulerOptions.ts';

/** Longer lists get an index of their names: they are searched once per cluster and group. */
const FEW = 16;
const byName = new WeakMap<readonly ClusterAffinityTerm[], Map<string, number>>();

/**
 * The index in `placement.clusterAffinities` of the group that the scheduler observes: the first with that name
 * (without a name, the first without one). -1 if there is none.
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

const none: readonly ClusterAffinity[] = [];

/** The overflowAffinities of an affinity group, in order; empty in versions without the field. */
export function overflowAffinitiesOf(
  { overflowAffinities }: { overflowAffinities?: readonly ClusterAffinity[] },
  rules: Pick<SchedulingRules, 'overflowAffinities'>,
): readonly ClusterAffinity[] {
  return (rules.overflowAffinities && overflowAffinities) || none;
}
