import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Condition } from '../../../karmada/api/meta.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import { nextReadyCondition, type ClusterLease } from '../../detection/nextReadyCondition.ts';
import type { Evidence } from '../../evidence.ts';
import { createKeyedQueue, type Agenda } from '../agenda.ts';
import { type SimulatedControlPlane } from '../controlPlane.ts';
import { identityOf, objectKey } from '../../objects/identities.ts';
import type { Members } from '../members.ts';

/** The cluster status controllers and the health monitor: what Karmada learns of its members, and when. */
export interface ClusterStatusController {
  /** The member has just gone down or come back; the condition follows when Karmada notices. */
  memberChanged(cluster: string): void;
  /** Writes a condition of a cluster. */
  publish(cluster: Cluster, condition: Condition, controller: string, evidence: Evidence[]): void;
}

export function startClusterStatus(
  plane: SimulatedControlPlane,
  agenda: Agenda,
  members: Members,
  configuration: Configuration,
): ClusterStatusController {
  const noticed = createKeyedQueue<string>(agenda, notice);
  const changedAt = new Map<string, number>();

  function expected(name: string) {
    const cluster = plane.clusters.get(name);
    if (!cluster) return undefined;
    const lease = plane.templates.get(objectKey({ kind: 'Lease', namespace: 'karmada-cluster', name }));
    return nextReadyCondition({
      cluster,
      up: !members.isDown(name),
      at: changedAt.get(name) ?? agenda.now(),
      configuration,
      lease: lease as ClusterLease | undefined,
    });
  }

  function notice(name: string): void {
    const cluster = plane.clusters.get(name);
    const change = expected(name);
    if (!cluster || !change) return;
    // A member that came back, or failed again, meanwhile restarts the clock.
    if (change.at > agenda.now()) noticed.add(name, change.at);
    else publish(cluster, change.condition, 'cluster-status', change.evidence);
  }

  function publish(cluster: Cluster, condition: Condition, controller: string, evidence: Evidence[]): void {
    const conditions = cluster.status?.conditions ?? [];
    const others = conditions.filter(({ type }) => type !== condition.type);
    plane.note({
      controller,
      type: 'ConditionChanged',
      object: identityOf(cluster),
      cluster: cluster.metadata.name,
      reason: condition.reason,
      message: `${condition.type}=${condition.status}`,
      evidence,
    });
    plane.writeCluster({ ...cluster, status: { ...cluster.status, conditions: [...others, condition] } });
  }

  return {
    memberChanged(name) {
      changedAt.set(name, agenda.now());
      const change = expected(name);
      if (change) noticed.add(name, change.at);
    },
    publish,
  };
}
