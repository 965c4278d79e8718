import type { ResourceList } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import { quantityMilliValue } from '../../../kubernetes/quantity.ts';
import { compareUtf8 } from '../../../kubernetes/utf8.ts';

/**
 * The bindings in the order in which a drain of the clusters evicts them: by schedule priority, then by what frees
 * most there (cpu, memory, then replicas), then by namespace and name.
 */
export function drainOrder(
  bindings: readonly ResourceBinding[],
  clusters: ReadonlySet<string>,
): ResourceBinding[] {
  const ranked = bindings.map((binding) => ({ binding, rank: rankOf(binding, clusters) }));
  return ranked
    .sort((a, b) => compareRanks(a.rank, b.rank) || compareNames(a.binding, b.binding))
    .map(({ binding }) => binding);
}

/** The order of `drainOrder` for two bindings. */
export function compareForDrain(
  a: ResourceBinding,
  b: ResourceBinding,
  clusters: ReadonlySet<string>,
): number {
  return compareRanks(rankOf(a, clusters), rankOf(b, clusters)) || compareNames(a, b);
}

/** What decides: more goes first, from left to right. */
type Rank = readonly [priority: number, cpu: number, memory: number, replicas: number];

const ranks = new WeakMap<ResourceBinding, { clusters: ReadonlySet<string>; rank: Rank }>();

function rankOf(binding: ResourceBinding, clusters: ReadonlySet<string>): Rank {
  const known = ranks.get(binding);
  if (known?.clusters === clusters) return known.rank;
  const { schedulePriority, clusters: targets = [], replicaRequirements } = binding.spec;
  const replicas = targets.reduce(
    (sum, target) => (clusters.has(target.name) ? sum + (target.replicas ?? 0) : sum),
    0,
  );
  const [cpu, memory] = requestOf(replicaRequirements?.resourceRequest);
  const rank = [schedulePriority?.priority ?? 0, cpu * replicas, memory * replicas, replicas] as const;
  ranks.set(binding, { clusters, rank });
  return rank;
}

function compareRanks(a: Rank, b: Rank): number {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return b[at]! - a[at]!;
  return 0;
}

function compareNames({ metadata: a }: ResourceBinding, { metadata: b }: ResourceBinding): number {
  return compareUtf8(a.namespace ?? '', b.namespace ?? '') || compareUtf8(a.name, b.name);
}

const requests = new WeakMap<ResourceList, [cpu: number, memory: number]>();

/** What one replica asks for, in thousandths. */
function requestOf(list: ResourceList | undefined): [cpu: number, memory: number] {
  if (!list) return [0, 0];
  let request = requests.get(list);
  if (!request) requests.set(list, (request = [amount(list.cpu), amount(list.memory)]));
  return request;
}

function amount(quantity: string | number | undefined): number {
  if (quantity === undefined) return 0;
  try {
    return Number(quantityMilliValue(parseQuantity(quantity)));
  } catch {
    // The scheduler refuses such a workload; its place in the queue does not matter.
    return 0;
  }
}
