import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { clusterMatches } from '../../selection/clusterAffinity.ts';
import { reconcileClusterTaintPolicies } from '../../taints/clusterTaintPolicy.ts';
import { createKeyedQueue, type Agenda } from '../agenda.ts';
import { type SimulatedControlPlane } from '../controlPlane.ts';
import { identityOf } from '../../objects/identities.ts';
import { latencies } from '../latencies.ts';
import { noteTaintChanges } from './taintChanges.ts';

/**
 * The ClusterTaintPolicy controller. It looks at a Cluster when its conditions change, and at the clusters a
 * policy targets when the policy is new or its spec changes; it runs with the Failover gate alone.
 */
export function startClusterTaintPolicyController(plane: SimulatedControlPlane, agenda: Agenda): void {
  const queue = createKeyedQueue<string>(agenda, (name) => {
    const cluster = plane.clusters.get(name);
    if (!cluster) return;
    const policies = [...plane.taintPolicies.values()];
    const { taints, changed, evidence } = reconcileClusterTaintPolicies({
      cluster,
      policies,
      now: agenda.now(),
    });
    if (!changed) return;
    noteTaintChanges(
      plane,
      'cluster-taint-policy-controller',
      identityOf(cluster),
      cluster.spec?.taints ?? [],
      taints,
      evidence,
    );
    plane.writeCluster({ ...cluster, spec: { ...cluster.spec, taints } });
  });
  const look = (name: string) => queue.add(name, agenda.now() + latencies.clusterTaintPolicyController);
  plane.observe({
    clusterChanged(before, after) {
      if (!before || !deepEqual(before.status?.conditions, after.status?.conditions))
        look(after.metadata.name);
    },
    taintPolicyChanged(before, after) {
      if (before && deepEqual(before.spec, after.spec)) return;
      for (const cluster of plane.clusters.values()) {
        const { targetClusters } = after.spec;
        if (!targetClusters || clusterMatches(cluster, targetClusters)) look(cluster.metadata.name);
      }
    },
  });
}
