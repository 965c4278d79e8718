import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { bindingKey } from '../../karmada/objects/identities.ts';
import { dividesReplicas, wantedCopies } from '../../karmada/objects/placement.ts';
import type { AffinityRules } from '../../karmada/selection/clusterAffinity.ts';
import { factsOfClusters } from '../../karmada/selection/clusterFacts.ts';

/** How many replicas a binding is to have by what was seen of it so far; to be asked whenever it has changed. */
export type WantedSoFar = (binding: ResourceBinding) => number;

/**
 * A Duplicated workload that was evicted is to have as many copies as before, also once its tasks are over and nothing tells of
 * the lost ones any more: until it has them again, its placement changes, or it is made anew.
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
