import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { CLUSTER_CONDITION_READY } from '../../karmada/api/names.ts';

/** The least time in which a condition can turn back, and the flag that sets it. */
export interface ShortestTurn {
  /** milliseconds */
  after: number;
  flag: string;
}

/**
 * How soon after a turn the contrary can be published, for conditions that Karmada's probes write: with the next
 * probe or, for Ready of a Push cluster, which is debounced, after the threshold. A window that is no longer than
 * that only delays: the condition cannot turn back within it.
 *
 * @param verb what the window does at its end: one that adds waits for a recovery, one that removes for a failure
 */
export function shortestTurn(
  conditionType: string,
  { spec }: Pick<Cluster, 'spec'>,
  verb: 'adds' | 'removes',
  { controllerManager, agent }: Configuration,
): ShortestTurn {
  const frequency = 'cluster-status-update-frequency';
  if (spec?.syncMode === 'Pull') return { after: agent[frequency], flag: frequency };
  const threshold = verb === 'adds' ? 'cluster-success-threshold' : 'cluster-failure-threshold';
  const probe = { after: controllerManager[frequency], flag: frequency };
  if (conditionType !== CLUSTER_CONDITION_READY || controllerManager[threshold] <= probe.after) return probe;
  return { after: controllerManager[threshold], flag: threshold };
}
