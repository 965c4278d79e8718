import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ConditionStatus, ObjectIdentity, TaintEffect } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy, MatchCondition } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import {
  TAINT_CLUSTER_NOT_READY,
  TAINT_CLUSTER_TERMINATING,
  TAINT_CLUSTER_UNREACHABLE,
} from '../../karmada/api/names.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import { clusterMatches } from '../../karmada/selection/clusterAffinity.ts';
import { listedTaints, targetOf, windowSeconds } from '../../karmada/taints/policyFields.ts';

/** The rule by which a controller adds a taint to clusters, and when. */
export interface TaintRule {
  by: ObjectIdentity | 'cluster-controller';
  taints: string[];
  /** conditions in words, "Ready In [False]"; all must hold */
  addedWhen: string[];
  removedWhen: string[];
  /** the present clusters that it applies to; null: all, including future ones */
  clusters: string[] | null;
}

/** The rules that add and remove taints: Karmada's own first, then those of policies in the given order. */
export function taintRules(
  policies: readonly ClusterTaintPolicy[],
  clusters: readonly Cluster[],
  configuration: Configuration,
): TaintRule[] {
  return [
    ...builtInRules(configuration),
    ...policies.flatMap((policy) => policyRules(policy, clusters, configuration)),
  ];
}

/**
 * The cluster controller's own taints: NoSchedule whatever the gates, except in the design; up to v1.13 also NoExecute,
 * on clusters that have failed for --failover-eviction-timeout (never without the gate Failover) and on terminating
 * clusters.
 */
function builtInRules({ rules, featureGates, controllerManager }: Configuration): TaintRule[] {
  const rule = (key: string, effect: TaintEffect, addedWhen: string[], removedWhen: string[]): TaintRule => ({
    by: 'cluster-controller',
    taints: [formatTaint({ key, effect })],
    addedWhen,
    removedWhen,
    clusters: null,
  });
  const result =
    rules.taints.readinessTaints === 'automatic'
      ? [
          rule(TAINT_CLUSTER_NOT_READY, 'NoSchedule', ['Ready is False or absent'], ['Ready is not False']),
          rule(TAINT_CLUSTER_UNREACHABLE, 'NoSchedule', ['Ready is Unknown'], ['Ready is not Unknown']),
        ]
      : [];
  if (rules.taints.failureTaints === 'automatic') {
    const failed = (status: ConditionStatus) =>
      `${status} for longer than ${formatDuration(controllerManager['failover-eviction-timeout'])}`;
    const after = (key: string, status: ConditionStatus, other: ConditionStatus) =>
      featureGates.Failover
        ? rule(key, 'NoExecute', [`Ready is ${failed(status)}`], [`Ready is True, or ${failed(other)}`])
        : rule(key, 'NoExecute', [], ['Ready is True']);
    result.push(
      after(TAINT_CLUSTER_NOT_READY, 'False', 'Unknown'),
      after(TAINT_CLUSTER_UNREACHABLE, 'Unknown', 'False'),
    );
  }
  if (rules.taints.deletedClusters === 'terminatingTaint')
    result.push(rule(TAINT_CLUSTER_TERMINATING, 'NoExecute', ['the Cluster is being deleted'], []));
  return result;
}

/** One rule for all taints of a policy; in the design's form one rule per taint, each with its own windows. */
function policyRules(
  policy: ClusterTaintPolicy,
  clusters: readonly Cluster[],
  { rules }: Configuration,
): TaintRule[] {
  const { metadata, spec } = policy;
  const target = targetOf(policy);
  const common = {
    by: { kind: 'ClusterTaintPolicy', name: metadata.name },
    clusters: target
      ? clusters
          .filter((one) => clusterMatches(one, target, rules.scheduling))
          .map((one) => one.metadata.name)
      : null,
  };
  if (rules.api.taintPolicyForm !== 'windows')
    return [
      {
        ...common,
        taints: listedTaints(policy).map((taint) => formatTaint(taint)),
        addedWhen: (spec.addOnConditions ?? []).map(conditionText),
        removedWhen: (spec.removeOnConditions ?? []).map(conditionText),
      },
    ];
  const conditions = (spec.matchConditions ?? []).map(conditionText);
  return (spec.taintsToAdd ?? []).map((taint) => ({
    ...common,
    taints: [formatTaint(taint)],
    addedWhen: [
      ...conditions,
      `for ${inWords(windowSeconds(taint).add)}${conditions.length > 0 ? ' without interruption' : ' in any case'}`,
    ],
    removedWhen:
      conditions.length > 0 ? [`the condition is false for ${inWords(windowSeconds(taint).remove)}`] : [],
  }));
}

function inWords(seconds: number): string {
  return formatDuration(seconds * 1000);
}

function conditionText({ conditionType, operator, statusValues = [] }: MatchCondition): string {
  return `${conditionType} ${operator} [${statusValues.join(' ')}]`;
}
