import type { AggregatedStatusItem, ResourceBindingSpec } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';
import { formatDuration, instant, rfc3339 } from '../../kubernetes/time.ts';
import type { Evidence } from '../evidence.ts';

/** Why application failover has not started for a cluster. */
interface HeldBack {
  /** epoch milliseconds when it starts by time alone; absent: something must change first */
  until?: number;
  evidence: Evidence[];
}

/**
 * Why preConditions hold back application failover on a cluster; undefined if all of them hold, or if the version has
 * none (Application failover mechanism). Until then no toleration runs.
 *
 * @param item what the cluster has reported
 * @param now epoch milliseconds
 */
export function failsPreConditions(
  { failover }: ResourceBindingSpec,
  item: AggregatedStatusItem,
  { application }: Rules,
  now: number,
): HeldBack | undefined {
  const { delaySeconds, healthyState } = failover?.application?.preConditions ?? {};
  if (!application.preConditions) return undefined;
  const start = startOf(item, delaySeconds);
  const early = start !== undefined && now < start;
  const unsettled = Boolean(healthyState) && !item.settled;
  if (!early && !unsettled) return undefined;
  return {
    ...(early && start < Infinity && !unsettled && { until: start }),
    evidence: [
      ...(early ? [delayEvidence(item.clusterName, start, delaySeconds!)] : []),
      ...(unsettled ? [unsettledEvidence(item.clusterName, healthyState!)] : []),
    ],
  };
}

/**
 * When the delay ends, in epoch milliseconds; infinite if the status does not say since when it is collected. Undefined
 * without a delay.
 */
export function startOf(
  { creationTimestamp }: AggregatedStatusItem,
  delaySeconds: number | undefined,
): number | undefined {
  if (delaySeconds === undefined) return undefined;
  return creationTimestamp ? instant(creationTimestamp) + delaySeconds * 1000 : Infinity;
}

function delayEvidence(cluster: string, start: number, delaySeconds: number): Evidence {
  const delay = formatDuration(delaySeconds * 1000);
  return {
    rule:
      start === Infinity
        ? `not started for ${cluster}: its status has no creationTimestamp, from which the delay of ${delay} counts`
        : `not started for ${cluster} before ${rfc3339(start)}: ${delay} after its first status`,
    field: 'spec.failover.application.preConditions.delaySeconds',
    value: delaySeconds,
  };
}

function unsettledEvidence(cluster: string, healthyState: string): Evidence {
  return {
    rule: `not started for ${cluster}: it has not been ${healthyState} there yet`,
    field: 'spec.failover.application.preConditions.healthyState',
    value: healthyState,
  };
}
