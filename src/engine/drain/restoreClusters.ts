import type { ResourceBinding, ResourceBindingSpec, TargetCluster, Work } from '../../karmada/api/work.ts';

/** The way back for one binding, or why there is none. */
export type Restoration =
  | {
      spec: ResourceBindingSpec;
      /** put back into spec.clusters */
      restored: TargetCluster[];
      /** what the replacement had gained and gives back, by cluster */
      given: TargetCluster[];
      /** what the reader has to know: "spec.replicas has changed meanwhile, the scheduler will divide anew" */
      note?: string;
    }
  | { refused: string };

/**
 * The spec with the clusters back in the result and their tasks gone, in one write.
 *
 * @param clusters names of clusters that a task evicts it from
 * @param works the binding's Works by cluster
 */
export function restoreClusters(
  _binding: ResourceBinding,
  _clusters: Iterable<string>,
  _works: ReadonlyMap<string, Work>,
): Restoration {
  throw new Error('not built yet');
}
