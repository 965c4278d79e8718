import type { ClusterFailoverBehavior, PurgeMode } from '../api/policy.ts';
import type { ResourceBinding } from '../api/work.ts';
import type { ControllerManagerFlags, FeatureGates } from '../configuration/configuration.ts';
import type { Rules } from '../dialects/rules.ts';
import type { Evidence } from '../evidence.ts';

/** The inputs besides the binding that decide the purge mode. */
interface PurgeModeConfiguration {
  rules: Rules;
  controllerManager: Pick<ControllerManagerFlags, 'no-execute-taint-eviction-purge-mode'>;
  featureGates: Pick<FeatureGates, 'GracefulEviction'>;
}

/**
 * The purge mode of the task that a taint eviction creates: from the policy's failover.cluster (empty means
 * Gracefully), else from the controller manager's flag, or in the design optimize-cluster-failover Gracefully; before
 * v1.15 only from the flag, and before v1.14 from the gate GracefulEviction. Undefined if tasks have none; withoutTask
 * if the cluster is removed without a task.
 */
export function taintEvictionPurgeMode(
  binding: Failing,
  configuration: PurgeModeConfiguration,
  evidence?: Evidence[],
): PurgeMode | 'withoutTask' | undefined {
  switch (configuration.rules.taints.evictionPurgeMode) {
    case 'gateOrNoTask':
      return byGate(configuration, undefined, 'withoutTask', evidence);
    case 'gate':
      return byGate(configuration, 'Graciously', 'Immediately', evidence);
    case 'flagForResourceBindings':
      return binding.kind === 'ClusterResourceBinding'
        ? byGate(configuration, 'Graciously', 'Immediately', evidence)
        : byFlag(configuration, oldNames, evidence);
    case 'flagInOldNames':
      return byFlag(configuration, oldNames, evidence);
    case 'policyOrFlag':
      return byPolicy(binding, evidence) ?? byFlag(configuration, newNames, evidence) ?? 'Gracefully';
    case 'policyOrGracefully':
      return byPolicy(binding, evidence) ?? 'Gracefully';
  }
}

/** The stored names of the flag's values. */
const oldNames = { Gracefully: 'Graciously', Directly: 'Immediately' } as const;
const newNames = { Gracefully: 'Gracefully', Directly: 'Directly' } as const;

/** The fields of a binding that set the purge mode. */
interface Failing {
  kind?: string | undefined;
  spec: { failover?: { cluster?: ClusterFailoverBehavior | undefined } | undefined };
}

function byPolicy({ spec }: Failing, evidence: Evidence[] | undefined): PurgeMode | undefined {
  const cluster = spec.failover?.cluster;
  if (!cluster) return undefined;
  const purgeMode = cluster.purgeMode || 'Gracefully';
  evidence?.push({
    rule: 'the purge mode comes from the policy',
    field: 'spec.failover.cluster.purgeMode',
    value: purgeMode,
  });
  return purgeMode;
}

function byFlag(
  { controllerManager }: PurgeModeConfiguration,
  modes: Partial<Record<string, PurgeMode>>,
  evidence: Evidence[] | undefined,
): PurgeMode | undefined {
  const flag = controllerManager['no-execute-taint-eviction-purge-mode'];
  evidence?.push({
    rule: 'the purge mode comes from karmada-controller-manager',
    field: 'no-execute-taint-eviction-purge-mode',
    value: flag,
  });
  return modes[flag];
}

function byGate<Graceful, Direct>(
  { featureGates }: PurgeModeConfiguration,
  graceful: Graceful,
  direct: Direct,
  evidence: Evidence[] | undefined,
): Graceful | Direct {
  const gate = featureGates.GracefulEviction;
  evidence?.push({
    rule: 'gate GracefulEviction decides whether the old copy stays until the new one is healthy',
    field: 'GracefulEviction',
    value: gate,
  });
  return gate ? graceful : direct;
}

/** In some releases only tasks of bindings without any toleration of the taints had the flag's purge mode. */
export function omitsPurgeMode({ kind }: ResourceBinding, { taints }: Rules): boolean {
  if (taints.expiredTolerationPurgeMode) return false;
  return taints.evictionPurgeMode !== 'flagForResourceBindings' || kind !== 'ClusterResourceBinding';
}
