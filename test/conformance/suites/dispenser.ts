import { divideByWebster, laterNamesFirst } from '../../../src/engine/scheduling/division/webster.ts';
import type { TargetCluster } from '../../../src/karmada/api/work.ts';
import type { Suite } from '../suite.ts';

interface Input {
  mode: 'spread' | 'dispenser';
  numReplicas?: number;
  targetClusters?: TargetCluster[];
  weights?: { clusterName: string; weight?: number }[];
  init?: TargetCluster[];
  uid?: string;
}

export default {
  answer(input: Input) {
    const weights =
      input.mode === 'spread'
        ? (input.targetClusters ?? []).map(({ name, replicas }) => ({ name, weight: replicas ?? 0 }))
        : (input.weights ?? []).map(({ clusterName, weight }) => ({
            name: clusterName,
            weight: weight ?? 0,
          }));
    return { result: dispense(input.numReplicas ?? 0, weights, input.init ?? [], input.uid) };
  },
} satisfies Suite;

/** Karmada's dispenser names clusters where the division knows positions in name order. */
function dispense(
  replicas: number,
  weights: { name: string; weight: number }[],
  initial: TargetCluster[],
  uid: string | undefined,
): TargetCluster[] {
  if (replicas === 0 && initial.length > 0) return initial;
  if (weights.reduce((sum, { weight }) => sum + weight, 0) === 0) return initial;
  const seatsOf = new Map(initial.map(({ name, replicas: seats = 0 }) => [name, seats]));
  const votesOf = new Map(weights.map(({ name, weight }) => [name, weight]));
  const names = [...new Set([...seatsOf.keys(), ...votesOf.keys()])].sort((a, b) => (a < b ? -1 : 1));
  const votes = names.map((name) => votesOf.get(name) ?? 0);
  const start = names.map((name) => seatsOf.get(name) ?? 0);
  const seats = divideByWebster(replicas, votes, laterNamesFirst(uid), start);
  return names.map((name, party) => ({ name, replicas: seats[party]! }));
}
