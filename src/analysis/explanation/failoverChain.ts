import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Simulation } from '../../simulator/simulation/simulation.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import { bindingIdentity, objectKey } from '../../karmada/objects/identities.ts';

/**
 * The steps of a simulation from a trigger to a workload's outcome: what happens to its clusters, to itself, and to its
 * dependents.
 *
 * @param clusters the clusters that it is on, or that fail
 * @param followers the bindings of its dependents
 */
export function failoverChain(
  { events }: Simulation,
  binding: ResourceBinding,
  clusters: ReadonlySet<string>,
  followers: ObjectIdentity[],
): TimelineEvent[] {
  const own = objectKey(bindingIdentity(binding));
  const followed = new Set(followers.map(objectKey));
  return events.filter(({ type, object }) => {
    // the pace decides when a workload has its turn
    if (type === 'EvictionPaceChanged') return true;
    if (object.kind === 'Cluster') return clusters.has(object.name);
    const key = objectKey(object);
    return key === own || (type === 'DependenciesFollowed' && followed.has(key));
  });
}
