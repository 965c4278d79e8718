import type { KubernetesObject, ObjectIdentity } from '../../../karmada/api/meta.ts';
import { isAttached } from '../../../karmada/objects/dependents.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { objectKey, workloadOf, bindingIdentity } from '../../../karmada/objects/identities.ts';
import { isReady, readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import { isWorkload, placedOn } from '../../../karmada/objects/placement.ts';
import { observedAffinity } from '../../../karmada/scheduling/affinityGroups.ts';
import { autoscalers, runsDescheduler } from '../../../simulator/verdicts/autoscalers.ts';
import { formatDuration, instant, rfc3339 } from '../../../kubernetes/time.ts';
import type { ResourceBinding, Work } from '../../../karmada/api/work.ts';
import type { Examined } from './examined.ts';
import { count, named, some, someObjects } from './remedies.ts';
import type { StateCheck } from './stateCheck.ts';

const web = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };

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

interface PrometheusRule extends KubernetesObject {
  spec?: { groups?: { rules?: { alert?: string; record?: string; expr?: string | number }[] }[] };
}

const alertOnUnknownMetric: StateCheck = {
  id: 'alert-on-unknown-metric',
  lints: 'manifests',
  severity: 'warning',
  theme: 'observability',
  title: 'an alert queries a metric that Karmada does not export',
  help: "Karmada's own guide queries karmada_eviction_queue_depth and others; the components export them without the prefix karmada_. Unless Prometheus renames them, the alert never fires.",
  needs: ['PrometheusRule'],
  symptoms: ['KarmadaEvictionQueueGrowing never fires', 'no data in a panel about evictions'],
  issues: [6852],
  example: {
    patches: [
      {
        target: { kind: 'PrometheusRule', namespace: 'monitoring', name: 'karmada' },
        merge: {
          spec: {
            groups: [
              {
                rules: [{ alert: 'KarmadaEvictionQueueGrowing', expr: 'karmada_eviction_queue_depth > 100' }],
              },
            ],
          },
        },
      },
    ],
  },
  find: (seen) =>
    seen.ofKind('PrometheusRule').flatMap((object) =>
      ((object as PrometheusRule).spec?.groups ?? []).flatMap(({ rules = [] }, group) =>
        rules.flatMap(({ alert, record, expr = '' }, at) => {
          const wrong = [...new Set(String(expr).match(/\bkarmada_[a-z0-9_]+/g) ?? [])].filter((metric) =>
            UNPREFIXED.has(metric.slice('karmada_'.length).replace(/_(bucket|sum|count)$/, '')),
          );
          if (wrong.length === 0) return [];
          const { namespace, name } = object.metadata;
          const identity = { kind: 'PrometheusRule', ...(namespace && { namespace }), name };
          const right = wrong.map((metric) => metric.slice('karmada_'.length));
          return [
            {
              message: `${alert ? `alert ${alert}` : `rule ${record ?? ''}`} queries ${some(wrong)}; Karmada exports ${some(right)}, without the prefix: it never fires`,
              objects: [identity],
              evidence: [
                {
                  rule: 'no component exports such a metric',
                  object: identity,
                  field: `spec.groups[${group}].rules[${at}].expr`,
                  value: expr,
                },
              ],
              remedy: { text: `query ${some(right)}, or let Prometheus rename it` },
            },
          ];
        }),
      ),
    ),
};

/** Milliseconds by which clocks may differ. */
const SKEW = 60_000;

const clockSkew: StateCheck = {
  id: 'clock-skew',
  severity: 'warning',
  theme: 'observability',
  title: 'the clock of a component or member is ahead',
  help: 'Times lie in the future of the control plane: tolerations and deadlines count from them, and Leases of agents seem fresh when they are not. Synchronize the clocks.',
  needs: ['Cluster'],
  uses: ['Lease'],
  symptoms: ['a Pull cluster is noticed late when it fails'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'Lease', namespace: 'karmada-cluster', name: 'member3' },
        merge: { spec: { renewTime: '2026-05-04T10:30:00.000000Z' } },
      },
    ],
  },
  find: (seen) => {
    const ahead = [
      ...seen.ofKind('Lease').map((lease) => ({
        object: {
          kind: 'Lease',
          ...(lease.metadata.namespace && { namespace: lease.metadata.namespace }),
          name: lease.metadata.name,
        },
        field: 'spec.renewTime',
        time: (lease as { spec?: { renewTime?: string } }).spec?.renewTime,
      })),
      ...seen.world.clusters.map((cluster) => ({
        object: { kind: 'Cluster', name: cluster.metadata.name },
        field: 'status.conditions[Ready].lastTransitionTime',
        time: readyCondition(cluster)?.lastTransitionTime ?? undefined,
      })),
    ].filter(({ time }) => time !== undefined && instant(time) > seen.now + SKEW);
    if (ahead.length === 0) return [];
    const [first] = ahead;
    const by = formatDuration(Math.round((instant(first!.time!) - seen.now) / 1000) * 1000);
    return [
      {
        message: `${someObjects(ahead.map(({ object }) => object))}: ${first!.field} is ${by} ahead of now (${rfc3339(seen.now)}): clocks differ`,
        objects: ahead.map(({ object }) => object),
        evidence: ahead.map(({ object, field, time }) => ({
          rule: 'it lies in the future',
          object,
          field,
          value: time,
        })),
        remedy: { text: 'synchronize the clocks, or name the time of the state' },
      },
    ];
  },
};

const agentSilent: StateCheck = {
  id: 'agent-silent',
  severity: 'warning',
  theme: 'observability',
  title: 'the agent of a Pull cluster renews no Lease, and the cluster is Ready',
  help: 'karmada-controller-manager sets Ready to Unknown once an agent has been silent for cluster-monitor-grace-period. If Ready is still True, it does not run, or has just started.',
  needs: ['Lease', 'Cluster'],
  symptoms: ['the Lease in karmada-cluster is old'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'Lease', namespace: 'karmada-cluster', name: 'member3' },
        merge: { spec: { renewTime: '2026-05-04T09:00:00.000000Z' } },
      },
    ],
  },
  find: (seen) => {
    const grace = seen.configuration.controllerManager['cluster-monitor-grace-period'];
    const leases = new Map(
      seen
        .ofKind('Lease')
        .filter(({ metadata }) => metadata.namespace === 'karmada-cluster')
        .map((lease) => [lease.metadata.name, (lease as { spec?: { renewTime?: string } }).spec?.renewTime]),
    );
    return seen.world.clusters.flatMap((cluster) => {
      const { name } = cluster.metadata;
      const renewed = leases.get(name);
      if (cluster.spec?.syncMode !== 'Pull' || !isReady(cluster) || !renewed) return [];
      const age = seen.now - instant(renewed);
      if (age <= grace + SKEW) return [];
      return [
        {
          message: `the agent of ${name} has renewed no Lease for ${formatDuration(Math.round(age / 1000) * 1000)}, and Ready is still True`,
          objects: [{ kind: 'Cluster', name }],
          evidence: [
            { rule: 'Ready turns Unknown after the grace period', field: 'spec.renewTime', value: renewed },
          ],
          remedy: { text: 'see whether karmada-agent and karmada-controller-manager run' },
        },
      ];
    });
  },
};

/** Copies whose binding is elsewhere, on clusters that do not answer. */
function leftBehind(seen: Examined): { binding: ResourceBinding; cluster: string; work: Work }[] {
  return seen.bindings.flatMap((binding) => {
    const wanted = new Set(placedOn(binding.spec).map(({ name }) => name));
    return [...seen.worksOf(binding)].flatMap(([cluster, work]) => {
      const member = seen.clusters().get(cluster);
      return !wanted.has(cluster) && member && !isReady(member) && wanted.size > 0
        ? [{ binding, cluster, work }]
        : [];
    });
  });
}

const gone = {
  target: { kind: 'Cluster', name: 'member3' },
  merge: {
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'Unknown',
          reason: 'AgentSilent',
          lastTransitionTime: '2026-05-04T09:58:00Z',
        },
      ],
    },
  },
};
const leftWork = (more: object = {}) => ({
  patches: [gone],
  adds: [
    {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: {
        namespace: 'karmada-es-member3',
        name: 'web-5d4f',
        labels: { 'resourcebinding.karmada.io/permanent-id': 'b1' },
        annotations: {
          'resourcebinding.karmada.io/namespace': 'shop',
          'resourcebinding.karmada.io/name': 'web-deployment',
        },
        ...more,
      },
      spec: {},
    },
  ],
});

const runsTwice: StateCheck = {
  id: 'runs-twice-after-partition',
  severity: 'warning',
  theme: 'recovery',
  title: 'a workload may run twice: here, and on a cluster that does not answer',
  help: 'A cluster that is cut off keeps running what was evicted from it, until it answers again and the old copy is deleted. For workloads that must run once, fence the cluster.',
  needs: ['ResourceBinding', 'Work', 'Cluster'],
  symptoms: ['two copies write to the same database after a network partition'],
  issues: [5788, 6495],
  example: leftWork(),
  find: (seen) => {
    const copies = leftBehind(seen).filter(({ binding }) => isWorkload(binding.spec));
    const byCluster = new Map<string, ResourceBinding[]>();
    for (const { binding, cluster } of copies) getOrAdd(byCluster, cluster, () => []).push(binding);
    return [...byCluster].map(([cluster, bindings]) => {
      const objects = bindings.map(workloadOf);
      const since = readyCondition(seen.clusters().get(cluster))?.lastTransitionTime;
      return {
        message: `${someObjects(objects)} may still run on ${cluster}, which does not answer${since ? ` since ${since}` : ''}, besides the new copy`,
        objects: [{ kind: 'Cluster', name: cluster }, ...objects],
        evidence: [
          {
            rule: 'its Work is there until the cluster answers',
            object: bindingIdentity(bindings[0]!),
            field: 'Work',
            value: cluster,
          },
        ],
        remedy: { text: `fence ${cluster} if these must run once: stop its nodes or its network` },
      };
    });
  },
};

const deletedOnReturn: StateCheck = {
  id: 'deleted-on-return',
  severity: 'note',
  theme: 'recovery',
  title: 'copies are deleted when a cluster is back',
  help: 'Their Works are being deleted already: as soon as the cluster answers, the old copies are removed there, ready or not.',
  needs: ['Work', 'Cluster'],
  symptoms: ['Pods of a recovered cluster terminate'],
  issues: [1640, 5375],
  example: leftWork({
    deletionTimestamp: '2026-05-04T09:59:00Z',
    finalizers: ['karmada.io/execution-controller'],
  }),
  find: (seen) => {
    const byCluster = new Map<string, ObjectIdentity[]>();
    for (const { binding, cluster, work } of leftBehind(seen))
      if (work.metadata.deletionTimestamp) getOrAdd(byCluster, cluster, () => []).push(workloadOf(binding));
    return [...byCluster].map(([cluster, objects]) => ({
      message: `when ${cluster} is back, ${count(objects.length, 'copy is', 'copies are')} deleted there: ${someObjects(objects)}`,
      objects: [{ kind: 'Cluster', name: cluster }, ...objects],
      evidence: [{ rule: 'their Works are being deleted', field: 'metadata.deletionTimestamp' }],
      remedy: { text: 'nothing, unless data must be saved there first' },
    }));
  },
};

const doesNotReturn: StateCheck = {
  id: 'does-not-return',
  severity: 'note',
  theme: 'recovery',
  title: 'a workload stays in a later affinity group although the first one is up',
  help: 'The scheduler never goes back to an earlier group by itself. A WorkloadRebalancer brings the workload back, from v1.19 on to the first group.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['the primary cluster is back, and nothing returns to it'],
  issues: [7717, 7441, 5070, 4990, 1189],
  example: {
    patches: [
      {
        target: web,
        merge: {
          spec: {
            placement: {
              clusterAffinity: null,
              clusterAffinities: [
                { affinityName: 'first', clusterNames: ['member3'] },
                { affinityName: 'last', clusterNames: ['member1', 'member2'] },
              ],
            },
          },
          status: { schedulerObservingAffinityName: 'last' },
        },
      },
    ],
  },
  find: (seen) => {
    const away = seen.bindings.filter(({ spec, status }) => {
      const [first] = spec.placement?.clusterAffinities ?? [];
      if (!first || isAttached(spec) || observedAffinity(spec.placement!, status) < 1) return false;
      return [...seen.clusters()].some(
        ([name, cluster]) => isReady(cluster) && seen.facts().isSelected(first, name),
      );
    });
    if (away.length === 0) return [];
    const objects = away.map(workloadOf);
    return [
      {
        message: `${someObjects(objects)} ${objects.length === 1 ? 'stays' : 'stay'} in a later affinity group although the first has a Ready cluster: nothing returns by itself`,
        objects,
        evidence: [
          {
            rule: 'the scheduler never goes back to an earlier group',
            object: bindingIdentity(away[0]!),
            field: 'status.schedulerObservingAffinityName',
            value: away[0]!.status?.schedulerObservingAffinityName,
          },
        ],
        remedy: { text: 'create a WorkloadRebalancer for it, and see by simulate where it goes' },
      },
    ];
  },
};

const scaledBy = (kind: string, what: RegExp) => (seen: Examined) => {
  const scaled = [...autoscalers(seen.world.others)].filter(([, whats]) =>
    whats.some((one) => what.test(one)),
  );
  const byKey = new Map(seen.bindings.map((one) => [objectKey(workloadOf(one)), one]));
  const objects = scaled.flatMap(([key]) => {
    const binding = byKey.get(key);
    return binding ? [workloadOf(binding)] : [];
  });
  if (objects.length === 0) return [];
  return [
    {
      message: `${someObjects(objects)}: ${kind} writes the replicas; predictions hold for the present number only`,
      objects,
      evidence: [{ rule: `${kind} scales it`, field: 'spec.scaleTargetRef' }],
      remedy: { text: 'ask again after it has scaled' },
    },
  ];
};

const hpa = (kind: string, name: string, spec: object) => ({
  apiVersion: 'autoscaling.karmada.io/v1alpha1',
  kind,
  metadata: { namespace: 'shop', name },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, ...spec },
});

const federatedHpa: StateCheck = {
  id: 'federated-hpa-scales',
  severity: 'note',
  theme: 'writers',
  title: 'a FederatedHPA writes the replicas of a workload',
  help: 'It follows metrics, and lowers replicas when a cluster with Pods is lost: metrics of what is left decide. Give it minReplicas that survive a loss.',
  needs: ['ResourceBinding', 'FederatedHPA'],
  symptoms: ['replicas fall during a failover'],
  issues: [7065],
  example: { adds: [hpa('FederatedHPA', 'web', { minReplicas: 1, maxReplicas: 9 })] },
  find: scaledBy('a FederatedHPA', / FederatedHPA /),
};

const cronFederatedHpa: StateCheck = {
  id: 'cron-federated-hpa-scales',
  severity: 'note',
  theme: 'writers',
  title: 'a CronFederatedHPA writes the replicas of a workload',
  help: 'It sets replicas at its times, also while a failover is under way.',
  needs: ['ResourceBinding', 'CronFederatedHPA'],
  symptoms: ['replicas change at full hours'],
  issues: [7213],
  example: {
    adds: [
      hpa('CronFederatedHPA', 'web-cron', {
        rules: [{ name: 'night', schedule: '0 22 * * *', targetReplicas: 2 }],
      }),
    ],
  },
  find: scaledBy('a CronFederatedHPA', / CronFederatedHPA /),
};

const twoScalers: StateCheck = {
  id: 'two-writers-of-replicas',
  severity: 'warning',
  theme: 'writers',
  title: 'two autoscalers write the replicas of one workload',
  help: 'FederatedHPA and CronFederatedHPA overwrite each other. Let the CronFederatedHPA scale the FederatedHPA.',
  needs: ['ResourceBinding', 'FederatedHPA', 'CronFederatedHPA'],
  symptoms: ['replicas go up and down every few seconds'],
  issues: [7065],
  example: {
    adds: [
      hpa('FederatedHPA', 'web', { minReplicas: 1, maxReplicas: 9 }),
      hpa('CronFederatedHPA', 'web-cron', {
        rules: [{ name: 'night', schedule: '0 22 * * *', targetReplicas: 2 }],
      }),
    ],
  },
  find: (seen) => {
    const twice = [...autoscalers(seen.world.others)].filter(([, whats]) => whats.length > 1);
    return twice.map(([key, whats]) => {
      const [kind = '', namespace, name = ''] = key.split('/');
      const object = { kind, ...(namespace && { namespace }), name };
      return {
        message: `${named(object)}: ${whats.length} autoscalers write its replicas`,
        objects: [object],
        evidence: whats.map((rule) => ({ rule, field: 'spec.scaleTargetRef' })),
        remedy: { text: 'let the CronFederatedHPA scale the FederatedHPA' },
      };
    });
  },
};

const descheduler: StateCheck = {
  id: 'descheduler-runs',
  severity: 'note',
  theme: 'writers',
  title: 'karmada-descheduler takes replicas that stay pending away',
  help: 'It lowers the replicas of a cluster where Pods are not scheduled, so that the scheduler moves them: dynamic weights then give other results than a simulation.',
  needs: ['Deployment'],
  symptoms: ['replicas leave a Ready cluster without an eviction'],
  issues: [],
  example: {
    adds: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace: 'karmada-system', name: 'karmada-descheduler' },
        spec: { replicas: 1 },
      },
    ],
  },
  find: (seen) =>
    runsDescheduler(seen.world.others)
      ? [
          {
            message: 'karmada-descheduler runs: it takes replicas that stay pending away from their cluster',
            objects: [{ kind: 'Deployment', namespace: 'karmada-system', name: 'karmada-descheduler' }],
            evidence: [{ rule: 'its Deployment is there', field: 'Deployment' }],
          },
        ]
      : [],
};

const RETAIN = 'resourcetemplate.karmada.io/retain-replicas';

const hpaWithoutRetain: StateCheck = {
  id: 'hpa-without-retained-replicas',
  severity: 'warning',
  theme: 'writers',
  title: 'an HPA in the members and Karmada write the same replicas',
  help: 'A HorizontalPodAutoscaler is propagated, and its target has no label resourcetemplate.karmada.io/retain-replicas: "true": Karmada sets the replicas back at every change.',
  needs: ['ResourceBinding', 'Template'],
  symptoms: ['Pods are created and deleted in turn', 'replicas go back to the template'],
  issues: [7065],
  example: {
    adds: [
      {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { namespace: 'shop', name: 'web' },
        spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 9 },
      },
    ],
  },
  find: (seen) => {
    const templates = new Map(
      seen.world.others.map((one) => [objectKey({ kind: one.kind, ...one.metadata }), one]),
    );
    return seen.ofKind('HorizontalPodAutoscaler').flatMap((object) => {
      const { namespace, name } = object.metadata;
      const { scaleTargetRef: target } =
        (object as { spec?: { scaleTargetRef?: { kind: string; name: string } } }).spec ?? {};
      const template =
        target &&
        templates.get(objectKey({ kind: target.kind, ...(namespace && { namespace }), name: target.name }));
      if (!template || template.metadata.labels?.[RETAIN] === 'true') return [];
      const workload = { kind: template.kind, ...(namespace && { namespace }), name: template.metadata.name };
      return [
        {
          message: `HorizontalPodAutoscaler ${namespace ?? ''}/${name} and Karmada both write the replicas of ${named(workload)}`,
          objects: [workload],
          evidence: [
            { rule: `the label ${RETAIN} is not "true"`, object: workload, field: 'metadata.labels' },
          ],
          remedy: {
            text: 'let Karmada retain the replicas of the members',
            patches: [
              {
                target: { apiVersion: template.apiVersion, ...workload },
                merge: { metadata: { labels: { [RETAIN]: 'true' } } },
              },
            ],
          },
        },
      ];
    });
  },
};

export const recoveryChecks: readonly StateCheck[] = [runsTwice, deletedOnReturn, doesNotReturn];
export const observabilityChecks: readonly StateCheck[] = [agentSilent, clockSkew, alertOnUnknownMetric];
export const writerChecks: readonly StateCheck[] = [
  twoScalers,
  hpaWithoutRetain,
  federatedHpa,
  cronFederatedHpa,
  descheduler,
];
