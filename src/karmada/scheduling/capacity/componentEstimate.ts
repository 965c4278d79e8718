import type { QuantityReader } from '../../../kubernetes/parseQuantity.ts';
import type { Component } from '../../api/work.ts';
import { toInt64 } from '../../../kubernetes/quantity.ts';
import type { ClusterCapacity } from './clusterCapacity.ts';
import { componentAmount, resourceQuantities } from './resourceQuantities.ts';
import { firstFit, type NodeDemand } from './firstFit.ts';
import { type ModelRules, type ResourceModels, nodeRequest } from './resourceModels.ts';

/** The requirements of one component set, computed once for all clusters. */
interface ComponentSetDemand {
  readonly estimate: ModelRules['componentEstimate'];
  readonly pods: bigint;
  /** in the unit of `componentAmount`, summed over all replicas of all components */
  readonly resources: ReadonlyMap<string, bigint>;
  /** each component in node units; computed on the first request by a cluster with resource models */
  onNode(): readonly NodeDemand[];
  /** each component that requests anything, in the unit of `componentAmount` */
  readonly amounts: readonly NodeDemand[];
}

/** spec.components prepared for estimates. Throws InvalidQuantity, naming the field, for a malformed quantity. */
export function componentSetDemand(
  components: readonly Component[],
  { componentEstimate }: Pick<ModelRules, 'componentEstimate'>,
  read?: QuantityReader,
): ComponentSetDemand {
  const requests = components.map(({ replicas = 0, replicaRequirements }, index) => ({
    replicas,
    request: resourceQuantities(
      replicaRequirements?.resourceRequest,
      `spec.components[${index}].replicaRequirements.resourceRequest`,
      read,
    ),
  }));
  const amounts = requests.map(({ replicas, request }) => ({
    replicas,
    request: new Map(request.map(([name, quantity]) => [name, componentAmount(quantity)])),
  }));
  let pods = 0n;
  const resources = new Map<string, bigint>();
  for (const { replicas, request } of amounts) {
    pods += BigInt(replicas);
    for (const [name, amount] of request)
      resources.set(name, toInt64((resources.get(name) ?? 0n) + toInt64(amount * BigInt(replicas))));
  }
  let demands: readonly NodeDemand[] | undefined;
  return {
    estimate: componentEstimate,
    pods,
    resources,
    amounts: amounts.filter(({ replicas, request }) => replicas > 0 && !isNothing(request)),
    onNode: () =>
      (demands ??= requests.map(({ replicas, request }) => ({ replicas, request: nodeRequest(request) }))),
  };
}

/**
 * How many complete component sets fit on a cluster, as the int32 that Karmada's general estimator returns
 * (MaxAvailableComponentSets, v1.16 and later). If the set requests nothing, the number of free pods. The sums limit it
 * and, with resource models, so do the nodes. Wraps around and can be negative as `maxAvailableReplicas` can.
 */
export function maxAvailableComponentSets(capacity: ClusterCapacity, demand: ComponentSetDemand): number {
  if (capacity.pods <= 0n) return 0;
  if (demand.pods <= 0n) return toInt32(capacity.pods);
  const bounds = [capacity.pods / demand.pods];
  for (const [name, amount] of demand.resources) {
    if (amount <= 0n) continue;
    const available = capacity.available.get(name)?.componentAmount ?? 0n;
    if (available <= 0n) return 0;
    bounds.push(available / amount);
  }
  if (demand.estimate === 'mostDemandingFirst') {
    const sets = bounds.reduce((least, bound) => (bound < least ? bound : least));
    return toInt32(sets < MAX_INT32 ? BigInt(boundByNodes(capacity, demand, Number(sets))) : sets);
  }
  return boundByNodes(capacity, demand, Math.min(...bounds.map(toInt32)));
}

const MAX_INT32 = 2n ** 31n - 1n;

/** The number of these sets that fit by resource models. */
function boundByNodes(
  { models, available }: ClusterCapacity,
  demand: ComponentSetDemand,
  sets: number,
): number {
  if (!models) return sets;
  switch (demand.estimate) {
    case 'inOrder':
      return placedInOrder(models, demand, sets);
    case 'inOrderIfRequesting':
      return isNothing(demand.resources) ? sets : placedInOrder(models, demand, sets);
    case 'mostDemandingFirst':
      if (isNothing(demand.resources) || demand.amounts.length === 0 || !models.componentNodes) return sets;
      return Math.min(sets, firstFit(models.componentNodes, mostDemandingFirst(demand, available), sets, 0n));
  }
}

function placedInOrder({ nodes }: ResourceModels, demand: ComponentSetDemand, sets: number): number {
  return nodes ? Math.min(sets, firstFit(nodes, demand.onNode(), sets)) : sets;
}

/**
 * Sorts components by the largest fraction of the cluster's free capacity that one replica takes, then by total
 * requests.
 */
function mostDemandingFirst(
  { amounts }: ComponentSetDemand,
  available: ClusterCapacity['available'],
): NodeDemand[] {
  const part = ({ request }: NodeDemand) => {
    let greatest = 0;
    for (const [name, amount] of request) {
      if (amount <= 0n) continue;
      const left = Number(available.get(name)?.componentAmount ?? 0n);
      if (left <= 0) return Number.MAX_VALUE;
      greatest = Math.max(greatest, Number(amount) / left);
    }
    return greatest;
  };
  const sum = ({ request }: NodeDemand) =>
    [...request.values()].reduce((all, amount) => (amount > 0n ? all + amount : all), 0n);
  return amounts.toSorted((a, b) => part(b) - part(a) || Number(sum(b) - sum(a)));
}

function isNothing(amounts: ReadonlyMap<string, bigint>): boolean {
  for (const amount of amounts.values()) if (amount !== 0n) return false;
  return true;
}

function toInt32(number: bigint): number {
  return Number(BigInt.asIntN(32, number));
}
