import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { bindingKey, workloadIdentity } from '../../karmada/objects/identities.ts';
import { availableReplicas } from '../../karmada/scheduling/capacity/availableReplicas.ts';
import { schedulerSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import type { Headroom, WorstArrivals } from './headroom.ts';

/** The capacity of clusters with resource models, as the scheduler's general estimator counts it. */
export interface ModelHeadroom {
  /** The share of a cluster's capacity that this number of additional replicas takes; 0 if no models apply. */
  taken(cluster: string, binding: ResourceBinding, replicas: number): number;
  /** Adds a workload whose replicas may be on a cluster, now or in a contingency. */
  note(cluster: string, binding: ResourceBinding): void;
  /** What is left, in replicas of the noted workload that fits least often; undefined if no models apply. */
  headroom(cluster: string, most: WorstArrivals | undefined): Headroom | undefined;
}

/** Counts the capacity of clusters. Throws InvalidQuantity for invalid quantities of clusters. */
export function createModelHeadroom(
  clusters: readonly Cluster[],
  configuration: Configuration,
): ModelHeadroom {
  const { fleet, index, options } = schedulerSnapshot(clusters, [], configuration);
  const asIfEmpty = clusters.map((cluster): Cluster => {
    const { allocatable } = cluster.status?.resourceSummary ?? {};
    return { ...cluster, status: { ...cluster.status, resourceSummary: allocatable && { allocatable } } };
  });
  let whole: typeof fleet | undefined;
  const wholeFleet = () => (whole ??= schedulerSnapshot(asIfEmpty, [], configuration).fleet);
  const least = new Map<number, { binding: ResourceBinding; fits: number }>();

  function modelled(cluster: string): number | undefined {
    const at = index.get(cluster);
    return at !== undefined && fleet.capacities[at]?.models ? at : undefined;
  }
  const fitting = (of: typeof fleet, { spec }: ResourceBinding, at: number) =>
    Math.max(0, availableReplicas(of, spec, options).values[at] ?? 0);

  return {
    taken(cluster, binding, replicas) {
      const at = modelled(cluster);
      // If no replica fits, each one takes the whole capacity.
      return at === undefined ? 0 : replicas / Math.max(1, fitting(fleet, binding, at));
    },
    note(cluster, binding) {
      const at = modelled(cluster);
      if (at === undefined || !binding.spec.replicas) return;
      const fits = fitting(fleet, binding, at);
      const known = least.get(at);
      const isLess =
        !known ||
        fits < known.fits ||
        (fits === known.fits && bindingKey(binding) < bindingKey(known.binding));
      if (isLess) least.set(at, { binding, fits });
    },
    headroom(cluster, most) {
      const found = least.get(modelled(cluster) ?? -1);
      if (!found) return undefined;
      const { binding, fits } = found;
      return {
        resource: 'models',
        workload: workloadIdentity(binding),
        allocatable: fitting(wholeFleet(), binding, index.get(cluster)!),
        free: fits,
        ...(most && {
          worst: { contingency: most.contingency, free: leftAfter(most.amount, fits) },
        }),
      };
    },
  };
}

/**
 * How many of the replicas still fit after a share of the capacity is taken; below 0 if the share exceeds all of it.
 */
function leftAfter(share: number, fits: number): number {
  const left = (1 - share) * (share > 1 ? Math.max(1, fits) : fits);
  // Sums of shares have rounding errors.
  return Math.floor(left + 1e-6);
}
