import { type Example, asks, copyOf, patched, patient, reported, web, webPolicy } from './example.ts';

const preserving = (jsonPath: string): Example => ({
  flags: { controllerManager: ['--feature-gates=StatefulFailoverInjection=true'] },
  ...asks(
    { ...patient, statePreservation: { rules: [{ aliasLabelName: 'state', jsonPath }] } },
    { propagateDeps: true },
  ),
});

export const application: Readonly<Record<string, Example>> = {
  'interpreter-unused': {
    adds: [
      {
        apiVersion: 'config.karmada.io/v1alpha1',
        kind: 'ResourceInterpreterCustomization',
        metadata: { name: 'deployments' },
        spec: {
          target: { apiVersion: 'apps/v1beta1', kind: 'Deployment' },
          customizations: {
            healthInterpretation: { luaScript: 'function InterpretHealth(o) return true end' },
          },
        },
      },
    ],
  },
  'evicted-everywhere': patched(web, {
    spec: {
      clusters: [],
      failover: { application: patient },
      gracefulEvictionTasks: ['member1', 'member2'].map((fromCluster) => ({
        fromCluster,
        producer: 'ResourceBindingApplicationFailover',
        reason: 'ApplicationFailure',
        creationTimestamp: '2026-05-04T09:55:00Z',
      })),
    },
  }),
  'propagate-deps-off': asks(patient, { propagateDeps: false }),
  'no-health-interpreter': patched(web, {
    spec: {
      propagateDeps: true,
      failover: { application: patient },
      resource: { apiVersion: 'example.com/v1', kind: 'Widget' },
    },
  }),
  'graceful-eviction-gate-off': {
    flags: { controllerManager: ['--feature-gates=GracefulEviction=false'] },
    ...asks(patient, { propagateDeps: true }),
  },
  'state-path-wrong': preserving('{.nothing.there}'),
  'state-value-unfit': preserving('{.conditions}'),
  'state-injection-off': asks(
    { ...patient, statePreservation: { rules: [{ aliasLabelName: 'state', jsonPath: '{.replicas}' }] } },
    { propagateDeps: true },
  ),
  'toleration-shorter-than-start': asks(
    { ...patient, decisionConditions: { tolerationSeconds: 20 } },
    { propagateDeps: true },
  ),
  'health-unknown': patched(web, {
    spec: { propagateDeps: true, failover: { application: patient } },
    ...reported(copyOf('member1', 'Unknown'), copyOf('member2', 'Healthy', 2)),
  }),
  'application-without-second-cluster': patched(web, {
    spec: {
      propagateDeps: true,
      failover: { application: patient },
      placement: {
        clusterAffinity: null,
        clusterAffinities: [
          { affinityName: 'first', clusterNames: ['member3'] },
          { affinityName: 'last', clusterNames: ['member1'] },
        ],
      },
      clusters: [{ name: 'member1', replicas: 4 }],
    },
    status: { schedulerObservingAffinityName: 'last' },
  }),
  'job-with-application-failover': patched(web, {
    spec: {
      propagateDeps: true,
      failover: { application: patient },
      resource: { apiVersion: 'batch/v1', kind: 'Job' },
    },
  }),
  'purge-mode-never': patched(webPolicy, {
    spec: { propagateDeps: true, failover: { application: { ...patient, purgeMode: 'Never' } } },
  }),
  'purge-mode-deprecated': patched(webPolicy, {
    spec: { propagateDeps: true, failover: { application: { ...patient, purgeMode: 'Graciously' } } },
  }),
  'no-readiness-probe': patched(
    { kind: 'Deployment', namespace: 'shop', name: 'web' },
    { spec: { template: { spec: { containers: [{ name: 'web' }] } } } },
  ),
  'pod-tolerates-dead-node': patched(
    { kind: 'Deployment', namespace: 'shop', name: 'web' },
    { spec: { template: { spec: { tolerations: [{ operator: 'Exists' }] } } } },
  ),
};
