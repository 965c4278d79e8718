import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type {
  GracefulEvictionTask,
  ResourceBinding,
  ResourceBindingSpec,
} from '../../../../src/karmada/api/work.ts';
import { cluster, deployment } from '../../../simulator/simulation/controlPlane.ts';
import { byCapacity, cordonedFor, heldTask } from '../aDrain.ts';
import { drainOf } from '../drainOf.ts';

export const fleet = ['east-1', 'east-2', 'west-1', 'west-2'].map((name) => cluster(name));
export const east = drainOf(['east-1']);
export const cordonedEast = cordonedFor(east, fleet);

/** A workload with this many replicas, divided by capacity unless its spec says otherwise. */
export function on(
  name: string,
  replicas: number,
  clusters: Record<string, number>,
  spec: Partial<ResourceBindingSpec> = {},
): ResourceBinding {
  const targets = Object.entries(clusters).map(([cluster, count]) => ({ name: cluster, replicas: count }));
  return deployment(name, { placement: spec.placement ?? byCapacity, replicas, clusters: targets, spec });
}

/** A cluster that has not reported anything. */
export const down = (one: Cluster): Cluster => ({ ...one, status: { ...one.status, conditions: [] } });

/** The clusters with one of them changed. */
export function changed(
  clusters: readonly Cluster[],
  name: string,
  change: (one: Cluster) => Cluster,
): Cluster[] {
  return clusters.map((one) => (one.metadata.name === name ? change(one) : one));
}

/** A task of a drain that Karmada may end. */
export function freeTask(
  fromCluster: string,
  changes: Partial<GracefulEvictionTask> = {},
): GracefulEvictionTask {
  const { suppressDeletion: _held, ...task } = heldTask(fromCluster, changes);
  return task;
}

/** A task created by Karmada's taint manager. */
export const taintTask = (
  fromCluster: string,
  changes: Partial<GracefulEvictionTask> = {},
): GracefulEvictionTask => ({
  fromCluster,
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
  ...changes,
});
