import { toInt64 } from '../../../kubernetes/quantity.ts';
import { type Assignment, type Division, type Shares, inNameOrder, targetsOf } from './division.ts';
import type { DivisionTie } from '../../controllers/controller.ts';

/**
 * Divides replicas by weight as Karmada does before v1.16, on top of kept replicas. Lists first the participants,
 * largest weight first, then those that only keep replicas (in an order that Karmada does not guarantee), by name.
 *
 * @param last earlier replicas of clusters, by index; they decide among equal weights
 */
export function divideRandomly(
  division: Division,
  replicas: number,
  weights: Shares,
  kept: Shares,
  last?: ReadonlyMap<number, number>,
): Assignment {
  const { names, winners } = division;
  // If all weights are 0, nothing is divided.
  if (weights.of.reduce((sum, weight) => sum + weight, 0) === 0)
    return { clusters: targetsOf(division, kept) };
  const parties = entriesByName(division, weights);
  const at = (position: number) => weights.clusters[parties[position]!]!;
  const { shares, order, unordered, tie } = divideRoundedDown(
    replicas,
    {
      weights: parties.map((entry) => weights.of[entry]!),
      last: parties.map((entry) => last?.get(weights.clusters[entry]!) ?? 0),
    },
    winners && ((position) => winners.has(names[at(position)]!)),
  );
  const had = new Map(kept.clusters.map((cluster, i) => [cluster, kept.of[i]!]));
  const taking = new Set(weights.clusters);
  const idle = byName(
    division,
    [...had.keys()].filter((cluster) => !taking.has(cluster)),
  );
  const clusters = targetsOf(division, {
    clusters: [...order.map(at), ...idle],
    of: [
      ...order.map((position) => (shares[position]! + (had.get(at(position)) ?? 0)) | 0),
      ...idle.map((cluster) => had.get(cluster)!),
    ],
  });
  const anyOrder = unordered || idle.length > 1 ? { unordered: true as const } : {};
  if (!tie) return { clusters, ...anyOrder };
  const open: DivisionTie = {
    clusters: tie.positions.map((position) => names[at(position)]!),
    winners: tie.winners,
  };
  return { clusters, tie: open, ...anyOrder };
}

/** The positions of shares in name order; a cluster may have several. */
function entriesByName(division: Division, { clusters }: Shares): number[] {
  const rank = new Map(byName(division, [...new Set(clusters)]).map((cluster, i) => [cluster, i]));
  return clusters.map((_, entry) => entry).sort((a, b) => rank.get(clusters[a]!)! - rank.get(clusters[b]!)!);
}

function byName(division: Division, clusters: number[]): number[] {
  return inNameOrder(
    division,
    clusters.sort((a, b) => a - b),
  );
}

/** The participants of a division, by position; positions are in name order. */
interface Parties {
  readonly weights: readonly number[];
  /** each one's earlier replicas: with more, it gets a part of the remainder sooner */
  readonly last: readonly number[];
}

interface RoundedShares {
  /** by position */
  readonly shares: readonly number[];
  /** positions, largest weight first: Karmada lists the result in this order */
  readonly order: readonly number[];
  /** some have the same weight and earlier replicas: Karmada lists them in any order */
  readonly unordered: boolean;
  /** a random tie: `winners` of these positions get one more; absent if nothing is random */
  readonly tie?: { readonly positions: readonly number[]; readonly winners: number };
}

/**
 * Divides replicas by weight as Karmada does before v1.16 (Dispenser.TakeByWeight): each gets its share rounded down,
 * and the largest weights get one each of the remainder, among equal ones those with more earlier replicas. Among the
 * rest Karmada chooses at random each time; here `wins` decides, by default the first names.
 */
export function divideRoundedDown(
  replicas: number,
  { weights, last }: Parties,
  wins?: (position: number) => boolean,
): RoundedShares {
  let sum = 0;
  for (const weight of weights) sum += weight;
  const before = (a: number, b: number) => weights[b]! - weights[a]! || last[b]! - last[a]!;
  const lotOrder = (position: number) => (wins?.(position) ? 0 : 1);
  const order = weights
    .map((_, position) => position)
    .sort((a, b) => before(a, b) || lotOrder(a) - lotOrder(b));
  const shares = weights.map((weight) => share(weight, replicas, sum));
  let remainder = replicas;
  for (const one of shares) remainder = (remainder - one) | 0;
  // Negative only with negative weights; then all get one.
  const lucky = remainder < 0 ? order.length : Math.min(remainder, order.length);
  for (let i = 0; i < lucky; i++) shares[order[i]!]! += 1;
  const tie = tieAt(order, lucky, before);
  const unordered = order.some((position, i) => i > 0 && before(order[i - 1]!, position) === 0);
  return tie ? { shares, order, unordered, tie } : { shares, order, unordered };
}

/** The parties that tie for the last of the `lucky` places. */
function tieAt(
  order: readonly number[],
  lucky: number,
  before: (a: number, b: number) => number,
): RoundedShares['tie'] {
  if (lucky === 0 || lucky === order.length || before(order[lucky - 1]!, order[lucky]!) !== 0)
    return undefined;
  const isTied = (position: number) => before(position, order[lucky]!) === 0;
  const winners = lucky - order.findIndex(isTied);
  return { positions: order.filter(isTied).sort((a, b) => a - b), winners };
}

/** weight × replicas ÷ sum in int64, as an int32. */
function share(weight: number, replicas: number, sum: number): number {
  const product = weight * replicas;
  if (Number.isSafeInteger(product)) return Math.trunc(product / sum) | 0;
  return Number(BigInt.asIntN(32, toInt64(BigInt(weight) * BigInt(replicas)) / BigInt(sum)));
}
