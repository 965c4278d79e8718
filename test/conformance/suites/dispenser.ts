import { divideRoundedDown } from '../../../src/karmada/scheduling/division/divideRandomly.ts';
import { choicesOf } from '../../../src/karmada/scheduling/division/tie.ts';
import { divideByWebster, laterNamesFirst } from '../../../src/karmada/scheduling/division/webster.ts';
import type { TargetCluster } from '../../../src/karmada/api/work.ts';
import type { Suite } from '../suite.ts';

interface Input {
  mode: 'spread' | 'dispenser';
  numReplicas?: number;
  targetClusters?: TargetCluster[];
  weights?: { clusterName: string; weight?: number; lastReplicas?: number }[];
  init?: TargetCluster[];
  uid?: string;
}

/** Karmada's dispenser names clusters where the division knows positions in name order. */
interface Party {
  name: string;
  weight: number;
  last: number;
}

export default {
  answer({ mode, numReplicas = 0, targetClusters = [], weights = [], init = [], uid }: Input, { rules }) {
    const had = new Map(init.map(({ name, replicas = 0 }) => [name, replicas]));
    const parties: Party[] =
      mode === 'spread'
        ? targetClusters.map(({ name, replicas = 0 }) => ({
            name,
            weight: replicas,
            last: had.get(name) ?? 0,
          }))
        : weights.map(({ clusterName, weight = 0, lastReplicas = 0 }) => ({
            name: clusterName,
            weight,
            last: lastReplicas,
          }));
    const nothingToDivide = parties.reduce((sum, { weight }) => sum + weight, 0) === 0;
    const { division } = rules.scheduling;
    if (nothingToDivide || (numReplicas === 0 && init.length > 0))
      return { result: division === 'webster' ? init : sorted(init) };
    parties.sort((a, b) => (a.name < b.name ? -1 : 1));
    return division === 'webster'
      ? { result: byWebster(numReplicas, parties, had, uid) }
      : { oneOf: byLot(numReplicas, parties, had).map((result) => ({ result })) };
  },
} satisfies Suite;

function byWebster(
  replicas: number,
  parties: Party[],
  had: Map<string, number>,
  uid: string | undefined,
): TargetCluster[] {
  const weightOf = new Map(parties.map(({ name, weight }) => [name, weight]));
  const names = [...new Set([...had.keys(), ...weightOf.keys()])].sort((a, b) => (a < b ? -1 : 1));
  const votes = names.map((name) => weightOf.get(name) ?? 0);
  const start = names.map((name) => had.get(name) ?? 0);
  const seats = divideByWebster(replicas, votes, laterNamesFirst(uid), start);
  return names.map((name, party) => ({ name, replicas: seats[party]! }));
}

function byLot(replicas: number, parties: Party[], had: Map<string, number>): TargetCluster[][] {
  const weighed = {
    weights: parties.map(({ weight }) => weight),
    last: parties.map(({ last }) => last),
  };
  const { shares, tie } = divideRoundedDown(replicas, weighed);
  if (!tie) return [merged(parties, shares, had)];
  const { positions, winners } = tie;
  const choices = choicesOf({ clusters: positions.map(String), winners });
  return [...choices].map((choice) => {
    const wins = (position: number) => choice.has(String(position));
    return merged(parties, divideRoundedDown(replicas, weighed, wins).shares, had);
  });
}

function merged(parties: Party[], shares: readonly number[], had: Map<string, number>): TargetCluster[] {
  const all = new Map(had);
  parties.forEach(({ name }, i) => all.set(name, (had.get(name) ?? 0) + shares[i]!));
  return sorted([...all].map(([name, replicas]) => ({ name, replicas })));
}

function sorted(clusters: TargetCluster[]): TargetCluster[] {
  return clusters.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
