import type { ClusterAffinity } from '../api/policy.ts';
import type { SchedulingRules } from './schedulerOptions.ts';

const none: readonly ClusterAffinity[] = [];

/** The overflowAffinities of an affinity group, in their order; empty in versions without the field. */
export function overflowAffinitiesOf(
  { overflowAffinities }: { overflowAffinities?: readonly ClusterAffinity[] },
  rules: Pick<SchedulingRules, 'overflowAffinities'>,
): readonly ClusterAffinity[] {
  return (rules.overflowAffinities && overflowAffinities) || none;
}
