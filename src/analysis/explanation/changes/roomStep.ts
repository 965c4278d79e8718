import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceList } from '../../../karmada/api/meta.ts';
import type { ResourceBindingSpec } from '../../../karmada/api/work.ts';
import { formatQuantity } from '../../../kubernetes/formatQuantity.ts';
import { parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import {
  integerQuantity,
  milliQuantity,
  quantityMilliValue,
  quantityValue,
} from '../../../kubernetes/quantity.ts';
import {
  compileClusterCapacity,
  type CapacityOptions,
} from '../../../karmada/scheduling/capacity/clusterCapacity.ts';
import { withCluster, type ChangeStep } from './change.ts';

/**
 * The step that makes room for more replicas on a cluster, by name and amount of the resources to free.
 *
 * @param now for how many replicas the estimator finds room there
 * @param more how many more are needed
 */
export function roomStep(
  cluster: Cluster,
  spec: ResourceBindingSpec,
  now: number,
  more: number,
  options: CapacityOptions,
): ChangeStep {
  const request = Object.entries(spec.replicaRequirements?.resourceRequest ?? {});
  const wanted = BigInt(now + more);
  const allocatable: ResourceList = { pods: Number(wanted) };
  for (const [name, amount] of request)
    allocatable[name] = `${quantityMilliValue(parseQuantity(amount)) * wanted}m`;
  const { name } = cluster.metadata;
  return {
    kind: 'free-room',
    size: 5,
    text: `free ${missingRoom(cluster, request, wanted, options)} on ${name}, room for ${more} more ${more === 1 ? 'replica' : 'replicas'}`,
    apply: (proposal) =>
      withCluster(proposal, cluster, ({ spec: clusterSpec, ...one }) => ({
        ...one,
        // only the sums count then
        spec: { ...clusterSpec, resourceModels: [] },
        status: { ...one.status, resourceSummary: { allocatable } },
      })),
  };
}

/** What is missing, by resource; with resource models, what each replica needs on a node. */
function missingRoom(
  cluster: Cluster,
  request: [string, string | number][],
  wanted: bigint,
  options: CapacityOptions,
): string {
  const { available, pods, models } = compileClusterCapacity(cluster, options);
  if (models) return `nodes with ${request.map(([name, amount]) => `${name} ${amount}`).join(' and ')} each`;
  const missing = request.flatMap(([name, amount]) => {
    const quantity = parseQuantity(amount);
    const each = name === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity);
    const lacks = each * wanted - (available.get(name)?.amount ?? 0n);
    return lacks > 0n ? [`${name} ${amountText(name, lacks)}`] : [];
  });
  if (pods < wanted) missing.push(`${wanted - pods} pods`);
  return missing.join(' and ') || 'room';
}

const MEBI = 1024n * 1024n;

function amountText(name: string, amount: bigint): string {
  if (name === 'cpu') return formatQuantity(milliQuantity(amount, 'DecimalSI'));
  if (name !== 'memory' && name !== 'ephemeral-storage') return String(amount);
  const rounded = ((amount + MEBI - 1n) / MEBI) * MEBI;
  return formatQuantity(integerQuantity(rounded, 'BinarySI'));
}
