import type { ReplicaRequirements } from '../../api/work.ts';
import type { QuantityReader } from '../../../kubernetes/parseQuantity.ts';
import { quantityMilliValue, quantityValue, type Quantity } from '../../../kubernetes/quantity.ts';
import type { ClusterCapacity } from './clusterCapacity.ts';
import { firstFit } from './firstFit.ts';
import { type ModelRules, type ResourceModels, nodeRequest, replicasByGrade } from './resourceModels.ts';
import { resourceQuantities } from './resourceQuantities.ts';

/** What one replica needs, worked out once for all clusters. */
export interface ReplicaDemand {
  /** the resources that limit: those with a request above 0 */
  readonly resources: readonly DemandedResource[];
  /**
   * how many the nodes of resource models have room for; undefined if the sums decide. Cached, since models change
   * less often than the sums
   */
  onNodes(models: ResourceModels): bigint | undefined;
}

interface DemandedResource {
  readonly name: string;
  /** in thousandths for cpu, else in whole units */
  readonly amount: bigint;
}

/** Karmada's estimate if nothing limits the replicas: the largest int32. */
export const MAX_INT32 = 2 ** 31 - 1;

/**
 * spec.replicaRequirements made ready for estimates; undefined if the binding has none, so that pods alone
 * count. Throws InvalidQuantity that names the field for a quantity that cannot be read.
 */
export function replicaDemand(
  requirements: ReplicaRequirements | undefined | null,
  { modelEstimate }: Pick<ModelRules, 'modelEstimate'>,
  read?: QuantityReader,
): ReplicaDemand | undefined {
  if (!requirements) return undefined;
  const request = resourceQuantities(
    requirements.resourceRequest,
    'spec.replicaRequirements.resourceRequest',
    read,
  );
  const resources = request
    .filter(([, quantity]) => quantityValue(quantity) > 0n)
    .map(([name, quantity]) => ({ name, amount: requestedAmount(name, quantity) }));
  let node: Map<string, bigint> | undefined;
  const onNode = () => (node ??= nodeRequest(request));
  const onEachNode = ({ nodes, grades }: ResourceModels): bigint | undefined => {
    if (modelEstimate !== 'firstFit') return replicasByGrade(grades!, request, modelEstimate);
    return nodes && BigInt(firstFit(nodes, [{ replicas: 1, request: onNode() }], MAX_INT32));
  };
  const fitting = new WeakMap<ResourceModels, bigint | undefined>();
  const onNodes = (models: ResourceModels) => {
    if (!fitting.has(models)) fitting.set(models, onEachNode(models));
    return fitting.get(models);
  };
  return { resources, onNodes };
}

function requestedAmount(name: string, quantity: Quantity): bigint {
  return name === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity);
}

/**
 * How many replicas a cluster has room for by what it last reported, as the int32 that Karmada's general estimator
 * answers. 0 without a report or free pods. Without requirements only free pods limit. A requested resource that is
 * not reported gives 0; a request of 0 does not limit. Numbers beyond int32 wrap around as in Go, so the answer can
 * be negative, and −1 is what Karmada takes for "unknown" (see `availableReplicas`, which is what scheduling
 * wants).
 */
export function maxAvailableReplicas(capacity: ClusterCapacity, demand: ReplicaDemand | undefined): number {
  let replicas = capacity.pods;
  if (replicas > 0n && demand) {
    const bound = (capacity.models && demand.onNodes(capacity.models)) ?? replicasOfSums(capacity, demand);
    if (bound < replicas) replicas = bound;
  }
  return Number(BigInt.asIntN(32, replicas));
}

function replicasOfSums(capacity: ClusterCapacity, demand: ReplicaDemand): bigint {
  let replicas = 2n ** 63n - 1n;
  for (const { name, amount } of demand.resources) {
    const available = capacity.available.get(name);
    // a request that exceeds int64 in thousandths becomes 0; Karmada's scheduler crashes on that
    if (!available || available.value <= 0n || amount === 0n) return 0n;
    const bound = available.amount / amount;
    if (bound < replicas) replicas = bound;
  }
  return replicas;
}
