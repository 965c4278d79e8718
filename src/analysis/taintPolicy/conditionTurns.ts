import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Condition } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { targets } from '../../karmada/taints/clusterTaintPolicy.ts';
import { namedConditions } from '../../karmada/taints/policyFields.ts';
import { taintWindows } from '../../karmada/taints/windows/taintWindows.ts';
import { STATUSES } from './conditionLists.ts';
import { doesSomething, lookAtCluster, type ClusterLook } from './clusterLook.ts';

/** A condition with a new status. */
export interface TurnedCondition {
  type: string;
  status: string;
}

/** What Karmada does to a cluster's taints after a condition has changed. */
export interface ConditionTurn {
  condition: TurnedCondition;
  /** the status that it has now; absent: the cluster has no condition of that type */
  from?: string;
  look: ClusterLook;
}

/**
 * What would happen to a cluster at each change of a condition that one of its policies names: every such type with
 * every other status that Kubernetes knows. Leaves out changes without an effect.
 *
 * @param now epoch milliseconds
 */
export function conditionTurns(
  cluster: Cluster,
  policies: readonly ClusterTaintPolicy[],
  configuration: Configuration,
  now: number,
): ConditionTurn[] {
  const own = policies.filter((policy) => targets(policy, cluster, configuration.rules.scheduling));
  const named = new Set(own.flatMap(namedConditions).map(({ conditionType }) => conditionType));
  return [...named].flatMap((type) =>
    STATUSES.filter((status) => statusOf(cluster, type) !== status)
      .map((status) => conditionTurn(cluster, policies, { type, status }, configuration, now))
      .filter(({ look }) => doesSomething(look)),
  );
}

/**
 * What would happen to a cluster if one of its conditions had another status.
 *
 * @param now epoch milliseconds
 */
export function conditionTurn(
  cluster: Cluster,
  policies: readonly ClusterTaintPolicy[],
  condition: TurnedCondition,
  configuration: Configuration,
  now: number,
): ConditionTurn {
  const from = statusOf(cluster, condition.type);
  const { api, scheduling } = configuration.rules;
  // A window that runs may outlast the change.
  const memory =
    api.taintPolicyForm === 'windows'
      ? taintWindows(cluster, policies, undefined, now, scheduling).memory
      : undefined;
  const second = Math.floor(now / 1000) * 1000;
  const turned = withCondition(cluster, condition, second);
  return {
    condition,
    ...(from !== undefined && { from }),
    look: lookAtCluster(turned, policies, configuration, second, memory),
  };
}

/** The first condition of a type is the one that Karmada's own controllers read. */
function statusOf(cluster: Cluster, type: string): string | undefined {
  return conditionOf(cluster.status?.conditions, type)?.status;
}

/** A cluster with one condition changed, or new, as of `now` (epoch milliseconds). */
export function withCondition(cluster: Cluster, { type, status }: TurnedCondition, now: number): Cluster {
  const others = (cluster.status?.conditions ?? []).filter((condition) => condition.type !== type);
  const turned = { type, status: status as Condition['status'], lastTransitionTime: rfc3339(now) };
  return { ...cluster, status: { ...cluster.status, conditions: [...others, turned] } };
}
