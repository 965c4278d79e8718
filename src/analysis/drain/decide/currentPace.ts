import { hasOneQueue } from '../../../karmada/configuration/taintEviction.ts';
import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { isStale } from '../../../karmada/objects/clusterReadiness.ts';
import { sameTaint } from '../../../karmada/objects/sameTaint.ts';
import { marksFaulty } from '../../../karmada/taints/evictingTaints.ts';
import { evictionPace, queuePace } from '../../../karmada/taints/evictionPace.ts';
import { DRAIN_TAINT } from '../../../karmada/taints/manualTaints.ts';
import { drainTainted } from '../cordon.ts';
import type { DrainOptions, DrainPace } from '../drainOptions.ts';
import type { CurrentPace } from './drainStep.ts';

/**
 * The eviction pace by the current health of the clusters, as in the proposal Optimize Cluster Failover: slow in a
 * large installation with too many faulty clusters, paused in a small one. In the proposal a cluster with a NoExecute
 * or PreferNoExecute taint is faulty. Here a cluster that is not Ready is faulty as well, since in released versions
 * only policies taint it. A drain's own taints do not make a cluster faulty.
 */
export function currentPace(clusters: readonly Cluster[], pace: DrainPace): CurrentPace {
  const faulty = clusters.filter(isFaulty).map(({ metadata }) => metadata.name);
  return { ...evictionPace(faulty, clusters.length, pace), cause: 'clusters' };
}

/**
 * The pace of a drain: slow instead of paused if the user accepts the state of the clusters. A drain by taint has the
 * pace of Karmada's eviction queue, if the version has one for all clusters: there the drain's own taints make its
 * clusters faulty, and no accepted risk changes the pace.
 */
export function paceOf(
  clusters: readonly Cluster[],
  options: Pick<DrainOptions, 'pace' | 'accept' | 'method' | 'clusters'>,
  configuration: Configuration,
): CurrentPace {
  if (options.method === 'taint' && hasOneQueue(configuration.rules))
    return queuePaceOf(clusters, options, configuration);
  const { pace, accept } = options;
  const current = currentPace(clusters, pace);
  if (current.mode !== 'paused' || !accept.unhealthy) return current;
  return {
    ...current,
    mode: 'slow',
    rate: pace.secondaryEvictionRate,
    reason: `${current.reason} (accepted)`,
  };
}

function queuePaceOf(
  clusters: readonly Cluster[],
  options: Pick<DrainOptions, 'clusters'>,
  { controllerManager }: Configuration,
): CurrentPace {
  const drained = new Set(options.clusters);
  const tainted = clusters.map((one) => (drained.has(one.metadata.name) ? drainTainted(one) : one));
  return { ...queuePace(tainted, controllerManager), cause: 'clusters' };
}

function isFaulty(cluster: Cluster): boolean {
  return (
    isStale(cluster) ||
    (cluster.spec?.taints ?? []).some((taint) => marksFaulty(taint) && !sameTaint(taint, DRAIN_TAINT))
  );
}
