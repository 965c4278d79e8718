import { formatQuantity } from '../../../kubernetes/formatQuantity.ts';
import { parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import { quantityMilliValue, quantityValue, type Quantity } from '../../../kubernetes/quantity.ts';
import { isScalarResourceName } from '../../../kubernetes/scalarResourceNames.ts';

/**
 * The nodes that a cluster's resource models stand for: as many of each grade as reported, each with the grade's
 * minima.
 */
export type ModelNodes = readonly ModelNode[];

export interface ModelNode {
  readonly count: number;
  readonly resources: ReadonlyMap<string, bigint>;
}

/** Karmada gives every node of a model the usual limit of pods, whatever runs there (v1.17 and later). */
export const PODS_PER_NODE = 110n;

/**
 * What one replica takes of a node. Karmada passes the request on as printed quantities, and a few that it cannot
 * print exactly come back changed.
 */
export function nodeRequest(request: readonly [string, Quantity][]): Map<string, bigint> {
  return nodeResources(request.map(([name, quantity]) => [name, parseQuantity(formatQuantity(quantity))]));
}

/** Resources in the units of the Kubernetes scheduler; names that it does not know are left out, as are pods. */
export function nodeResources(quantities: readonly [string, Quantity][]): Map<string, bigint> {
  const resources = new Map<string, bigint>();
  for (const [name, quantity] of quantities) {
    if (name === 'cpu') resources.set(name, quantityMilliValue(quantity));
    else if (name === 'memory' || name === 'ephemeral-storage' || isScalarResourceName(name)) {
      resources.set(name, quantityValue(quantity));
    }
  }
  return resources;
}
