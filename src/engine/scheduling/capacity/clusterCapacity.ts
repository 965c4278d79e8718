import type { Cluster, ResourceSummary } from '../../../karmada/api/cluster.ts';
import type { FeatureGates } from '../../../karmada/configuration.ts';
import {
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
  toInt64,
  type Quantity,
} from '../../../kubernetes/quantity.ts';
import { modelNodes, type ModelNodes } from './modelNodes.ts';
import { resourceQuantities } from './resourceQuantities.ts';

/** What a cluster last reported to have left, worked out once for every workload that asks. */
export interface ClusterCapacity {
  /** pods that may still be created; 0 where none may, or where nothing was reported */
  readonly pods: bigint;
  /** by resource name, for every resource in status.resourceSummary.allocatable */
  readonly available: ReadonlyMap<string, AvailableResource>;
  /** nodes by grade, where resource models decide instead of the sums */
  readonly models: ModelNodes | undefined;
}

export interface AvailableResource {
  /** in whole units, rounded up */
  readonly value: bigint;
  /** in thousandths for cpu, else in whole units */
  readonly amount: bigint;
  /** in the unit that sets of components are counted in, which depends on how the quantity is written */
  readonly componentAmount: bigint;
}

type CapacityGates = Pick<FeatureGates, 'CustomizedClusterResourceModeling'>;

const nothingReported: ClusterCapacity = { pods: 0n, available: new Map(), models: undefined };

interface Compiled {
  resourceModels: unknown;
  modeling: boolean;
  capacity: ClusterCapacity;
}
const compiled = new WeakMap<ResourceSummary, Compiled>();

/**
 * What a cluster has left, from status.resourceSummary (allocatable − allocated − allocating) and, with the
 * gate CustomizedClusterResourceModeling, from spec.resourceModels. Depends on nothing else of the cluster
 * and gives the same object for the same summary and models, so taints and conditions may change for free.
 * Throws InvalidQuantity that names cluster and field for a quantity that cannot be read.
 * Mirrors the cluster-status ("general") estimator of Karmada.
 */
export function compileClusterCapacity(cluster: Cluster, gates: CapacityGates): ClusterCapacity {
  const summary = cluster.status?.resourceSummary;
  if (!summary) return nothingReported;
  const resourceModels = cluster.spec?.resourceModels;
  const modeling = gates.CustomizedClusterResourceModeling;
  const known = compiled.get(summary);
  if (known && known.resourceModels === resourceModels && known.modeling === modeling) return known.capacity;
  const where = `Cluster ${cluster.metadata.name}: `;
  const capacity: ClusterCapacity = {
    ...resourcesLeft(summary, `${where}status.resourceSummary`),
    models: modeling
      ? modelNodes(resourceModels, summary.allocatableModelings, `${where}spec.resourceModels`)
      : undefined,
  };
  compiled.set(summary, { resourceModels, modeling, capacity });
  return capacity;
}

function resourcesLeft(summary: ResourceSummary, field: string): Pick<ClusterCapacity, 'pods' | 'available'> {
  const allocated = new Map(resourceQuantities(summary.allocated, `${field}.allocated`));
  const allocating = new Map(resourceQuantities(summary.allocating, `${field}.allocating`));
  const available = new Map<string, AvailableResource>();
  let pods = 0n;
  for (const [name, allocatable] of resourceQuantities(summary.allocatable, `${field}.allocatable`)) {
    const used = [allocated.get(name), allocating.get(name)].filter((quantity) => quantity !== undefined);
    const left = used.reduce(subtractQuantities, allocatable);
    available.set(name, {
      value: quantityValue(left),
      amount: name === 'cpu' ? quantityMilliValue(left) : quantityValue(left),
      componentAmount: componentAmount(left),
    });
    if (name === 'pods') pods = quantityValue(allocatable);
  }
  // pods are counted in whole ones, each list rounded on its own
  for (const list of [allocated, allocating]) {
    const used = list.get('pods');
    if (used) pods = toInt64(pods - quantityValue(used));
  }
  return { pods: pods > 0n ? pods : 0n, available };
}

/**
 * The unit in which Karmada adds up the resources of components: thousandths for quantities written in
 * decimal ("1500M"), whole units for those in binary ("1Gi"). Both sides may differ; Karmada compares them so.
 */
export function componentAmount(quantity: Quantity): bigint {
  return quantity.format === 'DecimalSI' || quantity.format === 'DecimalExponent'
    ? quantityMilliValue(quantity)
    : quantityValue(quantity);
}
