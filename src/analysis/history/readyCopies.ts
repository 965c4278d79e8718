import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { dividesReplicas, targetClusters, wantedCopies } from '../../karmada/objects/placement.ts';
import { readyIn } from '../../karmada/status/copyReadiness.ts';
import { isAnothersObject } from '../../karmada/works/workConditions.ts';
import { hasHealthInterpreter } from '../../karmada/status/healthInterpreter.ts';
import type { DeclaredHooks } from '../../karmada/controllers/view.ts';
import { bindingKey } from '../../karmada/objects/identities.ts';
import { type AffinityRules, factsOfClusters } from '../../karmada/selection/clusterAffinity.ts';

/**
 * How many replicas of a binding are ready on a cluster, as its status reports; 0 if the cluster is not Ready, since
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
  // a Healthy copy without reported figures has all of its replicas
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
 * Whether nobody reports how many replicas of a binding are ready: its kind counts none, and Karmada has no health interpreter for it, so that
 * its health stays Unknown; or somebody else's object has its name in a cluster.
 */
export function isReadinessUnreported({ spec, status }: ResourceBinding, hooks: DeclaredHooks): boolean {
  const { resource, replicas = 0 } = spec;
  const isAnothers = (status?.aggregatedStatus ?? []).some(
    (item) => !item.applied && !item.status && isAnothersObject(item.appliedMessage ?? ''),
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

/** How many replicas a binding is to have by what was seen of it so far; to be asked whenever it has changed. */
export type WantedSoFar = (binding: ResourceBinding) => number;

/**
 * A Duplicated workload that was evicted is to have as many copies as before, also once its tasks are over and the lost
 * ones are shown nowhere: until it has them again, its placement changes, or it is recreated.
 */
export function followWanted(clusters: ReadonlyMap<string, Cluster>, rules: AffinityRules): WantedSoFar {
  const facts = factsOfClusters((name) => clusters.get(name), rules);
  /** the copies of what was evicted, by binding */
  const had = new Map<string, { uid: string | undefined; copies: number; placement: string | undefined }>();
  return (binding) => {
    const { replicas = 0, placement, gracefulEvictionTasks } = binding.spec;
    if (dividesReplicas(binding.spec)) return replicas;
    const copies = wantedCopies(binding, facts);
    const key = bindingKey(binding);
    const isEvicting = (gracefulEvictionTasks?.length ?? 0) > 0;
    if (!isEvicting && !had.has(key)) return replicas * copies;
    const { uid } = binding.metadata;
    // a dependent has none
    const text = placement && JSON.stringify(placement);
    const before = had.get(key);
    const isSame = before !== undefined && before.uid === uid && before.placement === text;
    const wanted = isSame ? Math.max(before.copies, copies) : copies;
    if (isEvicting || copies < wanted) had.set(key, { uid, copies: wanted, placement: text });
    else had.delete(key);
    return replicas * wanted;
  };
}
