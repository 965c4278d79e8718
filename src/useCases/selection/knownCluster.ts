import type { World } from '../../karmada/world.ts';
import { Problem, type ClusterInput } from '../problem.ts';

/** The name of a cluster of the world. Throws a Problem if there is none of that name. */
export function knownCluster(
  input: ClusterInput,
  cluster: string,
  { clusters }: Pick<World, 'clusters'>,
): string {
  const known = clusters.map(({ metadata }) => metadata.name);
  if (known.includes(cluster)) return cluster;
  throw new Problem({ code: 'unknown-cluster', input, cluster, known });
}
