import type { Component } from '../../../karmada/api/work.ts';
import { toInt64 } from '../../../kubernetes/quantity.ts';
import { componentAmount, type ClusterCapacity } from './clusterCapacity.ts';
import { firstFit, type NodeDemand } from './firstFit.ts';
import { nodeRequest } from './modelNodes.ts';
import { resourceQuantities } from './resourceQuantities.ts';

/** What one set of components needs, worked out once for all clusters. */
export interface ComponentSetDemand {
  readonly pods: bigint;
  /** resources that limit, in the unit of `componentAmount`, summed over all replicas of all components */
  readonly resources: ReadonlyMap<string, bigint>;
  /** each component in the units of nodes; worked out when a cluster with resource models asks for it */
  onNode(): readonly NodeDemand[];
}

/**
 * spec.components made ready for estimates. Throws InvalidQuantity that names the field for a quantity that
 * cannot be read.
 */
export function componentSetDemand(components: readonly Component[]): ComponentSetDemand {
  const requests = components.map(({ replicas = 0, replicaRequirements }, index) => ({
    replicas,
    request: resourceQuantities(
      replicaRequirements?.resourceRequest,
      `spec.components[${index}].replicaRequirements.resourceRequest`,
    ),
  }));
  let pods = 0n;
  const sums = new Map<string, bigint>();
  for (const { replicas, request } of requests) {
    pods += BigInt(replicas);
    for (const [name, quantity] of request) {
      const amount = toInt64(componentAmount(quantity) * BigInt(replicas));
      sums.set(name, toInt64((sums.get(name) ?? 0n) + amount));
    }
  }
  let demands: readonly NodeDemand[] | undefined;
  return {
    pods,
    resources: new Map([...sums].filter(([, amount]) => amount > 0n)),
    onNode: () =>
      (demands ??= requests.map(({ replicas, request }) => ({ replicas, request: nodeRequest(request) }))),
  };
}

/**
 * How many complete sets of components a cluster has room for, as the int32 that Karmada's general estimator
 * answers (MaxAvailableComponentSets). Free pods where the set has none; both the sums and, where there are
 * resource models, the nodes limit. Wraps around and can be negative as `maxAvailableReplicas` can.
 */
export function maxAvailableComponentSets(capacity: ClusterCapacity, demand: ComponentSetDemand): number {
  if (capacity.pods <= 0n) return 0;
  if (demand.pods <= 0n) return toInt32(capacity.pods);
  let sets = toInt32(capacity.pods / demand.pods);
  for (const [name, amount] of demand.resources) {
    const available = capacity.available.get(name)?.componentAmount ?? 0n;
    if (available <= 0n) return 0;
    sets = Math.min(sets, toInt32(available / amount));
  }
  if (!capacity.models) return sets;
  return Math.min(sets, firstFit(capacity.models, demand.onNode(), sets));
}

function toInt32(number: bigint): number {
  return Number(BigInt.asIntN(32, number));
}
