import { clusterObject } from '../../../../../src/analysis/findings/state/about.ts';
import {
  type Example,
  container,
  member1,
  notReady,
  patched,
  placed,
  running,
  runs,
  web,
  webPolicy,
} from './example.ts';

export const chain: Readonly<Record<string, Example>> = {
  'unknown-flag': runs({ controllerManager: ['--failover-eviction-timeout=5m'] }),
  'version-unknown': container('controllerManager', {
    image: 'docker.io/karmada/karmada-controller-manager:latest',
    args: ['--feature-gates=Failover=true', '--enable-no-execute-taint-eviction=true'],
  }),
  'failover-gate-off': runs({ controllerManager: ['--feature-gates=Failover=false'] }),
  'cluster-controller-off': runs({ controllerManager: ['--controllers=*,-cluster'] }),
  'taint-manager-off': runs({ controllerManager: ['--enable-taint-manager=false'] }),
  'no-execute-eviction-off': runs({ controllerManager: ['--enable-no-execute-taint-eviction=false'] }),
  'eviction-rate-zero': runs({ controllerManager: ['--resource-eviction-rate=0'] }),
  'api-requests-limited': runs({ controllerManager: ['--kube-api-qps=0.01'] }),
  'detection-hasty': runs({ controllerManager: ['--cluster-failure-threshold=0s'] }),
  'steps-wait': runs({ controllerManager: ['--rate-limiter-base-delay=10m'] }),
  'leader-flags-refused': runs({ controllerManager: ['--leader-elect-lease-duration=8s'] }),
  'several-leaders': {
    flags: { scheduler: ['--leader-elect=false'] },
    patches: [{ target: running('scheduler'), merge: { spec: { replicas: 2 } } }],
  },
  'taint-policy-controller-off': runs({ controllerManager: ['--controllers=*,-clustertaintpolicy'] }),
  'controller-left-out': runs({ controllerManager: ['--controllers=*,-binding'] }),
  'queue-without-workers': runs({ controllerManager: ['--concurrent-work-syncs=0'] }),
  'no-evicting-taint': patched({ kind: 'ClusterTaintPolicy', name: 'ready' }, null),
  'component-down': patched(
    { kind: 'Deployment', namespace: 'karmada-system', name: 'karmada-scheduler' },
    { spec: { replicas: 1 }, status: { replicas: 1, readyReplicas: 0, unavailableReplicas: 1 } },
  ),
  'leader-lease-stale': patched(
    { kind: 'Lease', namespace: 'karmada-system', name: 'karmada-scheduler' },
    { spec: { renewTime: '2026-05-04T09:00:00.000000Z' } },
  ),
  'failure-reported': {
    adds: [
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { namespace: 'shop', name: 'web.17a0' },
        type: 'Warning',
        reason: 'ApplyPolicyFailed',
        lastTimestamp: '2026-05-04T09:58:00Z',
        message: 'Apply policy(shop/web) failed: failed calling webhook "resourcebinding.karmada.io"',
        involvedObject: { kind: 'Deployment', namespace: 'shop', name: 'web' },
      },
    ],
  },
  'applied-placement-missing': patched(web, {
    metadata: { annotations: { 'policy.karmada.io/applied-placement': null } },
  }),
  'toleration-effect-differs': {
    patches: [
      ...patched(member1, {
        spec: { taints: [{ key: 'away', effect: 'NoExecute', timeAdded: '2026-05-04T09:00:00Z' }] },
      }).patches,
      ...patched(web, {
        spec: {
          placement: { clusterTolerations: [{ key: 'away', operator: 'Exists', effect: 'NoSchedule' }] },
        },
      }).patches,
    ],
  },
  'scaled-onto-failed-cluster': {
    patches: [
      ...patched(member1, notReady('2026-05-04T09:58:00Z')).patches,
      ...patched(web, {
        spec: {
          replicas: 8,
          clusters: [
            { name: 'member1', replicas: 4 },
            { name: 'member2', replicas: 4 },
          ],
        },
        status: { lastScheduledTime: '2026-05-04T09:59:00Z' },
      }).patches,
    ],
  },
  'cluster-down': patched(member1, notReady('2026-05-04T08:00:00Z')),
  'eviction-not-started': patched(member1, {
    spec: { taints: [{ key: 'maintenance', effect: 'NoExecute', timeAdded: '2026-05-04T09:50:00Z' }] },
  }),
  'cluster-never-reported': patched(clusterObject('member3'), { status: { conditions: null } }),
  'webhook-refuses-no-execute': runs({ webhook: ['--allow-no-execute-taint-policy=false'] }),
  'tolerates-forever': patched(web, {
    metadata: {
      annotations: {
        'policy.karmada.io/applied-placement':
          '{"clusterAffinity":{"clusterNames":["member1","member2","member3"]},"clusterTolerations":[{"key":"cluster.karmada.io/not-ready","operator":"Exists","effect":"NoExecute"}]}',
      },
    },
  }),
  'tolerates-long': placed({
    clusterTolerations: [
      {
        key: 'cluster.karmada.io/not-ready',
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 86_400,
      },
    ],
  }),
  'versions-differ': container('scheduler', { image: 'docker.io/karmada/karmada-scheduler:v1.15.0' }),
  'purge-directly-waits': runs({ controllerManager: ['--no-execute-taint-eviction-purge-mode=Directly'] }),
  'unclaimed-binding': patched(web, {
    metadata: { labels: { 'propagationpolicy.karmada.io/permanent-id': null } },
  }),
  'scheduling-suspended': patched(web, { spec: { suspension: { scheduling: true } } }),
  'dispatching-suspended': patched(web, { spec: { suspension: { dispatching: true } } }),
  'execution-space-missing': patched({ kind: 'Namespace', name: 'karmada-es-member2' }, null),
  'propagation-skipped': runs({ controllerManager: ['--skipped-propagating-namespaces=kube-.*,shop'] }),
  'dependent-override-missing': patched(webPolicy, { spec: { dependentOverrides: ['registry'] } }),
  'policy-not-applied': patched(webPolicy, {
    spec: { placement: { clusterAffinity: { clusterNames: ['member1', 'member2'] } } },
  }),
  'policy-missing': {
    patches: [
      {
        target: web,
        merge: { metadata: { annotations: { 'propagationpolicy.karmada.io/name': 'deleted' } } },
      },
    ],
  },
  'workload-without-binding': {
    adds: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        spec: { replicas: 1 },
        metadata: { namespace: 'shop', name: 'api', creationTimestamp: '2026-05-04T08:00:00Z' },
      },
    ],
  },
  'eviction-rate-slow': runs({ controllerManager: ['--resource-eviction-rate=0.001'] }),
  'detection-slow': runs({ controllerManager: ['--cluster-failure-threshold=20m'] }),
  'graceful-timeout-short': runs({ controllerManager: ['--graceful-eviction-timeout=5s'] }),
  'graceful-timeout-long': runs({ controllerManager: ['--graceful-eviction-timeout=24h'] }),
  'leader-lease-long': runs({ controllerManager: ['--leader-elect-lease-duration=1h'] }),
  'estimator-down': {
    flags: { scheduler: ['--enable-scheduler-estimator=true'] },
    adds: ['member1', 'member2', 'member3'].map((name) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: 'karmada-system', name: `karmada-scheduler-estimator-${name}` },
      spec: { replicas: 1 },
      status: { replicas: 1, readyReplicas: name === 'member1' ? 0 : 1 },
    })),
  },
  'foreign-scheduler': patched(web, { spec: { schedulerName: 'batch-scheduler' } }),
  'scheduler-plugin-left-out': runs({ scheduler: ['--plugins=*,-TaintToleration'] }),
  'controller-unknown': runs({ controllerManager: ['--controllers=*,-gracefuleviction'] }),
  'reserved-namespaces-propagated': runs({
    controllerManager: ['--skipped-propagating-namespaces=legacy'],
  }),
  'binding-without-placement': patched(web, { spec: { placement: null } }),
};
