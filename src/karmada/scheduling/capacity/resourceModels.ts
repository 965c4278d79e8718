import {
  type Quantity,
  compareQuantities,
  formatQuantity,
  quantityMilliValue,
  quantityValue,
  toInt64,
} from '../../../kubernetes/quantity.ts';
import { type QuantityReader, parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import { isScalarResourceName } from '../../../kubernetes/scalarResourceNames.ts';
import type { AllocatableModeling, ResourceModel } from '../../api/cluster.ts';
import type { ResourceList } from '../../api/meta.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';
import { componentAmount, resourceQuantities } from './resourceQuantities.ts';

export type ModelRules = Pick<SchedulingRules, 'modelEstimate' | 'componentEstimate'>;

/** spec.resourceModels and status.resourceSummary.allocatableModelings, compiled for the version's estimates. */
export interface ResourceModels {
  /** its two inputs; for the same inputs the same object is returned */
  readonly source: { models: ResourceModel[] | undefined; counts: AllocatableModeling[] };
  /** nodes on which replicas are placed one by one; undefined without models, or with a negative count */
  readonly nodes: ModelNodes | undefined;
  /** the same in the units of component sets, if the version places those on nodes */
  readonly componentNodes: ModelNodes | undefined;
  /** set if the version counts by grades */
  readonly grades: ModelGrades | undefined;
}

/**
 * Undefined if models decide nothing: no counts were reported, or nodes decide and there are none. `field` is the path
 * of the models for InvalidQuantity.
 */
export function compileResourceModels(
  models: ResourceModel[] | undefined | null,
  counts: AllocatableModeling[] | undefined | null,
  field: string,
  rules: ModelRules,
  previous: ResourceModels | undefined,
  read?: QuantityReader,
): ResourceModels | undefined {
  if (!counts?.length) return undefined;
  const source = { models: models ?? undefined, counts };
  if (previous?.source.models === source.models && previous?.source.counts === counts) return previous;
  const usable = Boolean(models?.length) && counts.every(({ count = 0 }) => count >= 0);
  const nodesOf = (resources: (least: [string, Quantity][]) => ReadonlyMap<string, bigint>) =>
    usable ? nodesByGrade(models!, counts, field, resources, read) : undefined;
  const byGrade = rules.modelEstimate !== 'firstFit';
  if (!byGrade && !usable) return undefined;
  return {
    source,
    nodes: nodesOf(nodeResources),
    componentNodes: rules.componentEstimate === 'mostDemandingFirst' ? nodesOf(amounts) : undefined,
    grades: byGrade ? modelGrades(models ?? [], counts, field, read) : undefined,
  };
}

/** The reported nodes by grade, each with the grade's minimum of every resource. */
function nodesByGrade(
  models: ResourceModel[],
  counts: AllocatableModeling[],
  field: string,
  resources: (least: [string, Quantity][]) => ReadonlyMap<string, bigint>,
  read: QuantityReader | undefined,
): ModelNodes {
  const countOfGrade = new Map<number, number>();
  for (const { grade = 0, count = 0 } of counts) {
    countOfGrade.set(grade, (countOfGrade.get(grade) ?? 0) + count);
  }
  const leastOfGrade = new Map<number, ReadonlyMap<string, bigint>>();
  models.forEach(({ grade = 0, ranges }, index) => {
    const least: ResourceList = Object.fromEntries((ranges ?? []).map(({ name, min }) => [name, min]));
    leastOfGrade.set(grade, resources(resourceQuantities(least, `${field}[${index}].ranges`, read)));
  });
  return [...leastOfGrade]
    .sort(([one], [other]) => one - other)
    .map(([grade, least]) => ({ count: countOfGrade.get(grade) ?? 0, resources: least }))
    .filter(({ count }) => count > 0);
}

function amounts(quantities: [string, Quantity][]): ReadonlyMap<string, bigint> {
  return new Map(quantities.map(([name, quantity]) => [name, componentAmount(quantity)]));
}

/** Resource models by position, as Karmada counts up to v1.17: it ignores the grades themselves. */
interface ModelGrades {
  readonly size: number;
  /** nodes at each position */
  readonly counts: readonly number[];
  /** each resource's minimum at each position, from the models that have the resource */
  readonly minima: ReadonlyMap<string, readonly Quantity[]>;
}

/** Reads a cluster's resource models and their node counts. Throws InvalidQuantity, naming `field`. */
function modelGrades(
  models: readonly ResourceModel[],
  counts: readonly AllocatableModeling[],
  field: string,
  read?: QuantityReader,
): ModelGrades {
  const minima = new Map<string, Quantity[]>();
  models.forEach(({ ranges }, index) => {
    for (const { name, min } of ranges ?? []) {
      const [[, least]] = resourceQuantities({ [name]: min }, `${field}[${index}].ranges`, read) as [
        [string, Quantity],
      ];
      const known = minima.get(name);
      if (known) known.push(least);
      else minima.set(name, [least]);
    }
  });
  return { size: models.length, counts: counts.map(({ count = 0 }) => count), minima };
}

const MAX_INT64 = 2n ** 63n - 1n;

/**
 * How many replicas fit on the nodes of resource models up to v1.17: on those of the first sufficient grade and all
 * later ones, each with as many as the grade's minimum holds, but at least one. Undefined if a model lacks a requested
 * resource: then the sums decide. Mirrors getMaximumReplicasBasedOnResourceModels, int64 wrapping included; where
 * Karmada would crash (fewer counts or minima than models), missing ones count as 0.
 */
export function replicasByGrade(
  { size, counts, minima }: ModelGrades,
  request: readonly [string, Quantity][],
  estimate: Exclude<SchedulingRules['modelEstimate'], 'firstFit'>,
): bigint | undefined {
  const asked = request.filter(([, quantity]) => quantityValue(quantity) > 0n);
  if (asked.some(([name]) => !minima.has(name))) return undefined;
  let first = 0;
  for (const [name, quantity] of asked) {
    const covering = minima.get(name)!.findIndex((least) => compareQuantities(least, quantity) >= 0);
    if (estimate === 'fromCoveringGrade') {
      if (covering === -1) return 0n;
      first = Math.max(first, covering);
    } else first = Math.max(first, gradeBelow(minima.get(name)!, quantity));
  }
  let replicas = 0n;
  for (let at = first; at < size; at++) {
    const count = counts[at] ?? 0;
    if (count !== 0)
      replicas = toInt64(replicas + toInt64(BigInt(count) * replicasOfNode(minima, at, asked)));
  }
  return replicas;
}

/** The last grade whose minimum does not exceed the quantity. */
function gradeBelow(minima: readonly Quantity[], quantity: Quantity): number {
  const above = minima.findIndex((least) => compareQuantities(least, quantity) > 0);
  return above === -1 ? minima.length - 1 : above - 1;
}

function replicasOfNode(
  minima: ModelGrades['minima'],
  at: number,
  asked: readonly [string, Quantity][],
): bigint {
  let replicas = MAX_INT64;
  for (const [name, quantity] of asked) {
    const least = minima.get(name)![at] ?? parseQuantity(0);
    const amount = name === 'cpu' ? quantityMilliValue : quantityValue;
    const wanted = amount(quantity);
    const fits = wanted === 0n ? 0n : amount(least) / wanted;
    if (fits < replicas) replicas = fits;
  }
  return replicas === 0n ? 1n : replicas;
}

/**
 * The nodes that a cluster's resource models represent: as many of each grade as reported, each with the grade's
 * minima.
 */
export type ModelNodes = readonly ModelNode[];

interface ModelNode {
  readonly count: number;
  readonly resources: ReadonlyMap<string, bigint>;
}

/** Karmada gives every node of a model the usual limit of pods, even if pods already run there (v1.17 and later). */
export const PODS_PER_NODE = 110n;

/**
 * The request of one replica on a node. Karmada prints and reparses the quantities, which changes the few that it
 * cannot print exactly.
 */
export function nodeRequest(request: readonly [string, Quantity][]): Map<string, bigint> {
  return nodeResources(request.map(([name, quantity]) => [name, parseQuantity(formatQuantity(quantity))]));
}

/** Resources in the units of the Kubernetes scheduler, without pods and unknown names. */
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
