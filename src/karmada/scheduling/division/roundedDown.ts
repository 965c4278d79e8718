import { toInt64 } from '../../../kubernetes/quantity.ts';

/** Who takes part in a division, by position; positions are in name order. */
export interface Parties {
  readonly weights: readonly number[];
  /** what each had before: the more, the sooner it gets a part of the remainder */
  readonly last: readonly number[];
}

export interface RoundedShares {
  /** by position */
  readonly shares: readonly number[];
  /** positions, the greatest weight first: the order in which Karmada lists the result */
  readonly order: readonly number[];
  /** some have the same weight and the same previous share: Karmada lists them in any order */
  readonly unordered: boolean;
  /** a random tie: `winners` of these positions get one more; absent if nothing is left to chance */
  readonly tie?: { readonly positions: readonly number[]; readonly winners: number };
}

/**
 * Divides replicas by weight as Karmada does before v1.16 (Dispenser.TakeByWeight): each gets its share rounded down,
 * and what remains goes one each to the greatest weights, among equal ones to those who had more before. Among the rest
 * Karmada chooses at random, each time anew; here `wins` decides, or by default the first names win.
 */
export function divideRoundedDown(
  replicas: number,
  { weights, last }: Parties,
  wins?: (position: number) => boolean,
): RoundedShares {
  let sum = 0;
  for (const weight of weights) sum += weight;
  const before = (a: number, b: number) => weights[b]! - weights[a]! || last[b]! - last[a]!;
  const luck = (position: number) => (wins?.(position) ? 0 : 1);
  const order = weights.map((_, position) => position).sort((a, b) => before(a, b) || luck(a) - luck(b));
  const shares = weights.map((weight) => share(weight, replicas, sum));
  let remainder = replicas;
  for (const one of shares) remainder = (remainder - one) | 0;
  // It is negative only with negative weights; all get one then.
  const lucky = remainder < 0 ? order.length : Math.min(remainder, order.length);
  for (let i = 0; i < lucky; i++) shares[order[i]!]! += 1;
  const tie = tieAt(order, lucky, before);
  const unordered = order.some((position, i) => i > 0 && before(order[i - 1]!, position) === 0);
  return tie ? { shares, order, unordered, tie } : { shares, order, unordered };
}

/** The parties in a tie about who is among the first ones. */
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
