import type { QuantityReader } from '../../../kubernetes/parseQuantity.ts';
import type { Cluster, ResourceModel, ResourceSummary } from '../../api/cluster.ts';
import {
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
  toInt64,
} from '../../../kubernetes/quantity.ts';
import type { SchedulerOptions } from '../schedulerOptions.ts';
import { componentAmount, resourceQuantities } from './resourceQuantities.ts';
import { compileResourceModels, type ModelRules, type ResourceModels } from './resourceModels.ts';

/** The free capacity that a cluster last reported, computed once for all workloads. */
export interface ClusterCapacity {
  /** pods that can still be created; 0 if none, or if nothing was reported */
  readonly pods: bigint;
  /** by resource name, for every resource in status.resourceSummary.allocatable */
  readonly available: ReadonlyMap<string, AvailableResource>;
  /** set if resource models decide, in addition to the sums or instead of them */
  readonly models: ResourceModels | undefined;
  /** the inputs that it was compiled from */
  readonly source?: { summary: ResourceSummary; resourceModels: ResourceModel[] | undefined };
}

interface AvailableResource {
  /** in whole units, rounded up */
  readonly value: bigint;
  /** in thousandths for cpu, else in whole units */
  readonly amount: bigint;
  /** in the unit for component sets, which depends on how the quantity is written */
  readonly componentAmount: bigint;
}

/** The inputs that decide capacities. */
export interface CapacityOptions {
  rules: ModelRules;
  featureGates: Pick<SchedulerOptions['featureGates'], 'CustomizedClusterResourceModeling'>;
}

const nothingReported: ClusterCapacity = { pods: 0n, available: new Map(), models: undefined };

/**
 * A cluster's free capacity, from status.resourceSummary (allocatable − allocated − allocating) and, with the gate
 * CustomizedClusterResourceModeling, from spec.resourceModels. Depends on nothing else in the cluster: an earlier
 * result for the same summary, models and options is reused, so that changes of taints and conditions cost nothing.
 * Throws InvalidQuantity, naming cluster and field, for a malformed quantity. Mirrors the cluster-status ("general")
 * estimator of Karmada.
 */
export function compileClusterCapacity(
  cluster: Cluster,
  { rules, featureGates }: CapacityOptions,
  previous?: ClusterCapacity,
  read?: QuantityReader,
): ClusterCapacity {
  const summary = cluster.status?.resourceSummary;
  if (!summary) return nothingReported;
  const resourceModels = cluster.spec?.resourceModels ?? undefined;
  const known = previous?.source;
  if (known?.summary === summary && known.resourceModels === resourceModels) return previous!;
  const where = `Cluster ${cluster.metadata.name}: `;
  return {
    ...resourcesLeft(summary, `${where}status.resourceSummary`, read),
    models: featureGates.CustomizedClusterResourceModeling
      ? compileResourceModels(
          resourceModels,
          summary.allocatableModelings,
          `${where}spec.resourceModels`,
          rules,
          previous?.models,
          read,
        )
      : undefined,
    source: { summary, resourceModels },
  };
}

function resourcesLeft(
  summary: ResourceSummary,
  field: string,
  read?: QuantityReader,
): Pick<ClusterCapacity, 'pods' | 'available'> {
  const allocated = new Map(resourceQuantities(summary.allocated, `${field}.allocated`, read));
  const allocating = new Map(resourceQuantities(summary.allocating, `${field}.allocating`, read));
  const available = new Map<string, AvailableResource>();
  let pods = 0n;
  for (const [name, allocatable] of resourceQuantities(summary.allocatable, `${field}.allocatable`, read)) {
    const used = [allocated.get(name), allocating.get(name)].filter((quantity) => quantity !== undefined);
    const left = used.reduce(subtractQuantities, allocatable);
    available.set(name, {
      value: quantityValue(left),
      amount: name === 'cpu' ? quantityMilliValue(left) : quantityValue(left),
      componentAmount: componentAmount(left),
    });
    if (name === 'pods') pods = quantityValue(allocatable);
  }
  // pods are counted as integers, each list rounded separately
  for (const list of [allocated, allocating]) {
    const used = list.get('pods');
    if (used) pods = toInt64(pods - quantityValue(used));
  }
  return { pods: pods > 0n ? pods : 0n, available };
}
