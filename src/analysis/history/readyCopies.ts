import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { dividesReplicas, targetClusters, wantedCopies } from '../../karmada/objects/placement.ts';
import { readyIn } from '../../karmada/status/copyReadiness.ts';
import { isForeignObject } from '../../karmada/works/workConditions.ts';
import { hasHealthInterpreter } from '../../karmada/status/healthInterpreter.ts';
import type { DeclaredHooks } from '../../karmada/controllers/view.ts';
import { bindingKey } from '../../karmada/objects/identities.ts';
import { type AffinityRules, factsOfClusters } from '../../karmada/selection/clusterAffinity.ts';

/**
 * How many replicas of a binding are ready on a cluster, by its status; 0 if the cluster is not Ready, since its report
 * is then stale.
 */
export function readyOn(
  { spec, status }: ResourceBinding,
  cluster: string,
  clusters: ReadonlyMap<string, Cluster>,
): number {
  if (!isReady(clusters.get(cluster))) return 0;
  const item = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster);
  if (!item) return 0;
  // A Healthy copy without reported numbers has all of its replicas.
  const isVague = item.health === 'Healthy' && !item.status;
  const counted = isVague ? undefined : readyIn(spec.resource, item.status);
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
 * Whether the ready replicas of a binding are not reported: its kind counts none, and without a health interpreter its
 * health stays Unknown; or a cluster has an unmanaged object with its name.
 */
export function isReadinessUnreported({ spec, status }: ResourceBinding, hooks: DeclaredHooks): boolean {
  const { resource, replicas = 0 } = spec;
  const isAnothers = (status?.aggregatedStatus ?? []).some(
    (item) => !item.applied && !item.status && isForeignObject(item.appliedMessage ?? ''),
  );
  if (isAnothers && replicas > 0) return true;
  if (replicas === 0 || readyIn(resource, undefined) !== undefined || hasHealthInterpreter(resource, hooks))
    return false;
  const isReported = (status?.aggregatedStatus ?? []).some(
    (item) =>
      item.health === 'Healthy' ||
      item.health === 'Unhealthy' ||
      readyIn(resource, item.status) !== undefined,
  );
  return !isReported;
}

/** The desired replicas of a binding by its observed history; call it on each change. */
export type DesiredReplicasReader = (binding: ResourceBinding) => number;

/**
 * An evicted Duplicated workload should have as many copies as before, even after its tasks have ended and nothing
 * shows the lost ones. This lasts until it has them again, its placement changes, or it is recreated.
 */
export function followWanted(
  clusters: ReadonlyMap<string, Cluster>,
  rules: AffinityRules,
): DesiredReplicasReader {
  // Clusters fail and recover during a history: it counts the copies that were lost, not those of failed clusters.
  const facts = factsOfClusters((name) => clusters.get(name), rules, []);
  /** the copies of evicted workloads, by binding */
  const had = new Map<string, { uid: string | undefined; copies: number; placement: string | undefined }>();
  return (binding) => {
    const { replicas = 0, placement, gracefulEvictionTasks } = binding.spec;
    if (dividesReplicas(binding.spec)) return replicas;
    const copies = wantedCopies(binding, facts);
    const key = bindingKey(binding);
    const isEvicting = (gracefulEvictionTasks?.length ?? 0) > 0;
    if (!isEvicting && !had.has(key)) return replicas * copies;
    const { uid } = binding.metadata;
    // A dependent has no placement.
    const text = placement && JSON.stringify(placement);
    const before = had.get(key);
    const isSame = before !== undefined && before.uid === uid && before.placement === text;
    const wanted = isSame ? Math.max(before.copies, copies) : copies;
    if (isEvicting || copies < wanted) had.set(key, { uid, copies: wanted, placement: text });
    else had.delete(key);
    return replicas * wanted;
  };
}
