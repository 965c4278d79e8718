import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceList } from '../../../karmada/api/meta.ts';
import { formatQuantity, quantityMilliValue } from '../../../kubernetes/quantity.ts';
import { parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import type { PlannedCluster } from './drainPlan.ts';

type Capacity = NonNullable<PlannedCluster['capacity']>;

/** A cluster's capacity of each resource, and its allocation before and after; undefined if it reports none. */
export function plannedCapacity(
  before: Cluster | undefined,
  after: Cluster | undefined,
): Capacity | undefined {
  const { allocatable, allocated } = before?.status?.resourceSummary ?? {};
  if (!allocatable) return undefined;
  const then = after?.status?.resourceSummary?.allocated;
  return Object.keys(allocatable).map((resource) => ({
    resource,
    allocatable: text(allocatable, resource),
    allocatedBefore: text(allocated, resource, allocatable),
    allocatedAfter: text(then, resource, allocatable),
  }));
}

/** Whether more of a resource ends up allocated than the cluster has, and more than before. */
export function isOvercommitted({ capacity = [] }: PlannedCluster): boolean {
  return capacity.some(({ allocatable, allocatedBefore, allocatedAfter }) => {
    const after = amount(allocatedAfter);
    return after > amount(allocatable) && after > amount(allocatedBefore);
  });
}

function amount(quantity: string): bigint {
  return quantityMilliValue(parseQuantity(quantity));
}

/** A quantity as the API prints it, in the format (binary or decimal) of `like`. */
function text(list: ResourceList | undefined, resource: string, like?: ResourceList): string {
  const quantity = list?.[resource];
  if (quantity === undefined) return '0';
  const parsed = parseQuantity(quantity);
  if (!like) return formatQuantity(parsed);
  const { text: _asWritten, ...value } = parsed;
  return formatQuantity({ ...value, format: parseQuantity(like[resource]!).format });
}
