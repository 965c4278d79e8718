import type { AllocatableModeling, ResourceModel } from '../../../karmada/api/cluster.ts';
import type { ResourceList } from '../../../karmada/api/meta.ts';
import { formatQuantity } from '../../../kubernetes/formatQuantity.ts';
import { parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import { quantityMilliValue, quantityValue, type Quantity } from '../../../kubernetes/quantity.ts';
import { isScalarResourceName } from '../../../kubernetes/scalarResourceNames.ts';
import { resourceQuantities } from './resourceQuantities.ts';

/** Nodes that a cluster's resource models stand for: per grade as many as reported, each with the grade's least. */
export type ModelNodes = readonly ModelNode[];

export interface ModelNode {
  readonly count: number;
  readonly resources: ReadonlyMap<string, bigint>;
}

/** Karmada gives every node of a model the usual limit of pods, whatever runs there. */
export const PODS_PER_NODE = 110n;

interface Compiled {
  models: ResourceModel[];
  nodes: ModelNodes;
}
const compiled = new WeakMap<AllocatableModeling[], Compiled>();

/**
 * The nodes of spec.resourceModels and status.resourceSummary.allocatableModelings by grade; the same object
 * for the same two. Undefined where the models cannot be used and the sums decide: none reported, none
 * defined, or a negative count. `field` is the path of the models for InvalidQuantity.
 */
export function modelNodes(
  models: ResourceModel[] | undefined | null,
  counts: AllocatableModeling[] | undefined | null,
  field: string,
): ModelNodes | undefined {
  if (!models?.length || !counts?.length || counts.some(({ count }) => (count ?? 0) < 0)) return undefined;
  const known = compiled.get(counts);
  if (known?.models === models) return known.nodes;
  const nodes = nodesByGrade(models, counts, field);
  compiled.set(counts, { models, nodes });
  return nodes;
}

function nodesByGrade(models: ResourceModel[], counts: AllocatableModeling[], field: string): ModelNodes {
  const countOfGrade = new Map<number, number>();
  for (const { grade = 0, count = 0 } of counts) {
    countOfGrade.set(grade, (countOfGrade.get(grade) ?? 0) + count);
  }
  const leastOfGrade = new Map<number, ReadonlyMap<string, bigint>>();
  models.forEach(({ grade = 0, ranges }, index) => {
    const least: ResourceList = Object.fromEntries((ranges ?? []).map(({ name, min }) => [name, min]));
    leastOfGrade.set(grade, nodeResources(resourceQuantities(least, `${field}[${index}].ranges`)));
  });
  return [...leastOfGrade]
    .sort(([one], [other]) => one - other)
    .map(([grade, resources]) => ({ count: countOfGrade.get(grade) ?? 0, resources }))
    .filter(({ count }) => count > 0);
}

/**
 * What one replica takes of a node. Karmada hands the request on as printed quantities, and a few that it
 * cannot print come back as others.
 */
export function nodeRequest(request: readonly [string, Quantity][]): Map<string, bigint> {
  return nodeResources(request.map(([name, quantity]) => [name, parseQuantity(formatQuantity(quantity))]));
}

/** Resources in the units of the Kubernetes scheduler; names that it does not know are left out, as are pods. */
function nodeResources(quantities: readonly [string, Quantity][]): Map<string, bigint> {
  const resources = new Map<string, bigint>();
  for (const [name, quantity] of quantities) {
    if (name === 'cpu') resources.set(name, quantityMilliValue(quantity));
    else if (name === 'memory' || name === 'ephemeral-storage' || isScalarResourceName(name)) {
      resources.set(name, quantityValue(quantity));
    }
  }
  return resources;
}
