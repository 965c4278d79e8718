import type { ClusterAffinity } from '../../karmada/api/policy.ts';
import type { SchedulingRules } from './schedulerOptions.ts';

const none: readonly ClusterAffinity[] = [];

/** The groups that take what an affinity group has no room for, in their order; none in versions without the field. */
export function overflowAffinitiesOf(
  { overflowAffinities }: { overflowAffinities?: readonly ClusterAffinity[] },
  rules: Pick<SchedulingRules, 'overflowAffinities'>,
): readonly ClusterAffinity[] {
  return (rules.overflowAffinities && overflowAffinities) || none;
}
