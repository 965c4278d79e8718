import type { World } from '../../karmada/world.ts';
import { bindingPermanentId, clusterOfWork, placeOfWork } from '../../karmada/objects/worksOfBinding.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import { isObject } from '../../kubernetes/json.ts';
import { nameOf } from './validateObject.ts';

/** A contradiction within an object, phrased to follow its name; undefined if there is none. */
type Contradiction<T> = (object: T) => string | undefined;

/**
 * Contradictions in a state: bindings on clusters that are missing or named twice, negative replicas, Works of missing
 * bindings. One line for each type, with the first object that shows it. Unread kinds contradict nothing.
 *
 * @param kinds the kinds that were read; absent: all
 */
export function contradictions(world: World, kinds?: ReadonlySet<string>): string[] {
  const { bindings, works } = world;
  const clusters = new Set(world.clusters.map(({ metadata }) => metadata.name));
  const isStranger = (name: string | undefined) =>
    clusters.size > 0 && name !== undefined && !clusters.has(name);
  const ids = new Set(bindings.map(({ metadata }) => bindingPermanentId(metadata)));
  const all = (kind: string) => kinds === undefined || kinds.has(kind);
  const readBindings = all('ResourceBinding') && all('ClusterResourceBinding') && bindings.length > 0;

  const ofBindings: Contradiction<ResourceBinding>[] = [
    ({ spec }) => {
      const stranger = spec.clusters?.find(({ name }) => isStranger(name));
      return stranger && `is on cluster ${stranger.name} (spec.clusters), which is not in the state`;
    },
    ({ spec }) => {
      const stranger = spec.gracefulEvictionTasks?.find(({ fromCluster }) => isStranger(fromCluster));
      return (
        stranger &&
        `leaves cluster ${stranger.fromCluster} (spec.gracefulEvictionTasks), which is not in the state`
      );
    },
    ({ spec }) => {
      const names = new Set<string>();
      const twice = spec.clusters?.find(({ name }) => names.size === names.add(name).size);
      return twice && `is on cluster ${twice.name} twice (spec.clusters)`;
    },
    negativeReplicas,
  ];
  const ofWorks: Contradiction<Work>[] = [
    (work) => {
      const place = placeOfWork(work);
      if (!readBindings || !place || work.metadata.deletionTimestamp || ids.has(place.id)) return undefined;
      return `is of a binding with the permanent id ${place.id}, which is not in the state`;
    },
    (work) => {
      const cluster = clusterOfWork(work);
      if (!isStranger(cluster)) return undefined;
      return `is for cluster ${cluster}, which is not in the state`;
    },
  ];
  return [...texts('ResourceBinding', bindings, ofBindings), ...texts('Work', works, ofWorks)];
}

/** "has -5 replicas (spec.replicas)", if a binding does: the API server accepts it. */
export function negativeReplicas({ spec }: { spec?: unknown }): string | undefined {
  const { replicas, clusters } = isObject(spec) ? spec : {};
  const isNegative = (count: unknown) => typeof count === 'number' && count < 0;
  if (isNegative(replicas)) return `has ${replicas} replicas (spec.replicas)`;
  const targets: unknown[] = Array.isArray(clusters) ? clusters : [];
  const counts = targets.map((target) => isObject(target) && target.replicas);
  const below = counts.find(isNegative);
  return below === undefined ? undefined : `has ${below} replicas (spec.clusters)`;
}

function* texts<T extends ResourceBinding | Work>(
  kind: string,
  objects: readonly T[],
  kinds: readonly Contradiction<T>[],
): Generator<string> {
  for (const contradicts of kinds) {
    let first: string | undefined;
    let more = 0;
    for (const object of objects) {
      const text = contradicts(object);
      if (text === undefined) continue;
      if (first === undefined) first = `${nameOf({ kind, ...object } as KubernetesObject)} ${text}`;
      else more++;
    }
    if (first !== undefined) yield more === 0 ? first : `${first}; the same applies to ${more} more`;
  }
}
