import { inNameOrder, targetsOf, type Assignment, type Division, type Shares } from './division.ts';
import { divideRoundedDown } from './roundedDown.ts';
import type { Tie } from './tie.ts';

/**
 * Divides replicas by weight as Karmada does before v1.16, on top of what clusters keep. Lists first the clusters that
 * take part, the greatest weight first, then those that only keep something (in an order that Karmada leaves open), by
 * name.
 *
 * @param last what clusters had before, by index; it counts among equal weights
 */
export function divideByLot(
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
  const open: Tie = { clusters: tie.positions.map((position) => names[at(position)]!), winners: tie.winners };
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
