import type { ReplicaRequirements } from '../../api/work.ts';
import type { QuantityReader } from '../../../kubernetes/parseQuantity.ts';
import { quantityMilliValue, quantityValue, type Quantity } from '../../../kubernetes/quantity.ts';
import type { ClusterCapacity } from './clusterCapacity.ts';
import { firstFit } from './firstFit.ts';
import { type ModelRules, type ResourceModels, nodeRequest, replicasByGrade } from './resourceModels.ts';
import { resourceQuantities } from './resourceQuantities.ts';

/** The requirements of one replica, computed once for all clusters. */
export interface ReplicaDemand {
  /** the limiting resources: those with a request above 0 */
  readonly resources: readonly DemandedResource[];
  /**
   * how many fit on the nodes of resource models; undefined if the sums decide. Cached, because models change less
   * often than the sums
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
 * spec.replicaRequirements prepared for estimates; undefined if the binding has none, so that only pods count. Throws
 * InvalidQuantity, naming the field, for a malformed quantity.
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
 * How many replicas fit on a cluster by its last report, as the int32 that Karmada's general estimator returns. 0
 * without a report or free pods. Without requirements only free pods limit. A requested resource that is not reported
 * gives 0; a request of 0 does not limit. Numbers beyond int32 wrap around as in Go, so the result can be negative, and
 * Karmada reads −1 as "unknown" (see `availableReplicas`, which scheduling uses).
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
    // a request that exceeds int64 in thousandths becomes 0, which crashes Karmada's scheduler
    if (!available || available.value <= 0n || amount === 0n) return 0n;
    const bound = available.amount / amount;
    if (bound < replicas) replicas = bound;
  }
  return replicas;
}
