import { type Example, overridePolicy, patched, webPolicy } from './example.ts';

const hpa = (kind: string, name: string, spec: object) => ({
  apiVersion: 'autoscaling.karmada.io/v1alpha1',
  kind,
  metadata: { namespace: 'shop', name },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, ...spec },
});

export const writers: Readonly<Record<string, Example>> = {
  'impossible-scaling': {
    adds: [
      hpa('CronFederatedHPA', 'web-cron', {
        rules: [{ name: 'leap', schedule: '0 22 30 2 *', targetReplicas: 2 }],
      }),
    ],
  },
  'priority-ignored': {
    flags: { scheduler: ['--feature-gates=PriorityBasedScheduling=false'] },
    ...patched(webPolicy, {
      spec: { schedulePriority: { priorityClassSource: 'KubePriorityClass', priorityClassName: 'high' } },
    }),
  },
  'reference-missing': patched(
    { kind: 'FederatedResourceQuota', namespace: 'shop', name: 'quota' },
    { spec: { staticAssignments: [{ clusterName: 'gone', hard: { cpu: '2' } }] } },
  ),
  'two-writers-of-replicas': {
    adds: [
      hpa('FederatedHPA', 'web', { minReplicas: 1, maxReplicas: 9 }),
      hpa('CronFederatedHPA', 'web-cron', {
        rules: [{ name: 'night', schedule: '0 22 * * *', targetReplicas: 2 }],
      }),
    ],
  },
  'scaling-off-at-zero': {
    ...patched({ kind: 'Deployment', namespace: 'shop', name: 'web' }, { spec: { replicas: 0 } }),
    adds: [hpa('FederatedHPA', 'web', { minReplicas: 1, maxReplicas: 9 })],
  },
  'hpa-without-retained-replicas': {
    adds: [
      {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { namespace: 'shop', name: 'web' },
        spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 9 },
      },
    ],
  },
  'override-writes-replicas': {
    adds: [
      {
        ...overridePolicy,
        spec: {
          resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
          overrideRules: [
            { overriders: { plaintext: [{ path: '/spec/replicas', operator: 'replace', value: 1 }] } },
          ],
        },
      },
    ],
  },
  'federated-hpa-scales': { adds: [hpa('FederatedHPA', 'web', { minReplicas: 1, maxReplicas: 9 })] },
  'cron-federated-hpa-scales': {
    adds: [
      hpa('CronFederatedHPA', 'web-cron', {
        rules: [{ name: 'night', schedule: '0 22 * * *', targetReplicas: 2 }],
      }),
    ],
  },
  'descheduler-runs': {
    adds: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace: 'karmada-system', name: 'karmada-descheduler' },
        spec: { replicas: 1 },
      },
    ],
  },
  'workload-controllers-run': {
    adds: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace: 'karmada-system', name: 'karmada-kube-controller-manager' },
        spec: {
          replicas: 1,
          template: {
            spec: {
              containers: [
                { name: 'kube-controller-manager', command: ['kube-controller-manager', '--controllers=*'] },
              ],
            },
          },
        },
        status: { replicas: 1, readyReplicas: 1 },
      },
    ],
  },
};
