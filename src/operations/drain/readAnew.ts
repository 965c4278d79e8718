import type { DrainWrite } from '../../analysis/drain/decide/drainStep.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Work } from '../../karmada/api/work.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, CLUSTERS, WORKS } from '../../state/live/resources.ts';
import type { DrainMirrors } from './drainMirrors.ts';

/**
 * Reads anew what a write rests on, into the mirrors: a watch can be silent for a minute before it is known to be dead.
 * An eviction rests on the drained clusters, of this drain or another, which somebody may have uncordoned; a release
 * rests on the Works and clusters of the replacement. The binding itself is not read: the write is refused if it is not
 * the newest.
 *
 * @returns whether the mirrors still have an object that no longer exists
 */
export async function readAnew(
  server: ApiServer,
  mirrors: DrainMirrors,
  writes: readonly DrainWrite[],
  drained: readonly string[],
): Promise<boolean> {
  const clusters = new Set<string>();
  const works = new Map<string, Work>();
  for (const write of writes) {
    if (write.type === 'evict') [...drained, ...write.clusters].forEach((name) => clusters.add(name));
    if (write.type !== 'release') continue;
    const known = mirrors.worksOf(write.binding);
    for (const { name } of write.binding.spec.clusters ?? []) {
      clusters.add(name);
      const work = known.get(name);
      if (work) works.set(apiPath(WORKS, work.metadata.namespace, work.metadata.name), work);
    }
  }
  let missing = false;
  const read = async <T>(path: string, observe: (object: T) => void): Promise<void> => {
    try {
      observe(await server.get<T>(path));
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      missing = true;
    }
  };
  await Promise.all([
    ...[...clusters].map((name) =>
      read<Cluster>(apiPath(CLUSTERS, undefined, name), (cluster) => mirrors.observeCluster(cluster)),
    ),
    ...[...works.keys()].map((path) => read<Work>(path, (work) => mirrors.observeWork(work))),
  ]);
  return missing;
}
