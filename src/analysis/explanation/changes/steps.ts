import { amountOf, amountText, componentSums } from '../../../karmada/scheduling/capacity/componentsShort.ts';
import { type ChangeStep, type Proposal, withCluster, withPlacement } from './change.ts';
import type { ResourceList } from '../../../karmada/api/meta.ts';
import type { Component, ResourceBindingSpec } from '../../../karmada/api/work.ts';
import {
  formatQuantity,
  integerQuantity,
  milliQuantity,
  quantityMilliValue,
  quantityValue,
} from '../../../kubernetes/quantity.ts';
import { parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import type { Cluster } from '../../../karmada/api/cluster.ts';
import {
  type CapacityOptions,
  compileClusterCapacity,
} from '../../../karmada/scheduling/capacity/clusterCapacity.ts';
import type { Placement, SpreadConstraint } from '../../../karmada/api/policy.ts';

/** The step that changes spec.replicas of a workload. */
export function replicaStep(replicas: number, asked: number): ChangeStep {
  return {
    kind: 'fewer-replicas',
    size: 4,
    text: `request ${replicas} ${replicas === 1 ? 'replica' : 'replicas'} instead of ${asked}`,
    apply: (proposal) => ({
      ...proposal,
      binding: { ...proposal.binding, spec: { ...proposal.binding.spec, replicas } },
    }),
  };
}

/**
 * The step that lowers some resource requests of each replica to a percentage, rounded down. It has no patch: the
 * requests are in the containers of the template, which the binding does not show.
 */
export function requestStep(
  spec: ResourceBindingSpec,
  names: readonly string[],
  percent: number,
): ChangeStep {
  const asked = spec.replicaRequirements?.resourceRequest ?? {};
  const smaller: ResourceList = { ...asked };
  for (const name of names) smaller[name] = scaled(name, asked[name]!, percent);
  const text = (list: ResourceList) => names.map((name) => `${name} ${list[name]}`).join(' and ');
  return {
    kind: 'smaller-requests',
    size: 4,
    text: `request ${text(smaller)} per replica instead of ${text(asked)}`,
    apply: (proposal) => {
      const { spec: before } = proposal.binding;
      const replicaRequirements = { ...before.replicaRequirements, resourceRequest: smaller };
      return { ...proposal, binding: { ...proposal.binding, spec: { ...before, replicaRequirements } } };
    },
  };
}

const MEBI = 1024n * 1024n;

function scaled(name: string, asked: string | number, percent: number): string {
  const quantity = parseQuantity(asked);
  if (name === 'cpu')
    return formatQuantity(
      milliQuantity((quantityMilliValue(quantity) * BigInt(percent)) / 100n, 'DecimalSI'),
    );
  const amount = (quantityValue(quantity) * BigInt(percent)) / 100n;
  if (amount < MEBI) return String(amount);
  return formatQuantity(integerQuantity((amount / MEBI) * MEBI, 'BinarySI'));
}

/**
 * The step that frees capacity for more replicas on a cluster, by name and amount of the resources to free.
 *
 * @param now how many replicas the estimator finds capacity for now
 * @param more how many more are needed
 */
export function capacityStep(
  cluster: Cluster,
  spec: ResourceBindingSpec,
  now: number,
  more: number,
  options: CapacityOptions,
): ChangeStep {
  const request = Object.entries(spec.replicaRequirements?.resourceRequest ?? {});
  const wanted = BigInt(now + more);
  const allocatable: ResourceList = { pods: Number(wanted) };
  for (const [name, amount] of request)
    allocatable[name] = `${quantityMilliValue(parseQuantity(amount)) * wanted}m`;
  const { name } = cluster.metadata;
  return {
    kind: 'free-room',
    size: 5,
    text: `free ${missingCapacity(cluster, request, wanted, options)} on ${name}, enough for ${more} more ${more === 1 ? 'replica' : 'replicas'}`,
    apply: (proposal) => withAllocatable(proposal, cluster, allocatable),
  };
}

/**
 * The step that frees capacity for a whole set of components on a cluster, by name and amount of the resources to free,
 * with the needs of each component.
 */
export function componentCapacityStep(
  cluster: Cluster,
  components: readonly Component[],
  options: CapacityOptions,
): ChangeStep {
  const needs = components.map(({ name = '', replicas = 0, replicaRequirements }) => ({
    name,
    replicas,
    request: Object.entries(replicaRequirements?.resourceRequest ?? {}),
  }));
  const sums = componentSums(components);
  const milli = new Map<string, bigint>();
  for (const { replicas, request } of needs)
    for (const [name, amount] of request)
      milli.set(name, (milli.get(name) ?? 0n) + quantityMilliValue(parseQuantity(amount)) * BigInt(replicas));
  const pods = needs.reduce((sum, { replicas }) => sum + replicas, 0);
  const allocatable: ResourceList = { pods };
  for (const [name, amount] of milli) allocatable[name] = `${amount}m`;
  const each = needs.map(
    ({ name, replicas, request }) =>
      `${replicas} ${name} (${request.map(([resource, amount]) => `${resource} ${amount}`).join(', ')}${replicas > 1 ? ' each' : ''})`,
  );
  const { models } = compileClusterCapacity(cluster, options);
  const missing = models ? 'nodes' : missingSums(cluster, sums, BigInt(pods), options);
  return {
    kind: 'free-room',
    size: 5,
    text: `free ${missing} on ${cluster.metadata.name}, enough for ${each.join(' and ')}`,
    apply: (proposal) => withAllocatable(proposal, cluster, allocatable),
  };
}

function withAllocatable(proposal: Proposal, cluster: Cluster, allocatable: ResourceList): Proposal {
  return withCluster(proposal, cluster, ({ spec, ...one }) => ({
    ...one,
    // Only the sums matter here.
    spec: { ...spec, resourceModels: [] },
    status: { ...one.status, resourceSummary: { allocatable } },
  }));
}

/** The missing amounts, by resource; with resource models, the needs of each replica on a node. */
function missingCapacity(
  cluster: Cluster,
  request: [string, string | number][],
  wanted: bigint,
  options: CapacityOptions,
): string {
  const { models } = compileClusterCapacity(cluster, options);
  if (models) return `nodes with ${request.map(([name, amount]) => `${name} ${amount}`).join(' and ')} each`;
  const sums = request.map(
    ([name, amount]) => [name, amountOf(name, parseQuantity(amount)) * wanted] as const,
  );
  return missingSums(cluster, new Map(sums), wanted, options);
}

/** How far a cluster falls short of these sums and pods. */
function missingSums(
  cluster: Cluster,
  sums: ReadonlyMap<string, bigint>,
  wantedPods: bigint,
  options: CapacityOptions,
): string {
  const { available, pods } = compileClusterCapacity(cluster, options);
  const missing = Array.from(sums).flatMap(([name, wanted]) => {
    const lacks = wanted - (available.get(name)?.amount ?? 0n);
    return lacks > 0n ? [`${name} ${amountText(name, lacks)}`] : [];
  });
  if (pods < wantedPods) missing.push(`${wantedPods - pods} pods`);
  return missing.join(' and ') || 'capacity';
}

/**
 * Ways to loosen spread constraints, the gentlest first: fewer groups, more groups, no constraints.
 *
 * @param clusters the number of clusters, which limits the number of groups: a policy may ask for billions
 */
export function spreadSteps({ spreadConstraints = [] }: Placement, clusters: number): ChangeStep[] {
  if (spreadConstraints.length === 0) return [];
  return [
    ...spreadConstraints.flatMap((one, index) => fewerGroups(one, index, clusters)),
    ...spreadConstraints.flatMap(moreGroups),
    {
      kind: 'no-spread',
      size: 5,
      text: 'drop the spread constraints',
      apply: (proposal) => withPlacement(proposal, ({ spreadConstraints: _, ...placement }) => placement),
    },
  ];
}

function fewerGroups(constraint: SpreadConstraint, index: number, most: number): ChangeStep[] {
  const { minGroups = 0 } = constraint;
  return countdown(Math.min(minGroups - 1, most), 1).map((fewer) => ({
    kind: 'min-groups',
    size: 1 + minGroups - fewer,
    text: `lower minGroups of the ${nameOf(constraint)} constraint from ${minGroups} to ${fewer}`,
    apply: (proposal) => withPlacement(proposal, replaced(index, { ...constraint, minGroups: fewer })),
  }));
}

/** Beyond this many additional groups, another step is smaller. */
const MAX_GROUPS_MORE = 4;

function moreGroups(constraint: SpreadConstraint, index: number): ChangeStep[] {
  const { maxGroups = 0 } = constraint;
  if (maxGroups === 0) return [];
  return Array.from({ length: MAX_GROUPS_MORE }, (_, at) => maxGroups + 1 + at).map((more) => ({
    kind: 'max-groups',
    size: 1 + more - maxGroups,
    text: `raise maxGroups of the ${nameOf(constraint)} constraint from ${maxGroups} to ${more}`,
    apply: (proposal) => withPlacement(proposal, replaced(index, { ...constraint, maxGroups: more })),
  }));
}

function replaced(index: number, constraint: SpreadConstraint): (placement: Placement) => Placement {
  return (placement) => ({
    ...placement,
    spreadConstraints: placement.spreadConstraints?.map((one, at) => (at === index ? constraint : one)),
  });
}

function nameOf({ spreadByField, spreadByLabel }: SpreadConstraint): string {
  return spreadByField || spreadByLabel || 'spread';
}

function countdown(from: number, to: number): number[] {
  return from < to ? [] : Array.from({ length: from - to + 1 }, (_, at) => from - at);
}
