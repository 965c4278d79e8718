import type { FeatureGates } from '../../karmada/configuration.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import {
  CLUSTER_RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER,
  EVICTION_REASON_APPLICATION_FAILURE,
  RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER,
} from '../../karmada/names.ts';
import type { EvictionTaskOptions } from '../eviction/evictCluster.ts';
import { purgesGracefully } from '../eviction/purgeMode.ts';
import { preservedLabelStateOnCluster } from '../eviction/statePreservation.ts';

export type ApplicationFailoverGates = Pick<FeatureGates, 'GracefulEviction' | 'StatefulFailoverInjection'>;

/**
 * What the task says that evicts an unhealthy application from a cluster, or why there can be none: state that
 * cannot be preserved, or a graceful purge mode with the gate GracefulEviction off. `binding` is as it was
 * before the first eviction of the pass (Karmada v1.18, application failover's buildTaskOptions).
 */
export function applicationFailoverTask(
  { kind, spec, status }: ResourceBinding,
  cluster: string,
  gates: ApplicationFailoverGates,
): { options: EvictionTaskOptions } | { error: string } {
  const { purgeMode, gracePeriodSeconds, statePreservation } = spec.failover?.application ?? {};
  const state = gates.StatefulFailoverInjection
    ? preservedLabelStateOnCluster(statePreservation, status?.aggregatedStatus, cluster)
    : undefined;
  if (state && 'error' in state) return state;
  const graceful = purgesGracefully(purgeMode);
  if (graceful && !gates.GracefulEviction)
    return { error: `GracefulEviction featureGate must be enabled when purgeMode is ${purgeMode}` };
  return {
    options: {
      purgeMode,
      reason: EVICTION_REASON_APPLICATION_FAILURE,
      producer:
        kind === 'ClusterResourceBinding'
          ? CLUSTER_RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER
          : RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER,
      ...(graceful && { gracePeriodSeconds }),
      ...(purgeMode === 'Never' && { suppressDeletion: true }),
      ...(state && {
        preservedLabelState: state.labels,
        clustersBeforeFailover: (spec.clusters ?? []).map(({ name }) => name),
      }),
    },
  };
}
