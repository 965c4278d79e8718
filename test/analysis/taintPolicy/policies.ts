import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Condition, Taint } from '../../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy, ClusterTaintPolicySpec } from '../../../src/karmada/api/policy.ts';
import { usualReadiness } from '../../../src/karmada/detection/readiness.ts';
import {
  leftBehind,
  planTaintRemoval,
  type RemovalPlan,
} from '../../../src/analysis/taintPolicy/removalPlan.ts';
import { policiesAround } from '../../../src/analysis/taintPolicy/policyChange.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { cluster, failoverOn, START } from '../../simulator/simulation/controlPlane.ts';

/** Failover with a webhook that admits NoExecute. */
export const allowed: Configuration = {
  ...failoverOn,
  webhook: { ...failoverOn.webhook, 'allow-no-execute-taint-policy': true },
};

export const OLD = '2026-08-02T00:00:00Z';

export function taintPolicy(
  name: string,
  spec: ClusterTaintPolicySpec,
  creationTimestamp = OLD,
): ClusterTaintPolicy {
  return { metadata: { name, creationTimestamp }, spec };
}

export { match as when } from '../../karmada/taints/windows/windows.ts';

/** "key=value:NoExecute" */
export function taint(text: string, timeAdded?: string): Taint {
  const [pair = '', effect = ''] = text.split(':');
  const [key = '', value] = pair.split('=');
  return { key, ...(value && { value }), effect: effect as Taint['effect'], ...(timeAdded && { timeAdded }) };
}

/** A cluster with conditions such as "Ready=True" in addition to its default ones. */
export function member(
  name: string,
  { taints = [], conditions = [] }: { taints?: Taint[]; conditions?: string[] } = {},
): Cluster {
  const one = cluster(name, taints);
  const own = conditions.map((text): Condition => {
    const [type = '', status = ''] = text.split('=');
    return { type, status: status as Condition['status'], reason: 'Told', lastTransitionTime: OLD };
  });
  const types = new Set(own.map(({ type }) => type));
  // As Karmada writes it, so that no probe finds a change.
  const ready: Condition = {
    type: 'Ready',
    ...usualReadiness('True'),
    status: 'True',
    lastTransitionTime: OLD,
  };
  const others = types.has('Ready') ? [] : [ready];
  return { ...one, status: { ...one.status, conditions: [...others, ...own] } };
}

export function fleet(clusters: Cluster[], taintPolicies: ClusterTaintPolicy[] = []): World {
  return { clusters, bindings: [], works: [], policies: [], taintPolicies, others: [] };
}

/** What is removed once these policies are deleted. */
export function removalAfterDeletion(
  { clusters, taintPolicies }: World,
  names: readonly string[],
): RemovalPlan {
  const around = policiesAround(taintPolicies, { deleted: names }, START);
  return planTaintRemoval(leftBehind(clusters, around, allowed.rules), clusters);
}
