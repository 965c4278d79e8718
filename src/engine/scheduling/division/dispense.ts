import type { TargetCluster } from '../../../karmada/api/work.ts';
import { divideByWebster, laterNamesFirst } from './webster.ts';

/** A cluster's share in a division; a cluster named twice counts with its last weight. */
export interface ClusterWeight {
  name: string;
  weight: number;
}

/**
 * Divides `replicas` among named clusters by weight, on top of what they have in `initial` (clusters there
 * without a weight stay, and get more only if nobody has a quotient above zero). Returns all of them in name
 * order, or `initial` as it is when there is nothing to do: all weights zero, or no replicas and some initial
 * ones. `uid` is the template's and breaks ties.
 */
export function dispense(
  replicas: number,
  weights: ClusterWeight[],
  initial: TargetCluster[],
  uid: string | undefined,
): TargetCluster[] {
  if (replicas === 0 && initial.length > 0) return initial;
  if (weights.reduce((sum, { weight }) => sum + weight, 0) === 0) return initial;
  const seatsOf = new Map(initial.map(({ name, replicas: seats = 0 }) => [name, seats]));
  const votesOf = new Map(weights.map(({ name, weight }) => [name, weight]));
  const names = [...new Set([...seatsOf.keys(), ...votesOf.keys()])].sort((a, b) => (a < b ? -1 : 1));
  const votes = names.map((name) => votesOf.get(name) ?? 0);
  const seats = Int32Array.from(names, (name) => seatsOf.get(name) ?? 0);
  divideByWebster(replicas, votes, seats, laterNamesFirst(uid));
  return names.map((name, party) => ({ name, replicas: seats[party]! }));
}
