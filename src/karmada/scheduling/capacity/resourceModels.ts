import type { QuantityReader } from '../../../kubernetes/parseQuantity.ts';
import type { AllocatableModeling, ResourceModel } from '../../api/cluster.ts';
import type { ResourceList } from '../../api/meta.ts';
import type { Quantity } from '../../../kubernetes/quantity.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';
import { componentAmount } from './componentAmount.ts';
import { modelGrades, type ModelGrades } from './gradeEstimate.ts';
import { nodeResources, type ModelNodes } from './modelNodes.ts';
import { resourceQuantities } from './resourceQuantities.ts';

export type ModelRules = Pick<SchedulingRules, 'modelEstimate' | 'componentEstimate'>;

/** spec.resourceModels and status.resourceSummary.allocatableModelings, compiled for the version's estimates. */
export interface ResourceModels {
  /** its two inputs; the same inputs give the same object */
  readonly source: { models: ResourceModel[] | undefined; counts: AllocatableModeling[] };
  /** nodes that replicas are placed on one by one; undefined if there are no models, or a negative count */
  readonly nodes: ModelNodes | undefined;
  /** the same in the units of component sets, if the version places those on nodes */
  readonly componentNodes: ModelNodes | undefined;
  /** set if the version counts by grades */
  readonly grades: ModelGrades | undefined;
}

/**
 * Undefined if models cannot decide anything: no counts were reported, or nodes decide and there are none.
 * `field` is the path of the models for InvalidQuantity.
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

/** The reported nodes, by grade, each with the grade's minimum of every resource. */
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
