import type { Cluster } from '../../karmada/api/cluster.ts';
import type { FailoverBehavior, PurgeMode } from '../../karmada/api/policy.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../karmada/api/work.ts';
import type { ControllerManagerFlags, FeatureGates } from '../../karmada/configuration.ts';
import {
  APPLIED_PLACEMENT_ANNOTATION,
  EVICTION_PRODUCER_TAINT_MANAGER,
  EVICTION_REASON_TAINT_UNTOLERATED,
} from '../../karmada/names.ts';
import type { Taint } from '../../kubernetes/tolerations.ts';
import type { Evidence } from '../evidence.ts';
import { evictCluster } from '../eviction/evictCluster.ts';
import { preservedLabelStateOnCluster } from '../eviction/statePreservation.ts';
import { appliedPlacement } from '../objects/appliedPlacement.ts';
import { noExecuteDecision, noExecuteTaints } from './noExecuteDecision.ts';

/** Where the taint manager is started at all (gate Failover, enable-taint-manager), this decides what it does. */
export interface TaintManagerConfiguration {
  controllerManager: Pick<
    ControllerManagerFlags,
    'enable-no-execute-taint-eviction' | 'no-execute-taint-eviction-purge-mode'
  >;
  featureGates: Pick<FeatureGates, 'StatefulFailoverInjection'>;
}

/** While a cluster has NoExecute taints it is looked at this often, in milliseconds. */
export const TAINTED_CLUSTER_RESYNC = 10_000;

/**
 * The taints of a cluster for which the taint manager looks at the cluster's bindings; none means it does
 * not, and does not come back to the cluster either.
 */
export function taintsInForce(
  cluster: Cluster | undefined,
  configuration: TaintManagerConfiguration,
): Taint[] {
  if (!configuration.controllerManager['enable-no-execute-taint-eviction']) return [];
  return noExecuteTaints(cluster?.spec?.taints);
}

export type EnqueueDecision =
  | { kind: 'immediate' }
  /** that many milliseconds from now */
  | { kind: 'after'; milliseconds: number }
  | { kind: 'skip' };

/**
 * What happens to a pair of a tainted cluster and one of its bindings when an event of the cluster arrives:
 * into the eviction queue now, at the end of a toleration, or not at all because the toleration has no end.
 * A binding whose applied placement is missing or broken goes in: processing it then fails.
 *
 * @param taints the NoExecute taints of the cluster
 * @param now epoch milliseconds
 */
export function enqueueDecision(
  taints: readonly Taint[],
  binding: ResourceBinding,
  now: number,
  evidence?: Evidence[],
): EnqueueDecision {
  if (taints.length === 0) return { kind: 'skip' };
  const applied = appliedPlacement(binding.metadata);
  if ('error' in applied || !applied.placement) {
    evidence?.push(missingPlacementEvidence(binding));
    return { kind: 'immediate' };
  }
  const decision = noExecuteDecision(taints, applied.placement.clusterTolerations ?? [], now, evidence);
  switch (decision.kind) {
    case 'evict':
      return { kind: 'immediate' };
    case 'wait':
      return { kind: 'after', milliseconds: decision.milliseconds };
    case 'stay':
      return { kind: 'skip' };
  }
}

export type PairOutcome =
  | { kind: 'none' }
  /** tolerated that many milliseconds from now, then the pair is looked at again */
  | { kind: 'wait'; milliseconds: number }
  /** nothing is written and the pair is retried with back-off */
  | { kind: 'error'; message: string }
  /** the binding's spec without the cluster, with a graceful eviction task */
  | { kind: 'evict'; spec: ResourceBindingSpec };

export interface TaintedPair {
  clusterName: string;
  /** absent when the Cluster object is gone */
  cluster: Cluster | undefined;
  binding: ResourceBinding;
  /** epoch milliseconds */
  now: number;
  configuration: TaintManagerConfiguration;
}

/**
 * One run of the taint manager for a cluster and a binding (Karmada v1.18, syncBindingEviction; the same for
 * both kinds of binding). Everything is judged anew: what changed while the pair waited in the queue counts.
 */
export function processTaintedPair(pair: TaintedPair, evidence?: Evidence[]): PairOutcome {
  const { clusterName, cluster, binding, now, configuration } = pair;
  if (binding.metadata.deletionTimestamp) return { kind: 'none' };
  if (!binding.spec.clusters?.some(({ name }) => name === clusterName)) return { kind: 'none' };

  const applied = appliedPlacement(binding.metadata);
  if ('error' in applied || !applied.placement) {
    evidence?.push(missingPlacementEvidence(binding));
    const message =
      'error' in applied ? applied.error : 'the applied placement for ResourceBining can not be empty';
    return { kind: 'error', message };
  }

  const taints = taintsInForce(cluster, configuration);
  const decision = noExecuteDecision(taints, applied.placement.clusterTolerations ?? [], now, evidence);
  if (decision.kind === 'wait') return decision;
  if (decision.kind === 'stay') return { kind: 'none' };

  const { failover } = binding.spec;
  const preserved = configuration.featureGates.StatefulFailoverInjection
    ? preservedLabelStateOnCluster(
        failover?.cluster?.statePreservation,
        binding.status?.aggregatedStatus,
        clusterName,
      )
    : undefined;
  if (preserved && 'error' in preserved) {
    evidence?.push({
      rule: 'an eviction waits until the state that it is to preserve can be read',
      field: 'status.aggregatedStatus',
      value: preserved.error,
    });
    return { kind: 'error', message: preserved.error };
  }
  const purgeMode = taintEvictionPurgeMode(failover, configuration, evidence);
  return {
    kind: 'evict',
    spec: evictCluster(binding.spec, clusterName, {
      purgeMode,
      producer: EVICTION_PRODUCER_TAINT_MANAGER,
      reason: EVICTION_REASON_TAINT_UNTOLERATED,
      preservedLabelState: preserved?.labels,
    }),
  };
}

/** A policy's failover.cluster decides, empty meaning Gracefully; without it the controller manager's flag. */
export function taintEvictionPurgeMode(
  failover: FailoverBehavior | undefined,
  configuration: Pick<TaintManagerConfiguration, 'controllerManager'>,
  evidence?: Evidence[],
): PurgeMode {
  if (failover?.cluster) {
    const purgeMode = failover.cluster.purgeMode || 'Gracefully';
    evidence?.push({
      rule: 'the purge mode is that of the policy',
      field: 'spec.failover.cluster.purgeMode',
      value: purgeMode,
    });
    return purgeMode;
  }
  const flag = configuration.controllerManager['no-execute-taint-eviction-purge-mode'];
  evidence?.push({
    rule: 'the purge mode is that of the controller manager',
    field: 'no-execute-taint-eviction-purge-mode',
    value: flag,
  });
  return flag === 'Directly' ? 'Directly' : 'Gracefully';
}

function missingPlacementEvidence({ metadata }: ResourceBinding): Evidence {
  const value = metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION];
  return {
    rule: value
      ? 'the annotation with the applied placement cannot be read: its tolerations are unknown'
      : 'no scheduler has written the applied placement: the tolerations are unknown',
    field: `metadata.annotations["${APPLIED_PLACEMENT_ANNOTATION}"]`,
    value,
  };
}
