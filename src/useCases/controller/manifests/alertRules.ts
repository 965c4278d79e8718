import { NAME } from './controlPlaneManifests.ts';

const alert = (name: string, expr: string, minutes: number, severity: string, summary: string) => ({
  alert: name,
  expr,
  for: `${minutes}m`,
  labels: { severity },
  annotations: { summary },
});

/** Rules for Prometheus about the controllers, by the metrics that they serve. */
export const alertRules = [
  {
    name: NAME,
    rules: [
      alert(
        'KarmadaFailoverNoLeader',
        `absent(leader_election_master_status{name="${NAME}"} == 1)`,
        ...([2, 'critical', 'No failover controller leads: nothing is tainted or evicted.'] as const),
      ),
      alert(
        'KarmadaFailoverTwoLeaders',
        `sum(leader_election_master_status{name="${NAME}"}) > 1`,
        ...([1, 'critical', 'More than one failover controller says that it leads.'] as const),
      ),
      alert(
        'KarmadaFailoverEvictionsFail',
        'rate(eviction_processing_total{result="error"}[5m]) > 0',
        ...([10, 'warning', 'Evictions have failed for ten minutes.'] as const),
      ),
      alert(
        'KarmadaFailoverQueueGrows',
        'eviction_queue_depth > 0 and delta(eviction_queue_depth[10m]) >= 0',
        ...([15, 'warning', 'Workloads wait for their eviction, and the queue gets no shorter.'] as const),
      ),
      alert(
        'KarmadaFailoverLeaseLost',
        'increase(karmada_failover_leadership_lost_total[15m]) > 1',
        ...([1, 'warning', 'The Lease was lost more than once in a quarter of an hour.'] as const),
      ),
    ],
  },
];
