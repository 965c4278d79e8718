import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import { quantityMilliValue } from '../../../kubernetes/quantity.ts';
import { isWorkload } from '../../../karmada/objects/placement.ts';
import { bindingKey, compareByName } from '../../../karmada/objects/identities.ts';
import { lazilyFor } from '../../../kubernetes/lazily.ts';

/** The order in which bindings are evicted; negative if the first goes before the second. */
export type DrainOrder = (a: ResourceBinding, b: ResourceBinding) => number;

/**
 * The order in which a drain of the clusters evicts: objects without replicas last (workloads need Services,
 * ConfigMaps, …); workloads by schedule priority, then by the capacity that they free (cpu, memory, then replicas),
 * then by namespace and name. Caches the rank of each binding, so reuse the function.
 */
export function drainOrder(clusters: ReadonlySet<string>): DrainOrder {
  const rankOf = lazilyFor((binding: ResourceBinding) => rankIn(binding, clusters));
  return (a, b) => compareRanks(rankOf(a), rankOf(b)) || compareByName(a.metadata, b.metadata);
}

/** Compared from left to right; the larger value goes first. */
type Rank = readonly [isWorkload: number, priority: number, cpu: number, memory: number, replicas: number];

function rankIn(binding: ResourceBinding, clusters: ReadonlySet<string>): Rank {
  const { schedulePriority, clusters: targets = [], replicaRequirements } = binding.spec;
  const replicas = targets.reduce(
    (sum, target) => (clusters.has(target.name) ? sum + (target.replicas ?? 0) : sum),
    0,
  );
  const { cpu, memory } = replicaRequirements?.resourceRequest ?? {};
  return [
    Number(isWorkload(binding.spec)),
    schedulePriority?.priority ?? 0,
    amount(cpu) * replicas,
    amount(memory) * replicas,
    replicas,
  ];
}

function compareRanks(a: Rank, b: Rank): number {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return b[at]! - a[at]!;
  return 0;
}

/** The request of one replica, in thousandths. */
function amount(quantity: string | number | undefined): number {
  if (quantity === undefined) return 0;
  try {
    return Number(quantityMilliValue(parseQuantity(quantity)));
  } catch {
    // The scheduler refuses such a workload, so its position does not matter.
    return 0;
  }
}

interface Queued {
  binding: ResourceBinding;
  /** it is already under eviction, and is evicted again */
  again?: boolean;
}

/**
 * The order of the queue: first bindings under eviction, then untried ones, then those that had no possible replacement
 * when their turn came.
 *
 * @param tried whether a binding, by key, was tried and not placed
 */
export function queueOrder<Q extends Queued>(
  queue: readonly Q[],
  order: DrainOrder,
  tried: (key: string) => boolean,
): (a: Q, b: Q) => number {
  const rank = ({ again, binding }: Q) => (again ? 0 : tried(bindingKey(binding)) ? 2 : 1);
  const ranks = new Map(queue.map((one) => [one, rank(one)]));
  return (a, b) => ranks.get(a)! - ranks.get(b)! || order(a.binding, b.binding);
}
