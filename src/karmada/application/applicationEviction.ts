import type { PurgeMode } from '../api/policy.ts';
import type { FeatureGates } from '../configuration/configuration.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';
import {
  CLUSTER_RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER,
  EVICTION_REASON_APPLICATION_FAILURE,
  RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER,
} from '../api/names.ts';
import {
  type EvictionTaskOptions,
  evictCluster,
  purgesDirectly,
  purgesGracefully,
  removeCluster,
} from '../eviction/evictionTasks.ts';
import { preservedLabelStateOnCluster } from '../eviction/statePreservation.ts';

export type ApplicationFailoverGates = Pick<FeatureGates, 'GracefulEviction' | 'StatefulFailoverInjection'>;

/**
 * The spec after an unhealthy application has been evicted from a cluster, or why it cannot be evicted: its state
 * cannot be preserved, or its purge mode needs the disabled gate GracefulEviction. Rules of the application failover
 * controllers; before v1.12, mode Immediately leaves no task, and Never needs the gate too.
 *
 * @param binding as it was before the first eviction of the pass
 * @param spec after the earlier evictions of the same pass
 */
export function evictApplication(
  binding: ResourceBinding,
  spec: ResourceBindingSpec,
  cluster: string,
  gates: ApplicationFailoverGates,
  rules: Rules,
): { spec: ResourceBindingSpec } | { error: string } {
  if (rules.application.evictions === 'immediatelyWithoutTask')
    return evictWithoutPurgeMode(binding, spec, cluster, gates, rules);
  const task = taskOptions(binding, cluster, gates, rules);
  return 'error' in task ? task : { spec: evictCluster(spec, cluster, task) };
}

function taskOptions(
  { kind, spec, status }: ResourceBinding,
  cluster: string,
  gates: ApplicationFailoverGates,
  rules: Rules,
): EvictionTaskOptions | { error: string } {
  const { purgeMode, gracePeriodSeconds, statePreservation } = spec.failover?.application ?? {};
  const state = gates.StatefulFailoverInjection
    ? preservedLabelStateOnCluster(statePreservation, status?.aggregatedStatus, cluster, rules)
    : undefined;
  if (state && 'error' in state) return state;
  const graceful = purgesGracefully(purgeMode, rules);
  if (lacksGracefulGate(purgeMode, gates, rules)) return needsGate(purgeMode);
  return {
    purgeMode,
    ...origin(kind),
    ...(graceful && { gracePeriodSeconds: gracePeriodSeconds ?? rules.application.graceSeconds }),
    ...(purgeMode === 'Never' && { suppressDeletion: true }),
    ...(state && {
      preservedLabelState: state.labels,
      clustersBeforeFailover: (spec.clusters ?? []).map(({ name }) => name),
    }),
  };
}

/** With an unknown mode nothing is evicted. */
function evictWithoutPurgeMode(
  binding: ResourceBinding,
  spec: ResourceBindingSpec,
  cluster: string,
  gates: ApplicationFailoverGates,
  rules: Rules,
): { spec: ResourceBindingSpec } | { error: string } {
  const { purgeMode, gracePeriodSeconds } = binding.spec.failover?.application ?? {};
  if (purgesDirectly(purgeMode, rules)) return { spec: removeCluster(spec, cluster) };
  const graceful = purgesGracefully(purgeMode, rules);
  if (!graceful && purgeMode !== 'Never') return { spec };
  if (!gates.GracefulEviction) return needsGate(purgeMode);
  const how = graceful ? { gracePeriodSeconds } : { suppressDeletion: true };
  return { spec: evictCluster(spec, cluster, { ...origin(binding.kind), ...how }) };
}

/** Whether this mode evicts nothing because the gate GracefulEviction is off. */
export function lacksGracefulGate(
  purgeMode: PurgeMode | undefined,
  gates: Pick<FeatureGates, 'GracefulEviction'>,
  rules: Rules,
): boolean {
  return rules.application.gracefulGate && purgesGracefully(purgeMode, rules) && !gates.GracefulEviction;
}

function needsGate(purgeMode: string | undefined): { error: string } {
  return { error: `GracefulEviction featureGate must be enabled when purgeMode is ${purgeMode}` };
}

function origin(kind: ResourceBinding['kind']): Pick<EvictionTaskOptions, 'reason' | 'producer'> {
  return {
    reason: EVICTION_REASON_APPLICATION_FAILURE,
    producer:
      kind === 'ClusterResourceBinding'
        ? CLUSTER_RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER
        : RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER,
  };
}
