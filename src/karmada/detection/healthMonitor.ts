import { isOtherKind } from '../api/otherKinds.ts';
import type { Cluster } from '../api/cluster.ts';
import type { Condition } from '../api/meta.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { TAINT_CLUSTER_NOT_READY, TAINT_CLUSTER_UNREACHABLE } from '../api/names.ts';
import { formatDuration, instant, rfc3339 } from '../../kubernetes/time.ts';
import { monitorHealth, type ClusterHealth } from './clusterHealth.ts';
import type { Evidence } from '../evidence.ts';
import { readyCondition } from '../objects/clusterReadiness.ts';
import { objectKey } from '../objects/identities.ts';
import { failureTaints } from './conditionTaints.ts';
import type { Controller, ReconcileRequest, Step, Wake, WakeContext } from '../controllers/controller.ts';
import type { Member } from '../controllers/kinds.ts';
import type { View } from '../controllers/view.ts';
import type { ChangeOf, Write } from '../controllers/write.ts';
import { appendAll } from '../../kubernetes/longLists.ts';

interface HealthMonitorMemory {
  health: ClusterHealth;
  /** the next reconcile, epoch milliseconds */
  lookAt: number;
}

type Request = ReconcileRequest<HealthMonitorMemory>;

/**
 * The health monitor of the cluster controller: every --cluster-monitor-period it reconciles each cluster, writes
 * Unknown for a Pull cluster that has been silent for --cluster-monitor-grace-period, and in versions up to v1.13 adds
 * the NoExecute taints to clusters that have failed for --failover-eviction-timeout
 * (pkg/controllers/cluster/cluster_controller.go).
 *
 * If members are simulated, it reconciles only while something may change, and sees Leases as their agents would have
 * renewed them. Each reconcile is assumed in the middle of its possible instants.
 */
export const healthMonitor: Controller<HealthMonitorMemory> = {
  wakes: { Member: agentTurned, Cluster: clusterChanged },
  *resumes(view, { configuration }) {
    for (const cluster of view.all('Cluster')) {
      const key = cluster.metadata.name;
      const member = view.get('Member', key);
      if (!member || mayFind(cluster, member, configuration)) yield { key };
    }
  },
  started,
  reconcile(request) {
    const { key, view, memory, configuration, now } = request;
    const cluster = view.get('Cluster', key);
    if (!cluster) return {};
    const member = view.get('Member', key);
    if (!member) return monitor(request, cluster, memory?.health);
    if (!mayFind(cluster, member, configuration)) return {};
    const known = memory ?? assumedMemory(request, cluster, member);
    if (now < known.lookAt) return { memory: known, requeue: { after: known.lookAt - now } };
    return monitor(request, cluster, known.health);
  },
};

function* agentTurned({ key, before, after }: ChangeOf<'Member'>): Iterable<Wake> {
  if (after?.agent && before?.agent?.running !== after.agent.running) yield { key };
}

/** Changes of a Cluster wake it only before the first reconcile; periodic reconciles find everything else. */
function* clusterChanged(
  { key, before, after }: ChangeOf<'Cluster'>,
  _view: View,
  { configuration }: WakeContext,
): Iterable<Wake> {
  if (!after || configuration.rules.taints.failureTaints === 'none') return;
  const sameStatus = before && readyCondition(before)?.status === readyCondition(after)?.status;
  if (!sameStatus || before.spec?.taints !== after.spec?.taints) yield { key };
}

/** Whether a reconcile of a cluster may find anything while neither it nor its member changes. */
function mayFind(cluster: Cluster, { agent }: Member, configuration: Configuration): boolean {
  const status = readyCondition(cluster)?.status;
  if (agent && !agent.running && status !== 'Unknown') return true;
  if (configuration.rules.taints.failureTaints === 'none' || status === undefined) return false;
  const has = (key: string) =>
    cluster.spec?.taints?.some((taint) => taint.key === key && taint.effect === 'NoExecute') ?? false;
  const [notReady, unreachable] = [has(TAINT_CLUSTER_NOT_READY), has(TAINT_CLUSTER_UNREACHABLE)];
  if (status === 'True') return notReady || unreachable;
  const settled = status === 'False' ? notReady && !unreachable : unreachable && !notReady;
  return configuration.featureGates.Failover && !settled;
}

/** The first reconcile of a Pull cluster in a process: it counts as a heartbeat. Undefined if no later one can change anything. */
function started(
  key: string,
  view: View,
  { configuration, now }: WakeContext,
): HealthMonitorMemory | undefined {
  const [cluster, member] = [view.get('Cluster', key), view.get('Member', key)];
  const ready = cluster && readyCondition(cluster);
  if (!ready || !member?.agent || !mayFind(cluster, member, configuration)) return undefined;
  const lease = leaseOf({ key, view, configuration, now });
  return {
    health: { heardAt: now, readyChangedAt: now, ready, ...(lease && { lease }) },
    lookAt: now + configuration.controllerManager['cluster-monitor-period'] + AFTER_PERIOD,
  };
}

/** One reconcile: the monitor's write and its memory. */
function monitor(
  request: Request,
  cluster: Cluster,
  before: ClusterHealth | undefined,
): Step<HealthMonitorMemory> {
  const { key, now, configuration, evidence } = request;
  const { controllerManager: flags, rules, featureGates } = configuration;
  const ready = readyCondition(cluster);
  const { health, published } = monitorHealth(
    {
      syncMode: cluster.spec?.syncMode === 'Pull' ? 'Pull' : 'Push',
      ready,
      createdAt: createdAt(cluster, now),
      lease: leaseOf(request),
      now,
    },
    before,
    { monitor: flags['cluster-monitor-grace-period'], startup: flags['cluster-startup-grace-period'] },
  );
  const writes: Write[] = [];
  let object = cluster;
  if (published) {
    evidence?.push(silenceEvidence(request, ready, health));
    object = withReady(cluster, ready, published);
    writes.push({ verb: 'update', kind: 'Cluster', key, part: 'status', lock: true, base: cluster, object });
  }
  if (rules.taints.failureTaints === 'automatic' && readyCondition(object)) {
    const timeout = flags['failover-eviction-timeout'];
    const failure = { timeout, failover: featureGates.Failover };
    const result = failureTaints(object, ready?.status ?? 'Unknown', health, failure, now);
    if (result.evidence.length > 0) {
      if (evidence) appendAll(evidence, result.evidence);
      writes.push({
        verb: 'update',
        kind: 'Cluster',
        key,
        part: 'object',
        // This overwrites the status write of the same reconcile.
        lock: !published,
        base: object,
        object: { ...object, spec: { ...object.spec, taints: result.taints } },
      });
    }
  }
  const period = flags['cluster-monitor-period'];
  return { writes, memory: { health, lookAt: now + period }, requeue: { after: period } };
}

function withReady(cluster: Cluster, ready: Condition | undefined, published: Condition): Cluster {
  const conditions = cluster.status?.conditions ?? [];
  const after = ready
    ? conditions.map((one) => (one === ready ? published : one))
    : [...conditions, published];
  return { ...cluster, status: { ...cluster.status, conditions: after } };
}

function createdAt({ metadata: { creationTimestamp } }: Cluster, now: number): number {
  return creationTimestamp ? instant(creationTimestamp) : now;
}

/**
 * The memory of a monitor that ran before the capture, or during skipped reconciles: when it noticed the current state.
 */
function assumedMemory(request: Request, cluster: Cluster, { agent }: Member): HealthMonitorMemory {
  const { now, configuration } = request;
  const { controllerManager: flags } = configuration;
  const period = flags['cluster-monitor-period'];
  const ready = readyCondition(cluster);
  const changedAt = ready?.lastTransitionTime ? instant(ready.lastTransitionTime) : now;
  const renewedAt = leaseOf(request)?.renewedAt;
  const readyChangedAt = changedAt + period / 2;
  const health = {
    readyChangedAt,
    ...(ready && { ready }),
    ...(renewedAt !== undefined && { lease: { renewedAt } }),
  };
  if (!agent || agent.running || ready?.status === 'Unknown') {
    const heardAt = ready?.status === 'Unknown' ? changedAt - flags['cluster-monitor-grace-period'] : now;
    return { health: { ...health, heardAt }, lookAt: nextBeat(readyChangedAt, now, period) };
  }
  // The last sign of life: its creation without a Ready condition, else the reconcile after the last renewal.
  const heardAt = ready ? (renewedAt ?? agent.since) + period / 2 : createdAt(cluster, agent.since);
  const beat = ready ? heardAt : heardAt + period / 2;
  return { health: { ...health, heardAt }, lookAt: nextBeat(beat, now, period) };
}

/** Milliseconds by which reconciles lag behind whole periods, so that one follows a grace period of whole periods. */
const AFTER_PERIOD = 1;

function nextBeat(beat: number, now: number, period: number): number {
  return beat + Math.max(0, Math.ceil((now - beat) / period)) * period + AFTER_PERIOD;
}

/** The current Lease karmada-cluster/NAME; if members are simulated, as their agents have renewed it. */
function leaseOf({
  key,
  view,
  configuration,
  now,
}: Pick<Request, 'key' | 'view' | 'configuration' | 'now'>): ClusterHealth['lease'] {
  const lease = view.get('Object', leaseKey(key));
  const renewTime = isOtherKind(lease, 'Lease') ? lease.spec?.renewTime : undefined;
  const agent = view.get('Member', key)?.agent;
  if (!agent) return lease && (renewTime ? { renewedAt: instant(renewTime) } : {});
  if (agent.running) return { renewedAt: now };
  const flags = configuration.agent;
  const interval = flags['cluster-lease-duration'] * flags['cluster-lease-renew-interval-fraction'];
  return { renewedAt: lastRenewal(renewTime, agent.since, interval) };
}

/** The last renewal before the agent stopped, in epoch milliseconds. */
function lastRenewal(renewTime: string | null | undefined, stopped: number, interval: number): number {
  const seen = renewTime ? instant(renewTime) : undefined;
  // Each renewal may be up to 4 % late; after a few of them the phase is unknown.
  if (seen !== undefined && seen <= stopped && stopped - seen <= 4 * interval)
    return seen + Math.floor((stopped - seen) / interval) * interval;
  return stopped - interval / 2;
}

function leaseKey(cluster: string): string {
  return objectKey({ kind: 'Lease', namespace: 'karmada-cluster', name: cluster });
}

function silenceEvidence(
  { key, view, configuration }: Request,
  ready: Condition | undefined,
  { heardAt }: ClusterHealth,
): Evidence {
  const { controllerManager: flags } = configuration;
  const flag = ready ? 'cluster-monitor-grace-period' : 'cluster-startup-grace-period';
  const grace = formatDuration(flags[flag]);
  const period = formatDuration(flags['cluster-monitor-period']);
  const lease = view.get('Object', leaseKey(key));
  return {
    rule: ready
      ? `Unknown once the Lease has not been renewed for ${grace}, checked every ${period}`
      : `Unknown once a new cluster has reported nothing for ${grace}`,
    object: { kind: 'Cluster', name: key },
    field: `${flag}=${grace} cluster-monitor-period=${period}`,
    value: rfc3339(heardAt),
    certainty: 'estimate',
    missing:
      isOtherKind(lease, 'Lease') && lease.spec?.renewTime
        ? 'when within its period the controller manager checks the cluster'
        : `when the Lease karmada-cluster/${key} was last renewed: add it to the state`,
  };
}
