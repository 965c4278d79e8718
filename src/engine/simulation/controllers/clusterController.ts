import { conditionTaints } from '../../taints/conditionTaints.ts';
import { createKeyedQueue, type Agenda } from '../agenda.ts';
import { type SimulatedControlPlane } from '../controlPlane.ts';
import { identityOf } from '../../objects/identities.ts';
import { latencies } from '../../latencies.ts';
import { noteTaintChanges } from './taintChanges.ts';

/** The cluster controller's NoSchedule taints: looked at with every Cluster event. */
export function startClusterController(plane: SimulatedControlPlane, agenda: Agenda): void {
  const queue = createKeyedQueue<string>(agenda, (name) => {
    const cluster = plane.clusters.get(name);
    if (!cluster || cluster.metadata.deletionTimestamp) return;
    const { taints, evidence } = conditionTaints(cluster, agenda.now());
    const before = cluster.spec?.taints ?? [];
    if (taints === before || (taints.length === 0 && before.length === 0)) return;
    noteTaintChanges(plane, 'cluster-controller', identityOf(cluster), before, taints, evidence);
    plane.writeCluster({ ...cluster, spec: { ...cluster.spec, taints } });
  });
  plane.observe({
    clusterChanged: (_before, after) =>
      queue.add(after.metadata.name, agenda.now() + latencies.clusterController),
  });
  for (const name of plane.clusters.keys()) queue.add(name, agenda.now() + latencies.clusterController);
}
