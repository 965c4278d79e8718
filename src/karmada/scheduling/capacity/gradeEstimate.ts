import type { AllocatableModeling, ResourceModel } from '../../api/cluster.ts';
import { parseQuantity, type QuantityReader } from '../../../kubernetes/parseQuantity.ts';
import {
  compareQuantities,
  quantityMilliValue,
  quantityValue,
  toInt64,
  type Quantity,
} from '../../../kubernetes/quantity.ts';
import { resourceQuantities } from './resourceQuantities.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';

/** Resource models by their position, as Karmada counts up to v1.17: it ignores the grades themselves. */
export interface ModelGrades {
  readonly size: number;
  /** nodes at each position */
  readonly counts: readonly number[];
  /** the least of each resource at each position, of the models that have the resource */
  readonly minima: ReadonlyMap<string, readonly Quantity[]>;
}

/** Reads a cluster's resource models and the nodes counted for them. Throws InvalidQuantity, named by `field`. */
export function modelGrades(
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
 * How many replicas the nodes of resource models have room for up to v1.17: those of a first grade and of all after
 * it, each as many as the grade's least holds, but at least one. Undefined if a model lacks a resource that is
 * requested: the sums decide then. Mirrors getMaximumReplicasBasedOnResourceModels, int64 wrapping included; where
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

/** The last grade whose least does not exceed the quantity. */
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
