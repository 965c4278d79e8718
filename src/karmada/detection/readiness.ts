import type { Cluster } from '../api/cluster.ts';
import type { ConditionStatus } from '../api/meta.ts';

/** A Ready condition without its times. */
export interface Readiness {
  status: ConditionStatus;
  reason: string;
  message: string;
}

/** The result of a probe of a member's API server; any HTTP error counts as unreachable. */
export type ProbeResult = 'healthy' | 'unhealthy' | 'unreachable';

/** The condition that the cluster status controller derives from a probe, before its thresholds apply. */
export const probedReadiness: Record<ProbeResult, Readiness> = {
  healthy: {
    status: 'True',
    reason: 'ClusterReady',
    message: 'cluster is healthy and ready to accept workloads',
  },
  unhealthy: {
    status: 'False',
    reason: 'ClusterNotReady',
    message: 'cluster is reachable but health endpoint responded without ok',
  },
  unreachable: {
    status: 'False',
    reason: 'ClusterNotReachable',
    message: 'cluster is not reachable',
  },
};

/**
 * The condition of a Push cluster for which the controller manager cannot build a client, so that it probes nothing;
 * undefined if the Cluster shows that it can. An endpoint missing from a capture is assumed to exist. Mirrors
 * BuildClusterConfig (pkg/util/membercluster_client.go).
 */
export function readinessWithoutClient({ metadata, spec }: Cluster): Readiness | undefined {
  if (spec?.apiEndpoint !== '') return undefined;
  return {
    status: 'False',
    reason: 'StatusCollectionFailed',
    message: `failed to create a ClusterClient: the api endpoint of cluster ${metadata.name} is empty`,
  };
}

/** The condition that the cluster controller writes for a Pull cluster whose agent is silent. */
export const silentReadiness: Record<'known' | 'never known', Readiness> = {
  known: {
    status: 'Unknown',
    reason: 'ClusterStatusUnknown',
    message: 'Cluster status controller stopped posting cluster status.',
  },
  'never known': {
    status: 'Unknown',
    reason: 'ClusterStatusNeverUpdated',
    message: 'Cluster status controller never posted cluster status.',
  },
};

/** The usual Ready condition with a status and possibly a reason; undefined if the reason is unknown. */
export function usualReadiness(status: ConditionStatus, reason?: string): Readiness | undefined {
  const { healthy, unreachable, unhealthy } = probedReadiness;
  return [healthy, unreachable, unhealthy, silentReadiness.known, silentReadiness['never known']].find(
    (one) => one.status === status && (reason === undefined || one.reason === reason),
  );
}
