import type { Cluster } from '../../api/cluster.ts';
import type { Component, ReplicaRequirements } from '../../api/work.ts';
import { createQuantityReader, type QuantityReader } from '../../../kubernetes/parseQuantity.ts';
import { compileClusterCapacity, type CapacityOptions, type ClusterCapacity } from './clusterCapacity.ts';
import { componentSetDemand, maxAvailableComponentSets } from './componentEstimate.ts';
import { maxAvailableReplicas, MAX_INT32, replicaDemand, type ReplicaDemand } from './replicaEstimate.ts';
import type { ModelRules } from './resourceModels.ts';
import { ReplicaCapacity } from './replicaCapacity.ts';
import { appendAll } from '../../../kubernetes/longLists.ts';

/** The capacities of all clusters, in a fixed order. */
export interface FleetCapacity {
  readonly capacities: readonly ClusterCapacity[];
  readonly rules: ModelRules;
  /** shared with the fleets that this one derives from; `version`: the number of changes included */
  readonly history: FleetHistory;
  readonly version: number;
  /** amounts of a resource as plain numbers, NaN if only bigints are exact; computed on demand */
  readonly columns: Map<string, Float64Array>;
  /** earlier demands, by `requestKey`; shared with all fleets that this one derives from */
  readonly demands: Map<string, ReplicaDemand | undefined>;
  /** the reader of its quantities, likewise shared */
  readonly read: QuantityReader;
}

/** The estimates for a fleet, which thousands of bindings share, and the changes since. */
interface FleetHistory {
  /** indexes of clusters, in the order in which their capacities changed */
  readonly changes: number[];
  readonly estimates: Map<string, Estimate>;
  /** the fleet that it forked from */
  readonly origin?: FleetCapacity;
}

interface Estimate {
  version: number;
  capacity: ReplicaCapacity;
  of(capacity: ClusterCapacity): number;
}

/** The most cached estimates and demands; beyond that all are recomputed. */
const REMEMBERED = 4096;

/** The capacities of clusters, in order. Throws InvalidQuantity as `compileClusterCapacity` does. */
export function compileFleetCapacity(clusters: readonly Cluster[], options: CapacityOptions): FleetCapacity {
  const read = createQuantityReader();
  const capacities = clusters.map((cluster) => compileClusterCapacity(cluster, options, undefined, read));
  return newFleet(capacities, options.rules, read);
}

/**
 * The fleet after some of its clusters, given by index, have changed, in time proportional to the changes: itself if no
 * capacity has changed (see `compileClusterCapacity` for what counts).
 */
export function changeFleetCapacity(
  fleet: FleetCapacity,
  changes: Iterable<readonly [index: number, cluster: Cluster]>,
  options: CapacityOptions,
): FleetCapacity {
  const capacities = [...fleet.capacities];
  const changed: number[] = [];
  for (const [at, cluster] of changes) {
    const capacity = compileClusterCapacity(cluster, options, capacities[at], fleet.read);
    if (capacity !== capacities[at]) changed.push(at);
    capacities[at] = capacity;
  }
  return successor(fleet, capacities, changed);
}

function successor(fleet: FleetCapacity, capacities: ClusterCapacity[], changed: number[]): FleetCapacity {
  if (changed.length === 0) return fleet;
  const { history, version, rules, demands, read } = fleet;
  // another fleet already derives from this one, or too little history is left
  if (version !== history.changes.length || changed.length > capacities.length / 4)
    return newFleet(capacities, rules, read, demands);
  appendAll(history.changes, changed);
  return { capacities, rules, history, version: history.changes.length, columns: new Map(), demands, read };
}

function newFleet(
  capacities: ClusterCapacity[],
  rules: ModelRules,
  read: QuantityReader,
  demands: FleetCapacity['demands'] = new Map(),
): FleetCapacity {
  return {
    capacities,
    rules,
    history: { changes: [], estimates: new Map() },
    version: 0,
    columns: new Map(),
    demands,
    read,
  };
}

/** A copy of the fleet that changes independently. Forks share their origin's estimates until the origin changes. */
export function forkFleetCapacity(fleet: FleetCapacity): FleetCapacity {
  return { ...fleet, history: { changes: [], estimates: new Map(), origin: fleet }, version: 0 };
}

/** MaxInt32 for every cluster of the fleet. */
export function unlimitedReplicas(fleet: FleetCapacity): ReplicaCapacity {
  return remember(fleet, 'unlimited', ({ capacities }) => ({
    capacity: new ReplicaCapacity(new Int32Array(capacities.length).fill(MAX_INT32)),
    of: () => MAX_INT32,
  }));
}

/**
 * `maxAvailableReplicas` for every cluster of the fleet, by its index there. Bindings with the same requirements share
 * the result: do not write to it.
 */
export function maxAvailableReplicasOfFleet(
  fleet: FleetCapacity,
  requirements: ReplicaRequirements | undefined | null,
): ReplicaCapacity {
  const key = requirements ? requestKey(requirements) : 'none';
  return remember(fleet, key, (asked) => {
    const demand = demandOf(asked, key, requirements);
    const values = estimateSums(asked, demand) ?? estimateEach(asked, demand);
    return {
      capacity: new ReplicaCapacity(values),
      of: (capacity) => maxAvailableReplicas(capacity, demand),
    };
  });
}

/** A demand caches how many replicas fit on which nodes, which stays valid when the sums change. */
function demandOf(
  { demands, rules, read }: FleetCapacity,
  key: string,
  requirements: ReplicaRequirements | undefined | null,
): ReplicaDemand | undefined {
  if (!demands.has(key)) {
    if (demands.size >= REMEMBERED) demands.clear();
    demands.set(key, replicaDemand(requirements, rules, read));
  }
  return demands.get(key);
}

/** `maxAvailableComponentSets` for every cluster of the fleet, by its index there; shared as above. */
export function maxAvailableComponentSetsOfFleet(
  fleet: FleetCapacity,
  components: readonly Component[],
): ReplicaCapacity {
  const key = components.map((component) => {
    const { replicas = 0, replicaRequirements } = component;
    return `${replicas}*${requestKey(replicaRequirements)}`;
  });
  return remember(fleet, `sets ${key.join(';')}`, ({ capacities, rules, read }) => {
    const demand = componentSetDemand(components, rules, read);
    const of = (capacity: ClusterCapacity) => maxAvailableComponentSets(capacity, demand);
    return { capacity: new ReplicaCapacity(Int32Array.from(capacities, of)), of };
  });
}

type MakeEstimate = (fleet: FleetCapacity) => Omit<Estimate, 'version'>;

function remember(fleet: FleetCapacity, key: string, make: MakeEstimate): ReplicaCapacity {
  const { capacities, history, version } = fleet;
  const known = history.estimates.get(key) ?? inherited(history, key, make);
  if (known?.version === version) return known.capacity;
  // an older fleet than the last requested one
  if (known && known.version > version) return make(fleet).capacity;
  if (known && version - known.version <= capacities.length / 4) {
    bringUpToDate(known, capacities, history.changes.slice(known.version, version));
    known.version = version;
    return known.capacity;
  }
  return noted(history, key, { ...make(fleet), version }).capacity;
}

/** The estimates that a fork inherits; none if its origin has changed since. */
function inherited(history: FleetHistory, key: string, make: MakeEstimate): Estimate | undefined {
  const { origin } = history;
  if (!origin) return undefined;
  remember(origin, key, make);
  const { capacity, of, version } = origin.history.estimates.get(key)!;
  return version === origin.version ? noted(history, key, { capacity, of, version: 0 }) : undefined;
}

function noted({ estimates }: FleetHistory, key: string, estimate: Estimate): Estimate {
  if (estimates.size >= REMEMBERED) estimates.clear();
  estimates.set(key, estimate);
  return estimate;
}

/** Capacities are shared: a changed value needs a copy, but usually none changes. */
function bringUpToDate(
  known: Estimate,
  capacities: readonly ClusterCapacity[],
  changed: readonly number[],
): void {
  const values = new Map<number, number>();
  for (const at of changed) {
    const value = known.of(capacities[at]!);
    if (value !== known.capacity.values[at]) values.set(at, value);
  }
  if (values.size > 0) known.capacity = known.capacity.with(values);
}

/** The parts of requirements that decide an estimate. */
function requestKey(requirements: ReplicaRequirements | undefined | null): string {
  let key = '';
  const request = requirements?.resourceRequest;
  for (const name in request) key += `${name}=${request[name]},`;
  return key;
}

function estimateEach(fleet: FleetCapacity, demand: ReplicaDemand | undefined): Int32Array {
  return Int32Array.from(fleet.capacities, (capacity) => maxAvailableReplicas(capacity, demand));
}

/** In plain numbers where exact; otherwise cluster by cluster. */
function estimateSums(fleet: FleetCapacity, demand: ReplicaDemand | undefined): Int32Array | undefined {
  const resources = (demand?.resources ?? []).map(({ name, amount }) => ({
    column: availableColumn(fleet, name),
    amount: plainNumber(amount),
  }));
  if (resources.some(({ amount }) => !(amount > 0))) return undefined;
  const pods = columnOf(fleet, 'free pods', ({ pods, models }) => (models ? NaN : plainNumber(pods)));
  const estimates = new Int32Array(fleet.capacities.length);
  for (let index = 0; index < estimates.length; index++) {
    let replicas = pods[index]!;
    for (const { column, amount } of resources) {
      replicas = Math.min(replicas, Math.floor(column[index]! / amount));
    }
    estimates[index] = Number.isNaN(replicas)
      ? maxAvailableReplicas(fleet.capacities[index]!, demand)
      : replicas;
  }
  return estimates;
}

function availableColumn(fleet: FleetCapacity, name: string): Float64Array {
  return columnOf(fleet, name, ({ available }) => {
    const resource = available.get(name);
    return resource && resource.value > 0n ? plainNumber(resource.amount) : 0;
  });
}

function columnOf(
  { capacities, columns }: FleetCapacity,
  name: string,
  amount: (capacity: ClusterCapacity) => number,
): Float64Array {
  let known = columns.get(name);
  if (!known) {
    known = new Float64Array(capacities.length);
    for (let index = 0; index < known.length; index++) known[index] = amount(capacities[index]!);
    columns.set(name, known);
  }
  return known;
}

/** NaN if a float64 cannot hold the number exactly, or if it is negative. */
function plainNumber(number: bigint): number {
  return number >= 0n && number <= 9_007_199_254_740_991n ? Number(number) : NaN;
}
