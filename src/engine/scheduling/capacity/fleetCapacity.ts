import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { FeatureGates } from '../../../karmada/configuration.ts';
import type { Component, ReplicaRequirements } from '../../../karmada/api/work.ts';
import { compileClusterCapacity, type ClusterCapacity } from './clusterCapacity.ts';
import { componentSetDemand, maxAvailableComponentSets } from './componentEstimate.ts';
import { maxAvailableReplicas, replicaDemand, type ReplicaDemand } from './replicaEstimate.ts';

/**
 * The capacities of all clusters in one order, with the estimates made so far: thousands of bindings ask the
 * same few questions.
 */
export interface FleetCapacity {
  readonly capacities: readonly ClusterCapacity[];
  readonly estimates: Map<string, Int32Array>;
  /** free pods and resources as plain numbers, NaN where only the exact way will do */
  readonly pods: Float64Array;
  readonly columns: Map<string, Float64Array>;
}

/** Estimates kept; beyond that they are made anew. */
const REMEMBERED = 4096;

/**
 * The capacities of clusters, in their order. Give the previous result when clusters have changed: it is
 * returned itself, estimates included, if no capacity has (see `compileClusterCapacity` for what counts).
 * Throws InvalidQuantity as that does.
 */
export function compileFleetCapacity(
  clusters: readonly Cluster[],
  gates: Pick<FeatureGates, 'CustomizedClusterResourceModeling'>,
  previous?: FleetCapacity,
): FleetCapacity {
  const capacities = clusters.map((cluster) => compileClusterCapacity(cluster, gates));
  if (
    previous?.capacities.length === capacities.length &&
    previous.capacities.every((capacity, index) => capacity === capacities[index])
  ) {
    return previous;
  }
  const pods = Float64Array.from(capacities, ({ pods, models }) => (models ? NaN : plainNumber(pods)));
  return { capacities, estimates: new Map(), pods, columns: new Map() };
}

/**
 * `maxAvailableReplicas` for every cluster of the fleet, by its index there. The array is shared between
 * bindings with the same requirements: do not write to it.
 */
export function maxAvailableReplicasOfFleet(
  fleet: FleetCapacity,
  requirements: ReplicaRequirements | undefined | null,
): Int32Array {
  return remember(fleet, requirements ? requestKey(requirements) : 'none', () => {
    const demand = replicaDemand(requirements);
    return estimateSums(fleet, demand) ?? estimateEach(fleet, demand);
  });
}

/** `maxAvailableComponentSets` for every cluster of the fleet, by its index there; shared as above. */
export function maxAvailableComponentSetsOfFleet(
  fleet: FleetCapacity,
  components: readonly Component[],
): Int32Array {
  const key = components.map((component) => {
    const { replicas = 0, replicaRequirements } = component;
    return `${replicas}*${requestKey(replicaRequirements)}`;
  });
  return remember(fleet, `sets ${key.join(';')}`, () => {
    const demand = componentSetDemand(components);
    return Int32Array.from(fleet.capacities, (capacity) => maxAvailableComponentSets(capacity, demand));
  });
}

function remember(fleet: FleetCapacity, key: string, estimate: () => Int32Array): Int32Array {
  let known = fleet.estimates.get(key);
  if (!known) {
    known = estimate();
    if (fleet.estimates.size >= REMEMBERED) fleet.estimates.clear();
    fleet.estimates.set(key, known);
  }
  return known;
}

/** Everything of the requirements that an estimate depends on. */
function requestKey(requirements: ReplicaRequirements | undefined | null): string {
  let key = '';
  const request = requirements?.resourceRequest;
  for (const name in request) key += `${name}=${request[name]},`;
  return key;
}

function estimateEach(fleet: FleetCapacity, demand: ReplicaDemand | undefined): Int32Array {
  return Int32Array.from(fleet.capacities, (capacity) => maxAvailableReplicas(capacity, demand));
}

/** The usual case in plain numbers, cluster by cluster where those are not exact. */
function estimateSums(fleet: FleetCapacity, demand: ReplicaDemand | undefined): Int32Array | undefined {
  const resources = (demand?.resources ?? []).map(({ name, amount }) => ({
    column: column(fleet, name),
    amount: plainNumber(amount),
  }));
  if (resources.some(({ amount }) => !(amount > 0))) return undefined;
  const estimates = new Int32Array(fleet.capacities.length);
  for (let index = 0; index < estimates.length; index++) {
    let replicas = fleet.pods[index]!;
    for (const { column, amount } of resources) {
      replicas = Math.min(replicas, Math.floor(column[index]! / amount));
    }
    estimates[index] = Number.isNaN(replicas)
      ? maxAvailableReplicas(fleet.capacities[index]!, demand)
      : replicas;
  }
  return estimates;
}

function column(fleet: FleetCapacity, name: string): Float64Array {
  let known = fleet.columns.get(name);
  if (!known) {
    known = Float64Array.from(fleet.capacities, ({ available }) => {
      const resource = available.get(name);
      return resource && resource.value > 0n ? plainNumber(resource.amount) : 0;
    });
    fleet.columns.set(name, known);
  }
  return known;
}

/** NaN where a float64 does not hold the number exactly, or it is negative. */
function plainNumber(number: bigint): number {
  return number >= 0n && number <= 9_007_199_254_740_991n ? Number(number) : NaN;
}
