import type { Cluster } from '../api/cluster.ts';
import type { ResourceBinding } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { createClusterSnapshot, type ClusterSnapshot } from './clusterSnapshot.ts';
import { schedulerOptions } from './schedulerOptions.ts';
import { workloadGroups } from './workloadGroups.ts';

/**
 * The clusters as karmada-scheduler sees them in this configuration. Throws InvalidQuantity for quantities of clusters
 * that cannot be read.
 *
 * @param bindings all bindings: with workload affinity, the places of others decide, too
 */
export function schedulerSnapshot(
  clusters: readonly Cluster[],
  bindings: ResourceBinding[],
  configuration: Configuration,
): ClusterSnapshot {
  const groups = configuration.featureGates.WorkloadAffinity ? workloadGroups(bindings) : undefined;
  return createClusterSnapshot([...clusters], schedulerOptions(configuration), groups);
}
