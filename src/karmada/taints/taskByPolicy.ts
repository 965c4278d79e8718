import type { ClusterFailoverBehavior } from '../api/policy.ts';
import type { Rules } from '../dialects/rules.ts';
import type { Evidence } from '../evidence.ts';
import { type EvictionTaskOptions, purgesGracefully } from '../eviction/evictionTasks.ts';

/**
 * The fields, besides the purge mode, that failover.cluster sets in the task of a taint eviction: a grace period in a
 * graceful mode, the default; in mode Never the old copy stays until it is deleted manually. None in versions where it
 * sets only the purge mode. Design configurable-cluster-failover.
 *
 * @param failover spec.failover.cluster, from the deciding terms
 */
export function taskByPolicy(
  failover: ClusterFailoverBehavior | undefined,
  rules: Rules,
  evidence?: Evidence[],
): Pick<EvictionTaskOptions, 'gracePeriodSeconds' | 'suppressDeletion'> {
  if (!rules.taints.taskByPolicy || !failover) return {};
  const { purgeMode = 'Graciously', gracePeriodSeconds } = failover;
  if (purgeMode === 'Never') {
    evidence?.push({
      rule: 'the old copy stays until it is deleted manually',
      field: 'spec.failover.cluster.purgeMode',
      value: purgeMode,
    });
    return { suppressDeletion: true };
  }
  if (gracePeriodSeconds === undefined || !purgesGracefully(purgeMode, rules)) return {};
  evidence?.push({
    rule: 'the grace period of the task comes from the policy',
    field: 'spec.failover.cluster.gracePeriodSeconds',
    value: gracePeriodSeconds,
  });
  return { gracePeriodSeconds };
}
