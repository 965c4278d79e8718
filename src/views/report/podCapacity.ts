import type { Cluster } from '../../karmada/api/cluster.ts';
import { parseQuantity } from '../../kubernetes/parseQuantity.ts';
import { quantityValue } from '../../kubernetes/quantity.ts';

/**
 * Each cluster's capacity for the control plane's replicas, in pods: its allocatable pods, minus other pods there at
 * the start. Clusters that do not report it are left out.
 */
export function podCapacity(
  clusters: readonly Cluster[],
  loads: readonly { name: string; before: { replicas: number } }[],
): ReadonlyMap<string, number> {
  const own = new Map(loads.map(({ name, before }) => [name, before.replicas]));
  const capacity = new Map<string, number>();
  for (const { metadata, status } of clusters) {
    const [allocatable, allocated] = [
      podsOf(status?.resourceSummary?.allocatable),
      podsOf(status?.resourceSummary?.allocated),
    ];
    if (allocatable === undefined) continue;
    const replicas = own.get(metadata.name) ?? 0;
    capacity.set(metadata.name, allocatable - Math.max(0, (allocated ?? 0) - replicas));
  }
  return capacity;
}

function podsOf(resources: Record<string, unknown> | undefined): number | undefined {
  const pods = resources?.pods;
  return typeof pods === 'string' || typeof pods === 'number'
    ? Number(quantityValue(parseQuantity(pods)))
    : undefined;
}
