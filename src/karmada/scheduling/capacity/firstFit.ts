import { toInt64 } from '../../../kubernetes/quantity.ts';
import { type ModelNodes, PODS_PER_NODE } from './resourceModels.ts';

/** Replicas of one demand, and the request of each on a node, by resource name. */
export interface NodeDemand {
  readonly replicas: number;
  readonly request: ReadonlyMap<string, bigint>;
}

/** Consecutive identical nodes; `free` lists pods first, then the resources of the demands. */
interface NodeGroup<N extends number | bigint> {
  count: number;
  free: N[];
}

interface Demand<N extends number | bigint> {
  replicas: number;
  request: N[];
}

/** int64 arithmetic: in plain numbers where exact, otherwise in bigints that wrap around as in Go. */
interface Arithmetic<N extends number | bigint> {
  quotient(amount: N, divisor: N): number;
  /** the remainder of an amount, never below 0 */
  left(amount: N, request: N, times: number): N;
}

const plain: Arithmetic<number> = {
  quotient: (amount, divisor) => Math.trunc(amount / divisor),
  left: (amount, request, times) => Math.max(amount - request * times, 0),
};
const wide: Arithmetic<bigint> = {
  quotient: (amount, divisor) => Number(amount / divisor),
  left: (amount, request, times) => {
    const left = toInt64(amount - toInt64(request * BigInt(times)));
    return left > 0n ? left : 0n;
  },
};

/** Numbers up to this can be multiplied by a node's pods and stay exact. */
const PLAIN_LIMIT = 2n ** 45n;

/**
 * How many complete sets of the demands fit on the nodes, up to `limit`, if each replica is placed on the first node
 * with capacity. Mirrors Karmada's SchedulingSimulator; identical nodes are handled together.
 *
 * @param podsPerNode 0n if pods are not counted
 */
export function firstFit(
  nodes: ModelNodes,
  demands: readonly NodeDemand[],
  limit: number,
  podsPerNode = PODS_PER_NODE,
): number {
  if (limit <= 0) return 0;
  const names = [...new Set(demands.flatMap(({ request }) => [...request.keys()]))];
  const vector = (pods: bigint, resources: ReadonlyMap<string, bigint>) => [
    pods,
    ...names.map((name) => resources.get(name) ?? 0n),
  ];
  const groups = nodes.map(({ count, resources }) => ({ count, free: vector(podsPerNode, resources) }));
  const pod = podsPerNode > 0n ? 1n : 0n;
  const wanted = demands.map(({ replicas, request }) => ({ replicas, request: vector(pod, request) }));
  const amounts = [...groups.flatMap(({ free }) => free), ...wanted.flatMap(({ request }) => request)];
  if (amounts.some((amount) => amount > PLAIN_LIMIT || amount < -PLAIN_LIMIT)) {
    return countSets(groups, wanted, limit, wide);
  }
  return countSets(
    groups.map(({ count, free }) => ({ count, free: free.map(Number) })),
    wanted.map(({ replicas, request }) => ({ replicas, request: request.map(Number) })),
    limit,
    plain,
  );
}

function countSets<N extends number | bigint>(
  groups: NodeGroup<N>[],
  demands: Demand<N>[],
  limit: number,
  arithmetic: Arithmetic<N>,
): number {
  const [only] = demands;
  if (demands.length === 1 && only?.replicas === 1) {
    const fits = groups.map(({ free }) => replicasOfNode(free, only.request, arithmetic));
    if (fits.every((number) => number >= 0)) {
      return Math.min(
        limit,
        groups.reduce((sum, { count }, index) => sum + count * (fits[index] ?? 0), 0),
      );
    }
  }
  let sets = 0;
  while (sets < limit && demands.every((demand) => place(groups, demand, arithmetic))) sets++;
  return sets;
}

/** Places the replicas of one demand on the first nodes with capacity, in place; false if some do not fit. */
function place<N extends number | bigint>(
  groups: NodeGroup<N>[],
  { replicas, request }: Demand<N>,
  arithmetic: Arithmetic<N>,
): boolean {
  let remaining = replicas;
  for (let index = 0; index < groups.length; index++) {
    const group = groups[index]!;
    const fits = replicasOfNode(group.free, request, arithmetic);
    if (fits === 0) continue;
    // a model's negative minimum gives negative capacity, which increases the remainder, as in Karmada
    const taken = remaining < fits ? remaining : fits;
    const nodes = taken === fits && fits > 0 ? Math.min(group.count, Math.floor(remaining / fits)) : 1;
    const free = group.free.map((amount, i) => arithmetic.left(amount, request[i]!, taken));
    index = replaceFront(groups, index, nodes, free);
    remaining = (remaining - nodes * taken) | 0;
    if (remaining === 0) return true;
  }
  return remaining === 0;
}

/** Changes the contents of a group's first nodes; returns the index of the group that they are now in. */
function replaceFront<N extends number | bigint>(
  groups: NodeGroup<N>[],
  index: number,
  count: number,
  free: N[],
): number {
  const group = groups[index]!;
  const previous = groups[index - 1];
  if (previous?.free.every((amount, i) => amount === free[i])) {
    previous.count += count;
    if (group.count === count) groups.splice(index, 1);
    else group.count -= count;
    return index - 1;
  }
  if (group.count === count) {
    group.free = free;
  } else {
    group.count -= count;
    groups.splice(index, 0, { count, free });
  }
  return index;
}

/** How many replicas fit on a node (Resource.MaxDivided); resources that are not requested do not limit. */
function replicasOfNode<N extends number | bigint>(
  free: readonly N[],
  request: readonly N[],
  arithmetic: Arithmetic<N>,
): number {
  let fits = Infinity;
  for (let index = 0; index < request.length; index++) {
    const asked = request[index]!;
    if (asked > 0) fits = Math.min(fits, arithmetic.quotient(free[index]!, asked));
  }
  return fits;
}
