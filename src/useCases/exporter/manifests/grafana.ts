const panel = (
  id: number,
  type: 'stat' | 'timeseries' | 'table',
  title: string,
  queries: readonly (readonly [expr: string, legend: string])[],
  unit = 'short',
) => ({
  id,
  type,
  title,
  datasource: { type: 'prometheus', uid: '${datasource}' },
  fieldConfig: { defaults: { unit }, overrides: [] },
  gridPos: { h: 8, w: 12, x: (id % 2) * 12, y: Math.floor(id / 2) * 8 },
  targets: queries.map(([expr, legendFormat], at) => ({
    refId: String.fromCharCode(65 + at),
    expr,
    legendFormat,
    ...(type === 'table' && { format: 'table', instant: true }),
  })),
});

export const grafanaDashboard = {
  uid: 'karmada-failover-audit',
  title: 'Karmada failover: what would be lost',
  tags: ['karmada'],
  schemaVersion: 39,
  refresh: '1m',
  time: { from: 'now-24h', to: 'now' },
  templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
  panels: [
    panel(0, 'stat', 'Workloads that survive each contingency', [
      ['karmada_failover_workloads_covered', 'covered'],
      ['karmada_failover_workloads', 'all'],
    ]),
    panel(1, 'timeseries', 'Workloads in trouble if a cluster fails', [
      [
        'topk(10, sum by (cluster) (karmada_failover_loss_workloads{trouble=~"lost|down|blocked|flaps"}))',
        '{{cluster}}',
      ],
    ]),
    panel(2, 'timeseries', 'Causes', [['sum by (cause) (karmada_failover_cause_workloads)', '{{cause}}']]),
    panel(
      3,
      'timeseries',
      'Headroom after the worst contingency',
      [['bottomk(10, karmada_failover_headroom_ratio{when="worst"})', '{{cluster}} {{resource}}']],
      'percentunit',
    ),
    panel(4, 'timeseries', 'Eviction tasks', [['karmada_failover_eviction_tasks', '{{state}}']]),
    panel(5, 'table', 'Workloads with the worst outcomes', [['karmada_failover_workload_at_risk', '']]),
    panel(6, 'timeseries', 'Age of the audit', [['karmada_failover_audit_age_seconds', 'age']], 's'),
    panel(7, 'timeseries', "Karmada's eviction queue", [['eviction_queue_depth', '{{name}}']]),
  ],
};
