import { isCovered, meetsTarget } from '../../analysis/audit/auditedWorkload.ts';
import { TROUBLES } from '../../analysis/audit/trouble.ts';
import type { Metrics } from '../../kubernetes/observation.ts';
import type { FollowedAudit } from './followAudit.ts';

/**
 * The results as metrics. The number of series is bounded by clusters, resources, causes and troubles, plus the worst
 * `top` workloads, however many run there.
 */
export function auditMetrics({ set }: Pick<Metrics, 'set'>, followed: FollowedAudit, top: number): void {
  const standing = followed.standing();
  const isUp = followed.notReady() === undefined;
  set('karmada_failover_exporter_up', 'Whether the control plane is connected and audited.', isUp ? 1 : 0);
  if (!standing) return;
  const { audit, failover, tasks, took, now } = standing;
  set('karmada_failover_audit_timestamp_seconds', 'Instant of the state that was audited last.', now / 1000);
  set(
    'karmada_failover_audit_age_seconds',
    'Seconds for which the metrics may have been stale: 0 if nothing has changed since the audit.',
    (followed.age() ?? 0) / 1000,
  );
  set('karmada_failover_audit_duration_seconds', 'Duration of the last audit.', took);
  const { coverage, contingencies, workloads, clusters, causes } = audit;
  set('karmada_failover_workloads', 'Workloads that are on some cluster.', coverage.workloads);
  set(
    'karmada_failover_workloads_covered',
    'Workloads that no contingency leaves lost, down, blocked or flapping.',
    coverage.covered,
  );
  set(
    'karmada_failover_workloads_over_target',
    'Workloads that miss their recovery target in some contingency.',
    workloads.filter((one) => meetsTarget(one) === false).length,
  );
  set(
    'karmada_failover_on',
    'Whether the workloads of a failed cluster are evicted: 1 of each, 0.5 of some, 0 of none, or unknown.',
    ({ on: 1, partly: 0.5 } as Record<string, number>)[failover.state] ?? 0,
    { state: failover.state },
  );
  for (const { name, kind, troubles } of contingencies)
    if (kind === 'cluster')
      for (const trouble of TROUBLES)
        set(
          'karmada_failover_loss_workloads',
          'Workloads in trouble if this cluster fails.',
          ...([troubles[trouble] ?? 0, { cluster: name, trouble }] as const),
        );
  const byCause = new Map<string, { cause: string; trouble: string; count: number }>();
  for (const { code, trouble, workloads: ofCause } of causes) {
    const known = byCause.get(`${code} ${trouble}`) ?? { cause: code, trouble, count: 0 };
    byCause.set(`${code} ${trouble}`, { ...known, count: known.count + ofCause.length });
  }
  for (const { cause, trouble, count } of byCause.values())
    set(
      'karmada_failover_cause_workloads',
      'Workloads by the cause of their worst outcome in any contingency.',
      ...([count, { cause, trouble }] as const),
    );
  for (const { name, headroom } of clusters)
    for (const { resource, allocatable, free, worst } of headroom) {
      if (allocatable <= 0) continue;
      const help =
        'The free share of the allocatable resources of a cluster, today and after the worst contingency.';
      const shares = { today: free, worst: worst?.free ?? free };
      for (const [when, left] of Object.entries(shares))
        set('karmada_failover_headroom_ratio', help, left / allocatable, { cluster: name, resource, when });
    }
  for (const [state, count] of Object.entries(tasks))
    set('karmada_failover_eviction_tasks', 'Graceful eviction tasks by state.', count as number, {
      state: state === 'aboutToLose' ? 'about-to-lose' : state,
    });
  for (const { workload, worst } of workloads.filter((one) => !isCovered(one) && one.worst).slice(0, top))
    set(
      'karmada_failover_workload_at_risk',
      'The workloads with the worst outcomes, and the contingency that causes them.',
      1,
      {
        namespace: workload.namespace ?? '',
        workload_kind: workload.kind,
        workload: workload.name,
        trouble: worst!.trouble,
        contingency: worst!.contingency,
        cause: worst!.cause.code,
      },
    );
}
