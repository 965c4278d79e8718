import { identityOf } from '../../../../karmada/objects/identities.ts';
import { finding, firstNames } from '../about.ts';
import type { StateCheck } from '../stateCheck.ts';

/** Metrics that Karmada's components export without a prefix (pkg/metrics of v1.18). */
const UNPREFIXED = new Set([
  ...['binding_sync_work_duration_seconds', 'cluster_cpu_allocatable_number', 'cluster_cpu_allocated_number'],
  ...['cluster_memory_allocatable_bytes', 'cluster_memory_allocated_bytes', 'cluster_node_number'],
  ...['cluster_pod_allocatable_number', 'cluster_pod_allocated_number', 'cluster_ready_node_number'],
  ...['cluster_ready_state', 'cluster_sync_status_duration_seconds', 'eviction_kind_total'],
  ...['eviction_processing_latency_seconds', 'eviction_processing_total', 'eviction_queue_depth'],
  ...['cronfederatedhpa_process_duration_seconds', 'cronfederatedhpa_rule_process_duration_seconds'],
  ...['federatedhpa_process_duration_seconds', 'federatedhpa_pull_metrics_duration_seconds'],
  ...['policy_apply_attempts_total', 'policy_preemption_total', 'resource_apply_policy_duration_seconds'],
  ...['resource_match_policy_duration_seconds', 'work_sync_workload_duration_seconds'],
]);

/** Metrics with that prefix, from v1.10 on, and those of our exporter. */
const PREFIXED = new RegExp(
  `^karmada_(${[
    ...['build_info', 'failover_[a-z0-9_]+'],
    'scheduler_(schedule_attempts_total|(e2e_scheduling|scheduling_algorithm)_duration_seconds|queue_incoming_bindings_total|(framework_extension_point|plugin_execution)_duration_seconds)',
    'scheduler_estimator_estimating_(request_total|(algorithm|plugin_extension_point|plugin_execution)_duration_seconds)',
  ].join('|')})$`,
);

export const alertOnUnknownMetric: StateCheck = {
  id: 'alert-on-unknown-metric',
  lints: 'manifests',
  severity: 'warning',
  theme: 'observability',
  title: 'an alert queries a metric that Karmada does not export',
  help: "Karmada's own guide queries karmada_eviction_queue_depth and others; the components export them without the prefix karmada_. Unless Prometheus renames them, the alert never fires.",
  needs: ['PrometheusRule'],
  symptoms: ['KarmadaEvictionQueueGrowing never fires', 'no data in a panel about evictions'],
  issues: [6852],
  find: (seen) => {
    const read = seen.othersOf('PrometheusRule');
    const recorded = new Set(
      read.flatMap(({ spec }) =>
        (spec?.groups ?? []).flatMap(({ rules = [] }) => rules.map(({ record }) => record)),
      ),
    );
    return read.flatMap((object) =>
      (object.spec?.groups ?? []).flatMap(({ rules = [] }, group) =>
        rules.flatMap(({ alert, record, expr = '' }, at) => {
          // Excludes label values, and metrics of recording rules: those in the state or, by their colon, elsewhere.
          const queried =
            String(expr)
              .replaceAll(/"[^"]*"|'[^']*'/g, '')
              .match(/\bkarmada_[\w:]+/g) ?? [];
          const plain = (metric: string) => metric.replace(/_(bucket|sum|count)$/, '');
          const all = [...new Set(queried)].filter(
            (one) => !one.includes(':') && !recorded.has(one) && !PREFIXED.test(plain(one)),
          );
          const wrong = all.filter((one) => UNPREFIXED.has(plain(one).slice('karmada_'.length)));
          const unknown = all.filter((one) => !wrong.includes(one));
          if (all.length === 0) return [];
          const identity = identityOf(object);
          const right = wrong.map((metric) => metric.slice('karmada_'.length));
          return finding(
            [identity],
            `${alert ? `alert ${alert}` : `rule ${record ?? ''}`} queries ${
              wrong.length > 0
                ? `${firstNames(wrong)}; Karmada exports ${firstNames(right)}, without the prefix: it never fires`
                : `${firstNames(unknown)}, which no component of Karmada exports`
            }`,
            {
              rule: 'no component exports such a metric',
              object: identity,
              field: `spec.groups[${group}].rules[${at}].expr`,
              value: expr,
            },
            wrong.length > 0
              ? `query ${firstNames(right)}, or let Prometheus rename it`
              : 'correct the name, unless another program exports it',
            // Another program may export it.
            wrong.length > 0 ? undefined : 'note',
          );
        }),
      ),
    );
  },
};
