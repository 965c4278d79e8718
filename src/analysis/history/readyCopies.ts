import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { targetClusters } from '../../karmada/objects/placement.ts';
import { readyIn } from '../../karmada/status/copyReadiness.ts';
import { hasHealthInterpreter, type DeclaredHooks } from '../../karmada/status/healthInterpreter.ts';

/**
 * How many replicas of a binding are ready on a cluster, as its status tells; 0 if the cluster is not Ready, since
 * nobody knows then.
 */
export function readyOn(
  { spec, status }: ResourceBinding,
  cluster: string,
  clusters: ReadonlyMap<string, Cluster>,
): number {
  if (!isReady(clusters.get(cluster))) return 0;
  const item = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster);
  if (!item) return 0;
  const counted = readyIn(spec.resource, item.status);
  if (counted !== undefined) return counted;
  const placed = targetClusters(spec).find(({ name }) => name === cluster);
  return item.health === 'Healthy' ? (placed?.replicas ?? 0) : 0;
}

/** How many of the `wanted` replicas of a binding are not ready anywhere. */
export function missingReplicas(
  binding: ResourceBinding,
  clusters: ReadonlyMap<string, Cluster>,
  wanted: number,
): number {
  const reported = binding.status?.aggregatedStatus ?? [];
  const ready = reported.reduce((sum, { clusterName }) => sum + readyOn(binding, clusterName, clusters), 0);
  return Math.max(0, wanted - ready);
}

/**
 * Whether nobody tells how many replicas of a binding are ready: its kind counts none, and Karmada has no health interpreter for it, so that
 * its health stays Unknown.
 */
export function isReadinessUntold({ spec, status }: ResourceBinding, hooks: DeclaredHooks): boolean {
  const { resource, replicas = 0 } = spec;
  if (replicas === 0 || readyIn(resource, undefined) !== undefined || hasHealthInterpreter(resource, hooks))
    return false;
  const told = (status?.aggregatedStatus ?? []).some(
    (item) =>
      item.health === 'Healthy' ||
      item.health === 'Unhealthy' ||
      readyIn(resource, item.status) !== undefined,
  );
  return !told;
}
