import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { CLUSTER_CONDITION_READY } from '../../karmada/names.ts';
import { formatDuration, instant, rfc3339 } from '../../kubernetes/time.ts';
import { silence } from '../detection/silence.ts';
import { readyCondition } from '../objects/clusterReadiness.ts';
import { objectKey } from '../objects/identities.ts';
import type { Controller, Look } from './controller.ts';
import type { View } from './view.ts';

/** When the monitor heard of a Pull cluster last: epoch milliseconds. */
export interface HealthMonitorMemory {
  heardAt: number;
}

/**
 * The health monitor of the cluster controller: every --cluster-monitor-period it looks at each cluster, and writes
 * Unknown for a Pull cluster whose agent has renewed no Lease for --cluster-monitor-grace-period. Push clusters are not judged by
 * silence (Karmada v1.18, pkg/controllers/cluster/cluster_controller.go).
 */
export const healthMonitor: Controller<HealthMonitorMemory> = {
  name: 'health-monitor',
  wakes: {
    *Member({ key, before, after }) {
      if (after?.agent && before?.agent?.running !== after.agent.running) yield { key };
    },
  },
  look(request) {
    const { key, view, now, configuration, evidence } = request;
    const cluster = view.get('Cluster', key);
    const member = view.get('Member', key);
    if (!cluster || !member?.agent || member.agent.running) return {};
    const published = readyCondition(cluster);
    if (published?.status === 'Unknown') return {};
    const { controllerManager: flags } = configuration;
    const heardAt = request.memory?.heardAt ?? lastHeard(request, cluster, member.agent.since);
    const grace = {
      monitor: flags['cluster-monitor-grace-period'],
      startup: flags['cluster-startup-grace-period'],
    };
    const beat = flags['cluster-monitor-period'];
    // Looks are taken to come in the middle between the possible instants.
    const sinceBeat = now - (heardAt + beat / 2);
    const next = (Math.floor(sinceBeat / beat) + 1) * beat - sinceBeat;
    const readiness = sinceBeat % beat === 0 ? silence(published, heardAt, now, grace) : undefined;
    if (!readiness) return { memory: { heardAt }, again: { after: next } };
    evidence?.push({
      rule: published
        ? `Unknown once the Lease has not been renewed for ${formatDuration(grace.monitor)}, looked at every ${formatDuration(beat)}`
        : `Unknown when nothing has been heard of a new cluster for ${formatDuration(grace.startup)}`,
      object: { kind: 'Cluster', name: key },
      field: published
        ? `cluster-monitor-grace-period=${formatDuration(grace.monitor)} cluster-monitor-period=${formatDuration(beat)}`
        : `cluster-startup-grace-period=${formatDuration(grace.startup)}`,
      value: rfc3339(heardAt),
      certainty: 'estimate',
      missing: renewTime(view, key)
        ? 'when within its period the controller manager looks at the cluster'
        : `when the Lease karmada-cluster/${key} was last renewed: give it with the state`,
    });
    const others = (cluster.status?.conditions ?? []).filter(({ type }) => type !== CLUSTER_CONDITION_READY);
    const condition = { type: CLUSTER_CONDITION_READY, ...readiness, lastTransitionTime: rfc3339(now) };
    const object = { ...cluster, status: { ...cluster.status, conditions: [...others, condition] } };
    return {
      writes: [{ verb: 'update', kind: 'Cluster', key, part: 'status', lock: true, base: cluster, object }],
    };
  },
};

/** The last sign of life before the agent stopped at `stopped` (epoch milliseconds). */
function lastHeard(
  { key, view, configuration }: Look<HealthMonitorMemory>,
  cluster: Cluster,
  stopped: number,
): number {
  if (!readyCondition(cluster)) {
    const { creationTimestamp } = cluster.metadata;
    return creationTimestamp ? instant(creationTimestamp) : stopped;
  }
  const interval = renewalInterval(configuration);
  const seen = renewTime(view, key);
  // Each renewal may be late by 4 %; after more than a few the phase is lost.
  if (seen !== undefined && seen <= stopped && stopped - seen <= 4 * interval)
    return seen + Math.floor((stopped - seen) / interval) * interval;
  return stopped - interval / 2;
}

function renewalInterval({ agent }: Configuration): number {
  return agent['cluster-lease-duration'] * agent['cluster-lease-renew-interval-fraction'];
}

type Lease = KubernetesObject & { spec?: { renewTime?: string | null } };

function renewTime(view: View, cluster: string): number | undefined {
  const key = objectKey({ kind: 'Lease', namespace: 'karmada-cluster', name: cluster });
  const lease = view.get('Object', key) as Lease | undefined;
  return lease?.spec?.renewTime ? instant(lease.spec.renewTime) : undefined;
}
