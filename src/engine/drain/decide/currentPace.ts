import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Taint } from '../../../karmada/api/meta.ts';
import { isStale } from '../../objects/clusterReadiness.ts';
import { sameTaint } from '../../objects/sameTaint.ts';
import { DRAIN_TAINT } from '../../taints/taintsByHand.ts';
import type { DrainOptions, DrainPace } from '../drainOptions.ts';
import type { CurrentPace } from './drainStep.ts';

/**
 * The pace of evictions by the health of the clusters now, as the proposal Optimize Cluster Failover has it: slow in a
 * large installation with too many faulty clusters, paused in a small one. In the proposal a cluster with a NoExecute
 * or PreferNoExecute taint is faulty; here a cluster that is not Ready is, too, since nowadays only policies taint it.
 * A drain's own taints do not make a cluster faulty.
 */
export function currentPace(clusters: readonly Cluster[], pace: DrainPace): CurrentPace {
  const faulty = clusters.filter(isFaulty).map(({ metadata }) => metadata.name);
  const base = { faulty, clusters: clusters.length, cause: 'clusters' as const };
  const share = clusters.length === 0 ? 0 : faulty.length / clusters.length;
  const state = `${faulty.length} of ${clusters.length} clusters ${faulty.length === 1 ? 'is' : 'are'} faulty`;
  if (share <= pace.unhealthyClusterThreshold)
    return { ...base, mode: 'normal', rate: pace.evictionRate, reason: state };
  const over = `${state}, more than ${percent(pace.unhealthyClusterThreshold)}`;
  if (clusters.length > pace.largeClusterNumThreshold)
    return { ...base, mode: 'slow', rate: pace.secondaryEvictionRate, reason: over };
  return {
    ...base,
    mode: 'paused',
    rate: 0,
    reason: `${over}, and there are no more than ${pace.largeClusterNumThreshold}`,
  };
}

/** The pace of a drain: if the user accepts the state of the clusters, it is slow instead of paused. */
export function paceOf(
  clusters: readonly Cluster[],
  { pace, accept }: Pick<DrainOptions, 'pace' | 'accept'>,
): CurrentPace {
  const current = currentPace(clusters, pace);
  if (current.mode !== 'paused' || !accept.unhealthy) return current;
  return {
    ...current,
    mode: 'slow',
    rate: pace.secondaryEvictionRate,
    reason: `${current.reason}; accepted`,
  };
}

function isFaulty(cluster: Cluster): boolean {
  return isStale(cluster) || (cluster.spec?.taints ?? []).some(marksFaulty);
}

function marksFaulty(taint: Taint): boolean {
  const effect: string = taint.effect;
  return (effect === 'NoExecute' || effect === 'PreferNoExecute') && !sameTaint(taint, DRAIN_TAINT);
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}
