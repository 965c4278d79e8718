import type { Taint } from '../../../karmada/api/meta.ts';
import type { ClusterTaintPolicySpec } from '../../../karmada/api/policy.ts';
import { isStale, readyCondition, wasEverReached } from '../../../karmada/objects/clusterReadiness.ts';
import { evictingTaints } from '../../../karmada/taints/evictingTaints.ts';
import type { Examined } from './examined.ts';

/**
 * Whether anything shows that cluster failover is in use: a part of its chain exists, or a cluster has failed. It is off
 * by default, and many never enable it.
 */
export function isWanted({
  world,
  configuration,
  commandLines,
  bindings,
  isWanted: asked,
}: Examined): boolean {
  const line = commandLines.find(({ component }) => component === 'controllerManager');
  const isStarted = line?.flags.some(
    ({ name, value }) =>
      (name === 'feature-gates' && /\bFailover=true\b/.test(value)) ||
      (name === 'enable-no-execute-taint-eviction' && value === 'true'),
  );
  return (
    asked === true ||
    isStarted === true ||
    world.taintPolicies.some(({ spec }) => evictingTaints(asTaints(spec), configuration.rules).length > 0) ||
    world.clusters.some(
      (cluster) =>
        !cluster.metadata.deletionTimestamp &&
        ((readyCondition(cluster) && isStale(cluster) && wasEverReached(cluster)) ||
          evictingTaints(cluster.spec?.taints, configuration.rules).length > 0),
    ) ||
    bindings.some(({ spec }) => spec.failover?.cluster !== undefined)
  );
}

function asTaints({ taints, taintsToAdd }: ClusterTaintPolicySpec): Taint[] {
  return (taints ?? taintsToAdd ?? []).map(({ key, effect }) => ({ key, effect }));
}
