import type { Cluster } from '../../karmada/api/cluster.ts';
import { CLUSTER_CONDITION_READY } from '../../karmada/api/names.ts';
import type { ClusterTaintPolicy, TaintToAdd } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { windowSeconds } from '../../karmada/taints/policyFields.ts';

/** The shortest time in which a condition can turn back, and the flag that sets it. */
export interface ShortestTurn {
  /** milliseconds */
  after: number;
  flag: string;
}

/**
 * How soon a condition that Karmada's probes write can turn back: with the next probe or, for the debounced Ready of a
 * Push cluster, after the threshold. A window no longer than this only delays: the condition cannot turn back within
 * it.
 *
 * @param verb the window's effect at its end: adding waits for a recovery, removing for a failure
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

/** A window of a taint that ends before its conditions can turn back. */
interface ShortWindow {
  field: 'addOnMatchSeconds' | 'removeOnMismatchSeconds';
  seconds: number;
  shortest: ShortestTurn;
}

/**
 * The windows of a taint within which its conditions cannot turn back on any of these clusters.
 *
 * @param index the index of the taint in the policy
 */
export function shortWindows(
  { spec }: ClusterTaintPolicy,
  index: number,
  own: readonly Cluster[],
  configuration: Configuration,
): ShortWindow[] {
  const taint = spec.taintsToAdd?.[index];
  const types = (spec.matchConditions ?? []).map(({ conditionType }) => conditionType);
  if (!taint || types.length === 0) return [];
  // Without clusters, as in files, Push mode is assumed.
  const clusters: readonly Pick<Cluster, 'spec'>[] = own.length > 0 ? own : [{ spec: {} }];
  return windowsOf(taint).flatMap(({ verb, field, seconds }) => {
    const shortest = clusters
      .flatMap((cluster) => types.map((type) => shortestTurn(type, cluster, verb, configuration)))
      .reduce((least, one) => (one.after < least.after ? one : least));
    return seconds * 1000 >= shortest.after ? [] : [{ field, seconds, shortest }];
  });
}

function windowsOf(taint: TaintToAdd) {
  const { add, remove } = windowSeconds(taint);
  return [
    { verb: 'adds', field: 'addOnMatchSeconds', seconds: add },
    { verb: 'removes', field: 'removeOnMismatchSeconds', seconds: remove },
  ] as const;
}
