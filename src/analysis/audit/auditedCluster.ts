import type { Cluster } from '../../karmada/api/cluster.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { headroomOf, type Headroom, type HeadroomResource } from '../forecast/headroom.ts';
import type { ModelHeadroom } from '../forecast/modelHeadroom.ts';
import type { Tally } from './tally.ts';

/** The capacity of a cluster today, and after the contingency that sends the most to it. */
export interface AuditedCluster {
  name: string;
  /** it is already not Ready */
  down: boolean;
  headroom: Headroom[];
}

/** The audited clusters by name. */
export function auditedClusters(
  clusters: readonly Cluster[],
  tally: Tally,
  models: ModelHeadroom,
  nameOf: (at: number) => string,
): AuditedCluster[] {
  const audited = clusters.map((cluster) => {
    const { name } = cluster.metadata;
    const arriving = (resource: HeadroomResource) => {
      const most = tally.arriving(name, resource);
      return most && { contingency: nameOf(most.at), amount: most.amount };
    };
    const ofModels = models.headroom(name, arriving('models'));
    const headroom = [...headroomOf(cluster, arriving), ...(ofModels ? [ofModels] : [])];
    return { name, down: !isReady(cluster), headroom };
  });
  return audited.sort((a, b) => (a.name < b.name ? -1 : 1));
}
