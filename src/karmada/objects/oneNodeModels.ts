import type { AllocatableModeling, Cluster, ResourceModel } from '../api/cluster.ts';
import type { ResourceList } from '../api/meta.ts';
import { parseQuantity } from '../../kubernetes/parseQuantity.ts';
import { quantityMilliValue } from '../../kubernetes/quantity.ts';

/**
 * The counts of a cluster's resource models after `allocated` is subtracted, if it has a single node, which then runs
 * all pods. Undefined if it has more nodes or no models. Mirrors getAllocatableModelings (pkg/controllers/status).
 */
export function oneNodeModels(
  { spec, status }: Cluster,
  allocated: ResourceList,
): AllocatableModeling[] | undefined {
  const { allocatable, allocatableModelings } = status?.resourceSummary ?? {};
  const models = spec?.resourceModels;
  if (status?.nodeSummary?.totalNum !== 1 || !models?.length || !allocatableModelings?.length || !allocatable)
    return undefined;
  const left = (name: string) => milli(allocatable[name]) - milli(allocated[name]);
  // A node without capacity for another pod is not counted.
  const index = left('pods') <= 0n ? -1 : gradeOf(models, left);
  return models.map(({ grade }, i) => ({ grade: grade ?? 0, count: i === index ? 1 : 0 }));
}

/** The index of the last model whose minima the node meets; -1 if it meets none. */
function gradeOf(models: readonly ResourceModel[], left: (name: string) => bigint): number {
  const names = (models[0]?.ranges ?? []).map(({ name }) => name);
  const reaches = (name: string) =>
    models.findLastIndex(({ ranges }) => milli(ranges.find((one) => one.name === name)?.min) <= left(name));
  return Math.min(...names.map(reaches));
}

function milli(amount: string | number | undefined): bigint {
  return quantityMilliValue(parseQuantity(amount ?? 0));
}
