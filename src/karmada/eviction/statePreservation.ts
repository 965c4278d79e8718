import type { StatePreservation } from '../api/policy.ts';
import type { AggregatedStatusItem } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';
import { wellFormed } from '../../kubernetes/goJson.ts';
import { preservedLabelState, type PreservedLabelState } from './preservedLabelState.ts';

/**
 * The labels that an eviction from a cluster preserves: undefined if there is nothing to preserve, an error if the
 * cluster's status is missing or a rule fails on it. The taint manager and application failover both use this.
 */
export function preservedLabelStateOnCluster(
  statePreservation: StatePreservation | undefined,
  aggregatedStatus: AggregatedStatusItem[] | undefined,
  cluster: string,
  rules: Rules,
): PreservedLabelState | undefined {
  if (!statePreservation?.rules?.length) return undefined;
  const item = aggregatedStatus?.find(({ clusterName }) => clusterName === cluster);
  if (item?.status === undefined || item.status === null)
    return { error: `the application status has not yet been collected from Cluster(${cluster})` };
  return preservedLabelState(statePreservation, { value: wellFormed(item.status) }, rules);
}
