/** A Prometheus alerting rule. docs/exporter.md has the response to each. */
interface AlertRule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: 'warning' | 'critical' };
  annotations: { summary: string; runbook: string };
}

const alert = (
  name: string,
  expr: string,
  minutes: number,
  severity: AlertRule['labels']['severity'],
  summary: string,
): AlertRule => ({
  alert: name,
  expr,
  for: `${minutes}m`,
  labels: { severity },
  annotations: { summary, runbook: `docs/exporter.md#${name.toLowerCase()}` },
});

const UNCOVERED = 'max by (namespace) (karmada_failover_workloads - karmada_failover_workloads_covered)';

export const auditAlerts: readonly AlertRule[] = [
  alert(
    'KarmadaFailoverRedundancyLost',
    // by namespace: a replacement Pod has its own series, without yesterday's values
    `${UNCOVERED} > min_over_time((${UNCOVERED})[1d:5m])`,
    ...([5, 'warning', 'More workloads than before would not survive the loss of a cluster.'] as const),
  ),
  alert(
    'KarmadaFailoverAboutToLose',
    'karmada_failover_eviction_tasks{state="about-to-lose"} > 0',
    ...([1, 'critical', 'An eviction in flight will delete ready replicas without a replacement.'] as const),
  ),
  alert(
    'KarmadaFailoverEvictionStuck',
    'karmada_failover_eviction_tasks{state="stuck"} > 0',
    ...([30, 'warning', 'Evictions have been stuck for half an hour.'] as const),
  ),
  alert(
    'KarmadaFailoverOff',
    'karmada_failover_on < 1',
    ...([
      15,
      'warning',
      'Karmada would not evict the workloads of a failed cluster, or only of some clusters.',
    ] as const),
  ),
  alert(
    'KarmadaFailoverNoHeadroom',
    'min by (cluster, resource) (karmada_failover_headroom_ratio{when="worst"}) < 0',
    ...([
      15,
      'warning',
      'A cluster lacks the capacity for the workloads of another one that fails.',
    ] as const),
  ),
  alert(
    'KarmadaFailoverAuditStale',
    'karmada_failover_audit_age_seconds > 300 or karmada_failover_exporter_up == 0 or absent(karmada_failover_exporter_up)',
    ...([10, 'warning', 'The audit is stale: the effect of losing a cluster is unknown.'] as const),
  ),
];

/** Alerts from Karmada's own metrics, by the names in its code: without the prefix karmada_ of its documentation. */
export const karmadaAlerts: readonly AlertRule[] = [
  alert(
    'KarmadaEvictionQueueGrowing',
    'eviction_queue_depth > 0 and delta(eviction_queue_depth[10m]) > 0',
    ...([15, 'warning', 'Workloads wait for their eviction, and the queue grows.'] as const),
  ),
  alert(
    'KarmadaEvictionProcessingLatencyHigh',
    'histogram_quantile(0.95, sum by (le) (rate(eviction_processing_latency_seconds_bucket[10m]))) > 2',
    ...([10, 'warning', 'Karmada takes more than two seconds to process an eviction.'] as const),
  ),
  alert(
    'KarmadaEvictionsFail',
    'rate(eviction_processing_total{result="error"}[5m]) > 0',
    ...([10, 'warning', 'Evictions of Karmada have failed for ten minutes.'] as const),
  ),
];

/** In the format of a rules file. */
export const alertGroups = [
  { name: 'karmada-failover-audit', rules: auditAlerts },
  { name: 'karmada-evictions', rules: karmadaAlerts },
];
