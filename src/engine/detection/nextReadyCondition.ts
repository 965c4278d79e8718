import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Condition } from '../../karmada/api/meta.ts';
import type { AgentFlags, ControllerManagerFlags } from '../../karmada/configuration.ts';
import { CLUSTER_CONDITION_READY } from '../../karmada/names.ts';
import { formatDuration, instant, rfc3339 } from '../../kubernetes/time.ts';
import type { Evidence } from '../evidence.ts';
import { readyCondition } from '../objects/clusterReadiness.ts';
import { probedReadiness, silentReadiness, type Readiness } from './readiness.ts';

/** A member cluster stops answering, or answers again. */
export interface MemberChange {
  /** as Karmada sees it at that instant */
  cluster: Cluster;
  up: boolean;
  /** epoch milliseconds */
  at: number;
  configuration: { controllerManager: ControllerManagerFlags; agent: AgentFlags };
  /**
   * For Pull clusters: whether the agent shares the member's fate, as it does when the whole member fails
   * (the default), or goes on reporting.
   */
  agentSharesFate?: boolean;
  /** the Lease karmada-cluster/NAME, if the state has it */
  lease?: ClusterLease;
}

export interface ClusterLease {
  spec?: { renewTime?: string | null };
}

/** When Karmada publishes another Ready condition. Instants are epoch milliseconds. */
export interface ReadyChange {
  /** the instant to reckon with */
  at: number;
  earliest: number;
  latest: number;
  /** as it is at the instant `at` */
  condition: Condition;
  evidence: Evidence[];
}

/** What an agent that starts again waits for before it works: --leader-elect-lease-duration. */
const AGENT_LEADER_LEASE = 15_000;

/**
 * What Karmada publishes of a member's failure or recovery, and when, if nothing else happens until then.
 * Undefined when the published condition says so already.
 *
 * Push clusters are probed, and what the probe finds has to last for a threshold: they become False and never
 * Unknown. A Pull cluster whose agent dies with it falls silent and becomes Unknown. When probes and renewals
 * happen within their periods no state tells, so the instant to reckon with lies in the middle of the
 * possible ones; the evidence says how far it may be off.
 */
export function nextReadyCondition(change: MemberChange): ReadyChange | undefined {
  const pull = change.cluster.spec?.syncMode === 'Pull';
  if (pull && (change.agentSharesFate ?? true))
    return change.up ? agentReturns(change) : agentFallsSilent(change);
  return probeFinds(change, pull ? 'agent' : 'controllerManager');
}

function probeFinds(change: MemberChange, prober: 'agent' | 'controllerManager'): ReadyChange | undefined {
  const { cluster, up, at, configuration } = change;
  const flags = configuration[prober];
  const period = flags['cluster-status-update-frequency'];
  const thresholdFlag = up ? 'cluster-success-threshold' : 'cluster-failure-threshold';
  const published = readyCondition(cluster);
  const readiness = probedReadiness[up ? 'healthy' : 'unreachable'];
  if (published?.status === readiness.status) return undefined;
  // Between False and Unknown, and before the first condition, nothing is waited for.
  const crosses = published !== undefined && (published.status === 'True') !== up;
  const threshold = crosses ? flags[thresholdFlag] : 0;
  const waits = Math.ceil(threshold / period) * period;
  const flag = (name: string, value: number) => `${name}=${formatDuration(value)}`;
  return readyChange(change, readiness, {
    earliest: at + waits,
    expected: at + period / 2 + waits,
    latest: at + period + waits,
    evidence: {
      rule: `probed every ${formatDuration(period)}, and published once the probes have agreed for ${formatDuration(threshold)}`,
      field: [
        flag('cluster-status-update-frequency', period),
        ...(crosses ? [flag(thresholdFlag, threshold)] : []),
      ].join(' '),
      missing: up
        ? 'when within its period the cluster is probed'
        : 'when within its period the cluster is probed, and whether connections are refused at once as assumed here: packets that are lost silently cost each probe its timeout of 32s',
    },
  });
}

function agentFallsSilent(change: MemberChange): ReadyChange | undefined {
  const { cluster, at, configuration, lease } = change;
  const published = readyCondition(cluster);
  if (published?.status === 'Unknown') return undefined;
  const look = configuration.controllerManager['cluster-monitor-period'];
  if (!published) return neverHeard(change, look);

  const grace = configuration.controllerManager['cluster-monitor-grace-period'];
  // Looks are at least one period apart, so the one after exactly the grace period comes late enough.
  const waits = Math.ceil(grace / look) * look;
  const interval =
    configuration.agent['cluster-lease-duration'] *
    configuration.agent['cluster-lease-renew-interval-fraction'];
  const renewed = lastRenewal(lease, at, interval);
  const [first, last] = renewed === undefined ? [at - interval, at] : [renewed, renewed];
  const notBefore = (instant: number) => Math.max(instant, at);
  return readyChange(change, silentReadiness.known, {
    earliest: notBefore(first + waits),
    expected: notBefore((first + last + look) / 2 + waits),
    latest: notBefore(last + look + waits),
    evidence: {
      rule: `Unknown once the Lease has not been renewed for ${formatDuration(grace)}, looked at every ${formatDuration(look)}`,
      field: `cluster-monitor-grace-period=${formatDuration(grace)} cluster-monitor-period=${formatDuration(look)}`,
      value: lease?.spec?.renewTime,
      missing:
        renewed === undefined
          ? `when the Lease karmada-cluster/${cluster.metadata.name} was last renewed: give it with the state`
          : 'when within its period the controller manager looks at the cluster',
    },
  });
}

function neverHeard(change: MemberChange, look: number): ReadyChange {
  const grace = change.configuration.controllerManager['cluster-startup-grace-period'];
  const { creationTimestamp } = change.cluster.metadata;
  const created = creationTimestamp ? instant(creationTimestamp) : change.at;
  const end = Math.max(created + grace, change.at);
  return readyChange(change, silentReadiness['never known'], {
    earliest: end,
    expected: end + look / 2,
    latest: end + look,
    evidence: {
      rule: `Unknown when nothing has been heard of a new cluster for ${formatDuration(grace)}`,
      field: `cluster-startup-grace-period=${formatDuration(grace)}`,
      value: creationTimestamp,
      missing: 'when within its period the controller manager looks at the cluster',
    },
  });
}

/** The last renewal before the agent stopped, if the Lease in the state is recent enough to tell. */
function lastRenewal(lease: ClusterLease | undefined, at: number, interval: number): number | undefined {
  const renewTime = lease?.spec?.renewTime;
  if (!renewTime) return undefined;
  const seen = instant(renewTime);
  // Each renewal may be late by 4 %; after more than a few the phase is lost.
  if (!(seen <= at && at - seen <= 4 * interval)) return undefined;
  return seen + Math.floor((at - seen) / interval) * interval;
}

function agentReturns(change: MemberChange): ReadyChange | undefined {
  if (readyCondition(change.cluster)?.status === 'True') return undefined;
  const period = change.configuration.agent['cluster-status-update-frequency'];
  return readyChange(change, probedReadiness.healthy, {
    earliest: change.at,
    expected: change.at + AGENT_LEADER_LEASE,
    latest: change.at + AGENT_LEADER_LEASE + period,
    evidence: {
      rule: 'an agent that starts again publishes the first probe as it is, without a threshold',
      field: `leader-elect-lease-duration=${formatDuration(AGENT_LEADER_LEASE)}`,
      missing: 'how long the agent takes to start and to become the leader',
    },
  });
}

function readyChange(
  { cluster }: MemberChange,
  readiness: Readiness,
  {
    earliest,
    expected,
    latest,
    evidence,
  }: {
    earliest: number;
    expected: number;
    latest: number;
    evidence: Evidence;
  },
): ReadyChange {
  const within = `between ${rfc3339(earliest)} and ${rfc3339(latest)}`;
  return {
    at: expected,
    earliest,
    latest,
    condition: { type: CLUSTER_CONDITION_READY, ...readiness, lastTransitionTime: rfc3339(expected) },
    evidence: [
      {
        ...evidence,
        rule: `${evidence.rule}: ${within}`,
        object: { kind: 'Cluster', name: cluster.metadata.name },
        certainty: 'estimate',
      },
    ],
  };
}
