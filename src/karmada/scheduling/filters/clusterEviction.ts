import { instant, rfc3339 } from '../../../kubernetes/time.ts';
import type { Cluster } from '../../api/cluster.ts';
import { BLOCK_PREDECESSOR_SECONDS } from '../../api/policy.ts';
import type { ActiveEvictionHistory, ResourceBindingSpec } from '../../api/work.ts';
import type { Evidence } from '../../evidence.ts';
import { notNamed } from '../../selection/clusterAffinity.ts';
import { type Filter, rejectAll } from './filter.ts';

const CLUSTER_EVICTION_REASON = 'cluster(s) is in the process of eviction';

/** Rejects clusters that a graceful eviction task of the binding names, even those in the scheduling result. */
export const clusterEviction: Filter = {
  plugin: 'ClusterEviction',
  spares: 'none',
  demands: ({ gracefulEvictionTasks: tasks }) =>
    tasks?.length
      ? [rejectAll(CLUSTER_EVICTION_REASON, notNamed(tasks.map(({ fromCluster }) => fromCluster)))]
      : [],
  evidence: (spec, _status, cluster) => clusterEvictionEvidence(spec, cluster),
};

/** The task that names the cluster. */
function clusterEvictionEvidence(spec: ResourceBindingSpec, cluster: Cluster): Evidence[] {
  return (spec.gracefulEvictionTasks ?? []).flatMap((task, index): Evidence | [] => {
    const { fromCluster, reason, producer } = task;
    if (fromCluster !== cluster.metadata.name) return [];
    return {
      rule: `has an eviction task (${[reason, producer].filter(Boolean).join(', by ')})`,
      field: `spec.gracefulEvictionTasks[${index}].fromCluster`,
      value: fromCluster,
    };
  });
}

// Application failover mechanism: for blockPredecessorSeconds (0: permanently) the scheduler filters out clusters in
// spec.activeEvictionHistory, from which application failover has evicted the workload. The document does not name the
// plugin. Filters have no clock, so they get the history as of an instant.

const EVICTION_HISTORY_REASON = 'cluster(s) had the application evicted after a failure';

/**
 * The spec with only those history entries that block at `now` (epoch milliseconds), for filters; the same spec if all
 * of them do.
 */
export function withBlocksAt(spec: ResourceBindingSpec, now: number): ResourceBindingSpec {
  const history = spec.activeEvictionHistory;
  if (!history?.length) return spec;
  const blocking = history.filter((entry) => now < blockedUntil(entry, spec));
  return blocking.length === history.length ? spec : { ...spec, activeEvictionHistory: blocking };
}

/** When an entry stops blocking, in epoch milliseconds; Infinity if it blocks permanently or has no time. */
function blockedUntil(
  { creationTimestamp }: ActiveEvictionHistory,
  spec: Pick<ResourceBindingSpec, 'failover'>,
): number {
  const seconds = blockSecondsOf(spec);
  return seconds === 0 || !creationTimestamp ? Infinity : instant(creationTimestamp) + seconds * 1000;
}

/** blockPredecessorSeconds, or its default; 0: permanently. */
export function blockSecondsOf({ failover }: Pick<ResourceBindingSpec, 'failover'>): number {
  return failover?.application?.blockPredecessorSeconds ?? BLOCK_PREDECESSOR_SECONDS;
}

/** Rejects clusters that the history names, even those in the result. */
export const evictionHistory: Filter = {
  plugin: 'ActiveEvictionHistory',
  spares: 'none',
  demands: ({ activeEvictionHistory: history }) =>
    history?.length
      ? [rejectAll(EVICTION_HISTORY_REASON, notNamed(history.map(({ clusterName }) => clusterName)))]
      : [],
  evidence: (spec, _status, cluster) => evictionHistoryEvidence(spec, cluster),
};

/** The entries that name the cluster, with the time at which each stops blocking. */
function evictionHistoryEvidence(spec: ResourceBindingSpec, { metadata }: Cluster): Evidence[] {
  return (spec.activeEvictionHistory ?? []).flatMap((entry, index): Evidence | [] => {
    if (entry.clusterName !== metadata.name) return [];
    const until = blockedUntil(entry, spec);
    const end = until === Infinity ? 'permanently' : `until ${rfc3339(until)}`;
    return {
      rule: `is blocked ${end}: the application failed there (blockPredecessorSeconds)`,
      field: `spec.activeEvictionHistory[${index}].creationTimestamp`,
      value: entry.creationTimestamp ?? null,
    };
  });
}
