import type { TargetCluster } from '../../../src/karmada/api/work.ts';
import type { DivisionTie } from '../../../src/karmada/controllers/controller.ts';

/** What the clusters of a tie with too many outcomes to list got, whichever of them won; by name. */
export function whoeverWins(
  clusters: readonly TargetCluster[],
  { clusters: tied }: DivisionTie,
): TargetCluster[] {
  const of = new Map(clusters.map(({ name, replicas = 0 }) => [name, replicas]));
  const given = tied.map((name) => of.get(name) ?? 0).sort((a, b) => b - a);
  tied.forEach((name, index) => of.set(name, given[index]!));
  return Array.from(of, ([name, replicas]) => ({ name, replicas }))
    .filter(({ name, replicas }) => replicas > 0 || !tied.includes(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
