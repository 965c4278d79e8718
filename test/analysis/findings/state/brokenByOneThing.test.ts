import { describe, expect, test } from '@jest/globals';
import type { Component } from '../../../../src/karmada/dialects/flags.ts';
import { binaries } from '../../../../src/karmada/dialects/flags.ts';
import { applyMergePatch } from '../../../../src/kubernetes/mergePatch.ts';
import { patched, remedied } from './applied.ts';
import { diagnosed, explained } from './diagnosed.ts';
import { changed, healthyObjects, type Written } from './healthyWorld.ts';

// A healthy control plane broken by one change, other than the checks' own examples: doctor names that change first, and no longer reports
// it once its remedy is applied.

type Change = (objects: Written[]) => Written[];

const cluster = (name: string) => ({ kind: 'Cluster', name });
const web = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };
const policy = { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' };
const taintPolicy = { kind: 'ClusterTaintPolicy', name: 'ready' };
const running = (component: Component) => ({
  kind: 'Deployment',
  namespace: 'karmada-system',
  name: binaries[component],
});

const patch =
  (target: { kind: string; namespace?: string; name: string }, merge: unknown): Change =>
  (objects) =>
    patched(objects, target, merge);

const inOrder =
  (...changes: Change[]): Change =>
  (objects) =>
    changes.reduce((left, change) => change(left), objects);

/** A component with only these arguments. */
const startedWith = (component: Component, ...args: string[]): Change =>
  patch(running(component), {
    spec: {
      template: {
        spec: {
          containers: [
            {
              name: binaries[component],
              image: `docker.io/karmada/${binaries[component]}:v1.18.2`,
              command: [`/bin/${binaries[component]}`, ...args],
            },
          ],
        },
      },
    },
  });

/** Three members of etcd, some of them ready. */
const etcd = (readyReplicas: number): Written => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { namespace: 'karmada-system', name: 'etcd' },
  spec: { replicas: 3 },
  status: { replicas: 3, readyReplicas },
});

const PERMANENT_ID = 'propagationpolicy.karmada.io/permanent-id';
const GATE = '--feature-gates=Failover=true';
const EVICTS = '--enable-no-execute-taint-eviction=true';

/** member1 has been unreachable for an hour, and nothing has been evicted from it. */
const down = patch(cluster('member1'), {
  spec: {
    taints: [
      { key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule', timeAdded: '2026-05-04T09:00:00Z' },
    ],
  },
  status: {
    conditions: [
      {
        type: 'Ready',
        status: 'False',
        reason: 'ClusterNotReachable',
        lastTransitionTime: '2026-05-04T09:00:00Z',
      },
    ],
  },
});

/** karmada-controller-manager in a container whose command has more words. */
const inContainer = (container: object): Change =>
  patch(running('controllerManager'), {
    spec: {
      template: {
        spec: {
          containers: [
            {
              name: binaries.controllerManager,
              image: `docker.io/karmada/${binaries.controllerManager}:v1.18.2`,
              ...container,
            },
          ],
        },
      },
    },
  });

interface Case {
  breaks: Change;
  /** the check that must come first */
  first: string;
  /** words of its message */
  says?: RegExp;
  /** what an operator does, if the remedy is only words */
  person?: Change;
}

const switchedOff: Record<string, Case> = {
  'the gate is switched off': {
    breaks: startedWith('controllerManager', '--feature-gates=Failover=false', EVICTS),
    first: 'failover-gate-off',
    says: /gate Failover=false on karmada-controller-manager v1\.18\.2/,
  },
  'the gate is missing, and off by default': {
    breaks: startedWith('controllerManager', EVICTS),
    first: 'failover-gate-off',
    says: /the default/,
  },
  'the gate is misspelled': {
    breaks: startedWith('controllerManager', '--feature-gates=FailOver=true', EVICTS),
    first: 'failover-gate-off',
  },
  'the gate is one of several, and set to F': {
    breaks: startedWith('controllerManager', '--feature-gates=PropagateDeps=true,Failover=F', EVICTS),
    first: 'failover-gate-off',
  },
  'the gate is a separate argument after its flag': {
    breaks: startedWith('controllerManager', '--feature-gates', 'Failover=false', EVICTS),
    first: 'failover-gate-off',
  },
  'the gate is switched off again in args': {
    breaks: inContainer({
      command: ['karmada-controller-manager', GATE, EVICTS],
      args: ['--feature-gates=Failover=false'],
    }),
    first: 'failover-gate-off',
  },
  'the gate comes from the environment': {
    breaks: inContainer({
      command: ['/bin/karmada-controller-manager'],
      args: ['--feature-gates=$(GATES)', EVICTS],
      env: [{ name: 'GATES', value: 'Failover=false' }],
    }),
    first: 'failover-gate-off',
  },
  'a shell command contains the gate in quotes': {
    breaks: inContainer({
      command: ['sh', '-c', `exec karmada-controller-manager "--feature-gates=Failover=false" ${EVICTS}`],
    }),
    first: 'failover-gate-off',
    person: startedWith('controllerManager', GATE, EVICTS),
  },
  'the eviction rate is set twice, the last time to 0': {
    breaks: inContainer({
      command: ['karmada-controller-manager', GATE, EVICTS, '--resource-eviction-rate=0.5'],
      args: ['--resource-eviction-rate=0'],
    }),
    first: 'eviction-rate-zero',
  },
  'one of two --controllers flags excludes the cluster controller': {
    breaks: startedWith('controllerManager', GATE, EVICTS, '--controllers=-cluster', '--controllers=*'),
    first: 'cluster-controller-off',
  },
  'the list of controllers is a separate argument after its flag': {
    breaks: inContainer({
      command: ['karmada-controller-manager', GATE, EVICTS, '--controllers', '*,-cluster'],
    }),
    first: 'cluster-controller-off',
    person: startedWith('controllerManager', GATE, EVICTS),
  },
  'only the scheduler has the gate': {
    breaks: inOrder(startedWith('controllerManager', EVICTS), startedWith('scheduler', GATE)),
    first: 'failover-gate-off',
  },
  'the taint manager is off': {
    breaks: startedWith('controllerManager', GATE, EVICTS, '--enable-taint-manager=false'),
    first: 'taint-manager-off',
  },
  'NoExecute eviction is off, which is the default': {
    breaks: startedWith('controllerManager', GATE),
    first: 'no-execute-eviction-off',
    says: /the default/,
  },
  'the eviction rate is 0': {
    breaks: startedWith('controllerManager', GATE, EVICTS, '--resource-eviction-rate=0.0'),
    first: 'eviction-rate-zero',
  },
  'the list of controllers excludes the cluster controller': {
    breaks: startedWith(
      'controllerManager',
      GATE,
      EVICTS,
      '--controllers=binding,execution,gracefulEviction,clustertaintpolicy',
    ),
    first: 'cluster-controller-off',
  },
  'the list of controllers excludes the controller of ClusterTaintPolicies': {
    breaks: startedWith('controllerManager', GATE, EVICTS, '--controllers=-clustertaintpolicy,*'),
    first: 'taint-policy-controller-off',
    says: /^failover is off: --controllers=-clustertaintpolicy,\* leaves out/,
  },
  'the taint policy adds NoSchedule, which evicts nothing': {
    breaks: patch(taintPolicy, {
      spec: { taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' }] },
    }),
    first: 'no-evicting-taint',
  },
  'the taint policy is deleted, and karmada-webhook refuses a new one': {
    breaks: inOrder(patch(taintPolicy, null), startedWith('webhook')),
    first: 'no-evicting-taint',
  },
  'the taint policy waits for a condition that no component sets': {
    breaks: patch(taintPolicy, {
      spec: { addOnConditions: [{ conditionType: 'Healthy', operator: 'NotIn', statusValues: ['True'] }] },
    }),
    first: 'no-evicting-taint',
  },
  'the taint policy targets another cluster': {
    breaks: patch(taintPolicy, { spec: { targetClusters: { clusterNames: ['member9'] } } }),
    first: 'no-evicting-taint',
  },
  'the taint policy waits for Unknown, but a failed Push cluster becomes False': {
    breaks: patch(taintPolicy, {
      spec: { addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['Unknown'] }] },
    }),
    first: 'no-evicting-taint',
    says: /member1, member2/,
  },
  'every policy tolerates the taint forever': {
    breaks: patch(policy, { spec: { placement: { clusterTolerations: [{ operator: 'Exists' }] } } }),
    first: 'tolerates-forever',
  },
  'the evictions of a cluster would take hours': {
    breaks: startedWith('controllerManager', GATE, EVICTS, '--resource-eviction-rate=0.0001'),
    first: 'eviction-rate-slow',
  },
  'the gate is missing, and the image has no version': {
    breaks: inContainer({
      image: 'docker.io/karmada/karmada-controller-manager:latest',
      command: ['karmada-controller-manager', EVICTS],
    }),
    first: 'failover-gate-off',
  },
  'the gate is in an environment variable that the state does not show': {
    breaks: inContainer({
      command: ['karmada-controller-manager', '--feature-gates=$(GATES)', EVICTS],
      env: [{ name: 'GATES', valueFrom: { secretKeyRef: { name: 'gates', key: 'gates' } } }],
    }),
    first: 'failover-gate-off',
    says: /^failover is probably off/,
    person: startedWith('controllerManager', GATE, EVICTS),
  },
  'karmada-controller-manager crashes': {
    breaks: patch(running('controllerManager'), { status: { replicas: 1, readyReplicas: 0 } }),
    first: 'component-down',
    person: patch(running('controllerManager'), { status: { readyReplicas: 1 } }),
  },
  'karmada-scheduler is scaled to 0': {
    breaks: patch(running('scheduler'), {
      spec: { replicas: 0 },
      status: { replicas: 0, readyReplicas: null },
    }),
    first: 'component-down',
    person: patch(running('scheduler'), { spec: { replicas: 1 }, status: { replicas: 1, readyReplicas: 1 } }),
  },
  'two of three members of etcd are not ready': {
    breaks: (objects) => [...objects, etcd(1)],
    first: 'component-down',
    says: /etcd has 1 of 3 members ready, and needs a majority/,
    person: (objects) => [...objects.filter(({ metadata }) => metadata.name !== 'etcd'), etcd(2)],
  },
  'the leader of karmada-controller-manager does not renew its Lease': {
    breaks: patch(
      { kind: 'Lease', namespace: 'karmada-system', name: 'karmada-controller-manager' },
      { spec: { renewTime: '2026-05-04T09:40:00.000000Z' } },
    ),
    first: 'leader-lease-stale',
    person: patch(
      { kind: 'Lease', namespace: 'karmada-system', name: 'karmada-controller-manager' },
      { spec: { renewTime: '2026-05-04T09:59:59.000000Z' } },
    ),
  },
};

const HOURS_AGO = '2026-05-04T08:00:00Z';
const add =
  (...more: Written[]): Change =>
  (objects) => [...objects, ...more];
const condition = (type: string, status: string, reason: string, message = '') => ({
  status: { conditions: [{ type, status, reason, message, lastTransitionTime: HOURS_AGO }] },
});
const withControllers = (...args: string[]) => startedWith('controllerManager', GATE, EVICTS, ...args);
const estimator = (readyReplicas: number, cluster = 'member1'): Written => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'karmada-system', name: `karmada-scheduler-estimator-${cluster}` },
  spec: { replicas: 1 },
  status: { replicas: 1, readyReplicas },
});
const leaseHeldBy = (holderIdentity: string): Written => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { namespace: 'karmada-system', name: 'other-lease' },
  spec: { holderIdentity, renewTime: '2026-05-04T09:59:57.000000Z', leaseDurationSeconds: 15 },
});
const interpreter = (kind: string): Written => ({
  apiVersion: 'config.karmada.io/v1alpha1',
  kind: 'ResourceInterpreterCustomization',
  metadata: { name: 'widget' },
  spec: {
    target: { apiVersion: 'example.com/v1', kind },
    customizations: { healthInterpretation: { luaScript: 'function InterpretHealth(o) return true end' } },
  },
});

const ill = {
  propagateDeps: true,
  failover: { application: { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Graciously' } },
};

const others: Record<string, Case> = {
  'the policy tolerates every taint forever': {
    breaks: patch(policy, { spec: { placement: { clusterTolerations: [{ operator: 'Exists' }] } } }),
    first: 'tolerates-forever',
  },
  'the taint policy does not cover all clusters': {
    breaks: patch(taintPolicy, { spec: { targetClusters: { clusterNames: ['member1', 'member2'] } } }),
    first: 'no-evicting-taint',
    says: /member3/,
  },
  'the taint policy does not cover a Pull cluster, because it waits for False': {
    breaks: patch(taintPolicy, {
      spec: { addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['False'] }] },
    }),
    first: 'no-evicting-taint',
    says: /member3/,
  },
  'the affinity of the policy selects by a label that no cluster has': {
    breaks: patch(policy, {
      spec: {
        placement: {
          clusterAffinity: { clusterNames: null, labelSelector: { matchLabels: { tier: 'gold' } } },
        },
      },
    }),
    first: 'placement-selects-no-cluster',
    person: patch(policy, { spec: { placement: { clusterAffinity: { labelSelector: null } } } }),
  },
  'all other clusters are cordoned': {
    breaks: inOrder(
      ...['member2', 'member3'].map((name) =>
        patch(cluster(name), {
          spec: {
            taints: [
              {
                key: 'cluster.karmada.io/unschedulable',
                effect: 'NoSchedule',
                timeAdded: '2026-04-01T08:00:00Z',
              },
            ],
          },
        }),
      ),
    ),
    first: 'cordon-forgotten',
  },
  'a deleted taint policy has left an orphaned taint': {
    breaks: patch(cluster('member2'), {
      spec: { taints: [{ key: 'network', effect: 'NoSchedule', timeAdded: '2026-04-01T08:00:00Z' }] },
    }),
    first: 'taint-orphaned',
  },
  'minGroups equals the number of clusters': {
    breaks: patch(policy, {
      spec: { placement: { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 4, maxGroups: 4 }] } },
    }),
    first: 'spread-unsatisfiable',
    person: patch(policy, { spec: { placement: { spreadConstraints: null } } }),
  },
  'clusters lack the region by which the policy spreads': {
    breaks: inOrder(
      ...['member1', 'member2', 'member3'].map((name) => patch(cluster(name), { spec: { region: null } })),
      patch(policy, {
        spec: { placement: { spreadConstraints: [{ spreadByField: 'region', minGroups: 2 }] } },
      }),
    ),
    first: 'spread-unsatisfiable',
    person: inOrder(
      ...['member1', 'member2', 'member3'].map((name) => patch(cluster(name), { spec: { region: name } })),
    ),
  },
  'a FederatedResourceQuota refuses the placement': {
    breaks: inOrder(
      startedWith(
        'webhook',
        '--allow-no-execute-taint-policy=true',
        '--feature-gates=FederatedQuotaEnforcement=true',
      ),
      patch(
        { kind: 'FederatedResourceQuota', namespace: 'shop', name: 'quota' },
        {
          spec: { overall: { cpu: '2' } },
          status: { overall: { cpu: '2' }, overallUsed: { cpu: '2' } },
        },
      ),
      patch(web, {
        status: {
          conditions: [
            {
              type: 'Scheduled',
              status: 'False',
              reason: 'QuotaExceeded',
              message: 'FederatedResourceQuota(shop/quota) exceeded for resource cpu',
              lastTransitionTime: '2026-05-04T09:00:00Z',
            },
          ],
        },
      }),
    ),
    first: 'quota-used-up',
    person: patch(
      { kind: 'FederatedResourceQuota', namespace: 'shop', name: 'quota' },
      {
        spec: { overall: { cpu: '20' } },
        status: { overall: { cpu: '20' } },
      },
    ),
  },
  'the policy suspends dispatching': {
    breaks: patch(policy, { spec: { suspension: { dispatching: true } } }),
    first: 'dispatching-suspended',
  },
  'a user has suspended the scheduling of a binding': {
    breaks: patch(web, { spec: { suspension: { scheduling: true } } }),
    first: 'scheduling-suspended',
  },
  'scheduling is suspended, and a workload was evicted': {
    breaks: patch(web, {
      metadata: { generation: 3 },
      spec: {
        suspension: { scheduling: true },
        clusters: [{ name: 'member2', replicas: 2 }],
        gracefulEvictionTasks: [
          {
            ...{ fromCluster: 'member1', producer: 'TaintManager', reason: 'TaintUntolerated', replicas: 2 },
            creationTimestamp: '2026-05-04T09:05:00Z',
          },
        ],
      },
    }),
    first: 'scheduling-suspended',
  },
  'all clusters have been cordoned for an hour, and a workload cannot be scheduled': {
    breaks: inOrder(
      ...['member1', 'member2', 'member3'].map((name) =>
        patch(cluster(name), {
          spec: {
            taints: [
              {
                key: 'cluster.karmada.io/unschedulable',
                effect: 'NoSchedule',
                timeAdded: '2026-05-04T09:00:00Z',
              },
            ],
          },
        }),
      ),
      patch(
        web,
        condition(
          'Scheduled',
          'False',
          'NoClusterFit',
          '0/3 clusters are available: 3 cluster(s) had untolerated taint {cluster.karmada.io/unschedulable: }.',
        ),
      ),
    ),
    first: 'cordon-forgotten',
    person: inOrder(
      ...['member1', 'member2', 'member3'].map((name) => patch(cluster(name), { spec: { taints: [] } })),
    ),
  },
  'replicas of karmada-scheduler elect their leader by different Leases': {
    breaks: add(leaseHeldBy('karmada-scheduler-5d9c7f8b6-x2x4z_6f1c')),
    first: 'several-leaders',
    person: (objects) => objects.filter(({ metadata }) => metadata.name !== 'other-lease'),
  },
  'application failover is enabled without propagateDeps': {
    breaks: patch(policy, { spec: { ...ill, propagateDeps: false } }),
    first: 'propagate-deps-off',
  },
  'the toleration of application failover is shorter than the start of a replica': {
    breaks: patch(policy, {
      spec: { ...ill, failover: { application: { decisionConditions: { tolerationSeconds: 5 } } } },
    }),
    first: 'toleration-shorter-than-start',
  },
  'state preservation is configured, and its gate is off': {
    breaks: patch(policy, {
      spec: {
        ...ill,
        failover: {
          application: {
            ...ill.failover.application,
            statePreservation: { rules: [{ aliasLabelName: 'state', jsonPath: '{.replicas}' }] },
          },
        },
      },
    }),
    first: 'state-injection-off',
  },
  'purge mode Directly waits for the failed cluster': {
    breaks: startedWith(
      'controllerManager',
      ...[GATE, EVICTS, '--no-execute-taint-eviction-purge-mode=Directly'],
    ),
    first: 'purge-directly-waits',
  },
  'no controller ends eviction tasks': {
    breaks: inOrder(
      startedWith('controllerManager', GATE, EVICTS, '--controllers=*,-gracefulEviction'),
      patch(web, {
        spec: {
          clusters: [{ name: 'member2', replicas: 4 }],
          gracefulEvictionTasks: [
            { fromCluster: 'member1', producer: 'TaintManager', reason: 'TaintUntolerated' },
          ],
        },
      }),
    ),
    first: 'eviction-unattended',
  },
  'a failed cluster is detected an hour late': {
    breaks: startedWith('controllerManager', GATE, EVICTS, '--cluster-failure-threshold=1h'),
    first: 'detection-slow',
  },
  'Pull clusters are checked once an hour': {
    breaks: withControllers('--cluster-monitor-period=1h'),
    first: 'detection-slow',
    says: /cluster-monitor-period/,
  },
  'Push clusters are probed once an hour': {
    breaks: withControllers('--cluster-status-update-frequency=1h'),
    first: 'detection-slow',
    says: /cluster-status-update-frequency/,
  },
  'the graceful eviction controller is off before any eviction': {
    breaks: withControllers('--controllers=*,-gracefulEviction'),
    first: 'controller-left-out',
    says: /no eviction task ends/,
  },
  'the evictions of a cluster would take a day': {
    breaks: startedWith('controllerManager', GATE, EVICTS, '--resource-eviction-rate=0.00002'),
    first: 'eviction-rate-slow',
  },
  'a removed flag of an older release remains': {
    breaks: startedWith('controllerManager', GATE, EVICTS, '--failover-eviction-timeout=1m'),
    first: 'unknown-flag',
  },
  'a removed flag prevents the start of the controllers': {
    breaks: inOrder(
      startedWith('controllerManager', GATE, EVICTS, '--failover-eviction-timeout=1m'),
      patch(running('controllerManager'), { status: { replicas: 1, readyReplicas: 0 } }),
    ),
    first: 'unknown-flag',
    says: /does not start with it: it has no ready replica/,
    person: inOrder(
      startedWith('controllerManager', GATE, EVICTS),
      patch(running('controllerManager'), { status: { replicas: 1, readyReplicas: 1 } }),
    ),
  },
  'a misspelled gate prevents the start of the controllers': {
    breaks: inOrder(
      startedWith('controllerManager', GATE, '--feature-gates=FailOver=true', EVICTS),
      patch(running('controllerManager'), { status: { replicas: 1, readyReplicas: 0 } }),
    ),
    first: 'unknown-flag',
    says: /knows no feature gate FailOver/,
    person: inOrder(
      startedWith('controllerManager', GATE, EVICTS),
      patch(running('controllerManager'), { status: { replicas: 1, readyReplicas: 1 } }),
    ),
  },
  'the policy selects a cluster that has not joined': {
    breaks: patch(policy, {
      spec: { placement: { clusterAffinity: { clusterNames: ['member1', 'member2', 'memb3r'] } } },
    }),
    first: 'cluster-name-unknown',
    person: patch(policy, {
      spec: { placement: { clusterAffinity: { clusterNames: ['member1', 'member2', 'member3'] } } },
    }),
  },
  'a Duplicated workload can run on only one cluster': {
    breaks: inOrder(
      patch(policy, {
        spec: {
          placement: {
            clusterAffinity: { clusterNames: ['member1'] },
            replicaScheduling: {
              replicaSchedulingType: 'Duplicated',
              replicaDivisionPreference: null,
              weightPreference: null,
            },
          },
        },
      }),
      ...['web-deployment', 'web-service', 'web-config-configmap'].map((name) =>
        patch(
          { ...web, name },
          { spec: { clusters: [{ name: 'member1', ...(name === 'web-deployment' && { replicas: 4 }) }] } },
        ),
      ),
      patch({ kind: 'Work', namespace: 'karmada-es-member2', name: 'web-5d4f' }, null),
    ),
    first: 'no-second-home',
  },
};

/** The healthy control plane's objects of these kinds, again. */
const restored =
  (...targets: { kind: string; namespace?: string; name: string }[]): Change =>
  (objects) => {
    const is = ({ kind, metadata }: Written) =>
      targets.some(
        (one) => one.kind === kind && one.name === metadata.name && one.namespace === metadata.namespace,
      );
    return [...objects.filter((one) => !is(one)), ...healthyObjects().filter(is)];
  };

/** A change that no controller reacts to. */
const unfollowed =
  (target: { kind: string; name: string }, merge: object): Change =>
  (objects) =>
    objects.map((one) =>
      one.kind === target.kind && one.metadata.name === target.name
        ? (applyMergePatch(one, merge) as Written)
        : one,
    );

const quiet = startedWith('controllerManager', GATE, EVICTS);

const estimating = (...args: string[]) =>
  startedWith('scheduler', '--enable-scheduler-estimator=true', ...args);
const estimators = ['member1', 'member2', 'member3'].map((name) => estimator(1, name));

/** Components that are starting, slow, duplicated, or missing a dependency. */
const hardlyWorking: Record<string, Case> = {
  'the API rate limit of the controllers is too low': {
    breaks: withControllers('--kube-api-qps=0.01'),
    first: 'api-requests-limited',
    says: /karmada-controller-manager may send 0\.01 requests per second to the API server \(kube-api-qps\)/,
  },
  'the API burst of the scheduler is 1': {
    breaks: startedWith('scheduler', '--kube-api-burst=1'),
    first: 'api-requests-limited',
    says: /karmada-scheduler may send 1 requests at once/,
  },
  'requests to members are limited to one in ten seconds': {
    breaks: withControllers('--cluster-api-qps=0.1'),
    first: 'api-requests-limited',
    says: /may send 0\.1 requests per second to the API server of each member \(cluster-api-qps\)/,
  },
  'Pull clusters are Unknown between two renewals': {
    breaks: withControllers('--cluster-monitor-grace-period=1s'),
    first: 'detection-hasty',
    says: /a Pull cluster becomes Unknown before its agent renews its Lease \(cluster-monitor-grace-period=1s\)/,
  },
  'a duration of leader election has no unit': {
    breaks: startedWith('scheduler', '--leader-elect-lease-duration=15'),
    first: 'unknown-flag',
    says: /--leader-elect-lease-duration=15 is not a duration such as 30s or 3m, and karmada-scheduler does not start/,
    person: startedWith('scheduler'),
  },
  'leaders retry without a pause': {
    breaks: startedWith('scheduler', '--leader-elect-retry-period=0s'),
    first: 'leader-flags-refused',
    says: /karmada-scheduler exits at start/,
  },
  'the estimator timeout is an hour': {
    breaks: startedWith('scheduler', '--scheduler-estimator-timeout=1h'),
    first: 'steps-wait',
    says: /waits for a scheduler estimator that does not answer, with each workload, for 1h/,
  },
  'the API rate limit of the webhook is too low': {
    breaks: startedWith('webhook', '--allow-no-execute-taint-policy=true', '--kube-api-qps=2'),
    first: 'api-requests-limited',
    says: /karmada-webhook may send 2 requests per second/,
  },
  'leader election flags delay the next leader by an hour': {
    breaks: withControllers('--leader-elect-lease-duration=1h'),
    first: 'leader-lease-long',
    says: /after a restart of karmada-controller-manager nothing acts for 1h/,
  },
  'the Lease delays the next leader by an hour': {
    breaks: inOrder(
      patch(
        { kind: 'Lease', namespace: 'karmada-system', name: 'karmada-scheduler' },
        { spec: { leaseDurationSeconds: 3600 } },
      ),
    ),
    first: 'leader-lease-long',
    says: /after a restart of karmada-scheduler nothing acts for 1h/,
    person: patch(
      { kind: 'Lease', namespace: 'karmada-system', name: 'karmada-scheduler' },
      { spec: { leaseDurationSeconds: 15 } },
    ),
  },
  'two schedulers run without leader election': {
    breaks: inOrder(
      startedWith('scheduler', '--leader-elect=false'),
      patch(running('scheduler'), { spec: { replicas: 2 }, status: { replicas: 2, readyReplicas: 2 } }),
    ),
    first: 'several-leaders',
    says: /2 replicas of karmada-scheduler act at the same time/,
  },
  'the startup grace period of Pull clusters is a day': {
    breaks: withControllers('--cluster-startup-grace-period=24h'),
    first: 'detection-slow',
    says: /never reports gets a Ready condition only after 24h/,
  },
  'the graceful eviction timeout is a day': {
    breaks: withControllers('--graceful-eviction-timeout=24h'),
    first: 'graceful-timeout-long',
    says: /lasts 24h \(graceful-eviction-timeout\)/,
  },
  'the scheduler uses estimators, and no cluster has one': {
    breaks: estimating(),
    first: 'estimator-down',
    says: /^member1, member2, member3 have no scheduler estimator: /,
    person: startedWith('scheduler'),
  },
  'one of three clusters has no estimator': {
    breaks: inOrder(estimating(), add(...estimators.slice(1))),
    first: 'estimator-down',
    says: /^member1 has no scheduler estimator: .* ignores the estimators of all clusters/,
    person: add(...estimators.slice(0, 1)),
  },
  'the estimator timeout is 0': {
    breaks: inOrder(estimating('--scheduler-estimator-timeout=0'), add(...estimators)),
    first: 'estimator-down',
    says: /waits for no estimator \(scheduler-estimator-timeout=0\)/,
  },
  'the agent of a Pull cluster has no Lease': {
    breaks: patch({ kind: 'Lease', namespace: 'karmada-cluster', name: 'member3' }, null),
    first: 'agent-silent',
    says: /no Lease of the agent of member3 is in karmada-cluster: Ready turns Unknown after 40s/,
    person: restored({ kind: 'Lease', namespace: 'karmada-cluster', name: 'member3' }),
  },
  'a cluster reports no resources': {
    breaks: patch(cluster('member3'), { status: { resourceSummary: null } }),
    first: 'cluster-reports-nothing',
    says: /member3 reports no resources: it gets no replicas that are divided by capacity/,
    person: restored(cluster('member3')),
  },
  'the collection of cluster resources is off': {
    breaks: inOrder(
      withControllers('--enable-cluster-resource-modeling=false'),
      ...['member1', 'member2'].map((name) => patch(cluster(name), { status: { resourceSummary: null } })),
    ),
    first: 'cluster-reports-nothing',
    says: /member1 reports no resources \(--enable-cluster-resource-modeling=false\)/,
    person: restored(cluster('member1'), cluster('member2')),
  },
  'a cluster reports no APIs': {
    breaks: patch(cluster('member3'), { status: { apiEnablements: [] } }),
    first: 'cluster-reports-nothing',
    says: /member3 reports no API that it serves/,
    person: restored(cluster('member3')),
  },
  'application failover never deletes the old copy': {
    breaks: patch(policy, {
      spec: {
        propagateDeps: true,
        failover: { application: { ...ill.failover.application, purgeMode: 'Never' } },
      },
    }),
    first: 'purge-mode-never',
    person: patch(policy, { spec: { failover: null } }),
  },
  'a toleration has another effect than the taint': {
    breaks: inOrder(
      patch(policy, {
        spec: {
          placement: {
            clusterTolerations: [
              { key: 'network', operator: 'Exists', effect: 'NoSchedule' },
              { key: 'disk', operator: 'Exists', effect: 'NoSchedule' },
            ],
          },
        },
      }),
      patch(cluster('member2'), {
        spec: { taints: [{ key: 'network', effect: 'NoExecute', timeAdded: '2026-05-04T09:59:58Z' }] },
      }),
    ),
    first: 'toleration-effect-differs',
    says: /the taint of member2 has NoExecute: the workload is evicted from there/,
  },
  'the affinity group of a workload is no longer in its policy': {
    breaks: inOrder(
      patch(policy, {
        spec: {
          placement: {
            clusterAffinity: null,
            clusterAffinities: [
              { affinityName: 'new', clusterNames: ['member1', 'member2'] },
              { affinityName: 'spare', clusterNames: ['member3'] },
            ],
          },
        },
      }),
      patch(web, { status: { schedulerObservingAffinityName: 'old' } }),
    ),
    first: 'affinity-group-gone',
    says: /placed by the affinity group old, which the placement no longer has/,
    person: patch(web, { status: { schedulerObservingAffinityName: 'new' } }),
  },
};

const more: Record<string, Case> = {
  'only the webhook has the flag for NoExecute': {
    breaks: startedWith('controllerManager', GATE),
    first: 'no-execute-eviction-off',
  },
  'the gate is set twice, and the last value applies': {
    breaks: withControllers('--feature-gates=Failover=false'),
    first: 'failover-gate-off',
  },
  'an invalid purge mode prevents the start of the controllers': {
    breaks: inOrder(
      withControllers('--no-execute-taint-eviction-purge-mode=Direct'),
      patch(running('controllerManager'), { status: { replicas: 1, readyReplicas: 0 } }),
    ),
    first: 'unknown-flag',
    says: /purge-mode=Direct is not Gracefully or Directly/,
    person: inOrder(quiet, patch(running('controllerManager'), { status: { readyReplicas: 1 } })),
  },
  'an entry of the skipped APIs has too many parts': {
    breaks: withControllers('--skipped-propagating-apis=apps/v1/Deployment/web'),
    first: 'unknown-flag',
    says: /is not a list of APIs/,
    person: quiet,
  },
  'the skipped namespaces are not regular expressions of Go': {
    breaks: withControllers('--skipped-propagating-namespaces=kube-.*,(?!shop).*'),
    first: 'unknown-flag',
    says: /is not a list of regular expressions/,
    person: quiet,
  },
  'the list of controllers excludes the binding controller': {
    breaks: withControllers('--controllers=*,-binding'),
    first: 'controller-left-out',
    says: /leaves out binding: no Work is written/,
  },
  'the list of controllers excludes the cluster status controller': {
    breaks: withControllers('--controllers=*,-clusterStatus'),
    first: 'controller-left-out',
    says: /no controller detects the failure of a Push cluster/,
  },
  'a controller name is misspelled': {
    breaks: withControllers('--controllers=*,-gracefuleviction'),
    first: 'controller-unknown',
    says: /gracefuleviction/,
    person: quiet,
  },
  'the namespace of a workload is skipped': {
    breaks: withControllers('--skipped-propagating-namespaces=kube-.*,sh.p'),
    first: 'propagation-skipped',
    person: quiet,
  },
  'a regular expression in Go syntax skips the namespace of a workload': {
    breaks: withControllers('--skipped-propagating-namespaces=(?i)SH[[:alpha:]]P'),
    first: 'propagation-skipped',
    person: quiet,
  },
  'the kind of a workload is skipped': {
    breaks: withControllers('--skipped-propagating-apis=apps/v1/Deployment,StatefulSet'),
    first: 'propagation-skipped',
    says: /skips Deployment shop\/web:/,
    person: quiet,
  },
  'the namespace of a workload is skipped by the first of two flags': {
    breaks: withControllers('--skipped-propagating-namespaces=shop', '--skipped-propagating-namespaces=x'),
    first: 'propagation-skipped',
    person: quiet,
  },
  'the second of two --controllers flags excludes the binding controller': {
    breaks: withControllers('--controllers=*', '--controllers=-binding'),
    first: 'controller-left-out',
    says: /leaves out binding: no Work is written/,
  },
  'a space makes a controller name invalid': {
    breaks: withControllers('--controllers=*, -binding'),
    first: 'controller-unknown',
    person: quiet,
  },
  'karmada-scheduler has another name than the policies select': {
    breaks: startedWith('scheduler', '--scheduler-name=mine'),
    first: 'foreign-scheduler',
    says: /runs as mine, and leaves them to a scheduler default-scheduler/,
    person: startedWith('scheduler'),
  },
  'a policy selects a scheduler that does not exist': {
    breaks: patch(policy, { spec: { schedulerName: 'nobody' } }),
    first: 'foreign-scheduler',
    says: /schedulerName is nobody, and nothing in the state runs under that name/,
    person: patch(policy, { spec: { schedulerName: null } }),
  },
  'the bindings lack the new scheduler of their policy': {
    breaks: unfollowed(policy, { spec: { schedulerName: 'nobody' } }),
    first: 'policy-not-applied',
    says: /schedulerName of the binding differs from PropagationPolicy shop\/web/,
    person: restored(policy),
  },
  'the bindings lack the application failover of their policy': {
    breaks: unfollowed(policy, { spec: ill }),
    first: 'policy-not-applied',
    says: /failover, propagateDeps of the binding differ from/,
    person: restored(policy),
  },
  'a recovered cluster becomes Ready a day late': {
    breaks: withControllers('--cluster-success-threshold=24h'),
    first: 'recovery-slow',
    says: /cluster becomes Ready only after 24h/,
  },
  'no worker syncs Works': {
    breaks: withControllers('--concurrent-work-syncs=0'),
    first: 'queue-without-workers',
    says: /no controller collects the health of copies/,
  },
  'no worker syncs templates': {
    breaks: withControllers('--concurrent-resource-template-syncs=-1'),
    first: 'queue-without-workers',
  },
  'the Secret of a cluster is deleted': {
    breaks: patch(
      cluster('member1'),
      condition('Ready', 'False', 'ClusterSecretMissing', 'secrets "member1" not found'),
    ),
    first: 'cluster-down',
    says: /ClusterSecretMissing: secrets "member1" not found/,
    person: patch(cluster('member1'), condition('Ready', 'True', 'ClusterReady')),
  },
  'the agent of a Pull cluster is down': {
    breaks: patch(cluster('member3'), condition('Ready', 'Unknown', 'ClusterStatusUnknown', 'no status')),
    first: 'cluster-down',
    says: /member3 has not been Ready .*ClusterStatusUnknown/,
    person: patch(cluster('member3'), condition('Ready', 'True', 'ClusterReady')),
  },
  'the affinity excludes every cluster': {
    breaks: patch(policy, {
      spec: {
        placement: {
          clusterAffinity: { clusterNames: null, exclude: ['member1', 'member2', 'member3'] },
        },
      },
    }),
    first: 'placement-selects-no-cluster',
    person: patch(policy, { spec: { placement: { clusterAffinity: { exclude: null } } } }),
  },
  'the estimator of a cluster does not run': {
    breaks: inOrder(estimating(), add(estimator(0), estimator(1, 'member2'), estimator(1, 'member3'))),
    first: 'estimator-down',
    person: patch(
      { kind: 'Deployment', namespace: 'karmada-system', name: 'karmada-scheduler-estimator-member1' },
      { status: { readyReplicas: 1 } },
    ),
  },
  'dispatching to one cluster is suspended': {
    breaks: patch(policy, {
      spec: { suspension: { dispatchingOnClusters: { clusterNames: ['member2'] } } },
    }),
    first: 'dispatching-suspended',
    says: /to member2 is suspended/,
    person: (objects) =>
      ['web-deployment', 'web-service', 'web-config-configmap'].reduce(
        (left, name) => patched(left, { ...web, name }, { spec: { suspension: null } }),
        patched(objects, policy, { spec: { suspension: null } }),
      ),
  },
  'a user has suspended a Work': {
    breaks: patch(
      { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
      { spec: { suspendDispatching: true } },
    ),
    first: 'dispatching-suspended',
    says: /Work karmada-es-member1\/web-5d4f/,
  },
  'a finalizer blocks the deletion of a cluster': {
    breaks: patch(cluster('member3'), {
      metadata: { deletionTimestamp: HOURS_AGO, finalizers: ['backup.example.com/keep'] },
    }),
    first: 'foreign-finalizer',
    says: /Cluster member3 .*backup\.example\.com\/keep/,
    person: patch(cluster('member3'), { metadata: { finalizers: null, deletionTimestamp: null } }),
  },
  'a user has tainted a cluster': {
    breaks: patch(cluster('member2'), {
      spec: { taints: [{ key: 'maintenance', effect: 'NoExecute', timeAdded: HOURS_AGO }] },
    }),
    first: 'taint-orphaned',
    says: /maintenance:NoExecute/,
  },
  'the policy tolerates a failed cluster for a day': {
    breaks: patch(policy, {
      spec: {
        placement: {
          clusterTolerations: [
            {
              key: 'cluster.karmada.io/not-ready',
              operator: 'Exists',
              effect: 'NoExecute',
              tolerationSeconds: 86_400,
            },
          ],
        },
      },
    }),
    first: 'tolerates-long',
    says: /for 24h/,
    person: patch(policy, { spec: { placement: { clusterTolerations: null } } }),
  },
  'a binding is not applied': {
    breaks: patch(web, {
      status: {
        conditions: [
          { type: 'Scheduled', status: 'True', reason: 'Success' },
          ...condition('FullyApplied', 'False', 'FullyAppliedFailed').status.conditions,
        ],
      },
    }),
    first: 'binding-not-applied',
    person: patch(web, condition('Scheduled', 'True', 'Success')),
  },
  'the taint policy selects by a label that no cluster has': {
    breaks: patch(taintPolicy, {
      spec: { targetClusters: { labelSelector: { matchLabels: { tier: 'gold' } } } },
    }),
    first: 'no-evicting-taint',
  },
  'the interpreter is for another kind': {
    breaks: inOrder(
      patch(policy, { spec: ill }),
      patch(web, { spec: { resource: { apiVersion: 'example.com/v1', kind: 'Widget' } } }),
      add(interpreter('Widgets')),
    ),
    first: 'no-health-interpreter',
    person: add({ ...interpreter('Widget'), metadata: { name: 'right' } }),
  },
  'karmada-webhook is scaled to 0': {
    breaks: patch(running('webhook'), {
      spec: { replicas: 0 },
      status: { replicas: 0, readyReplicas: null },
    }),
    first: 'component-down',
    person: patch(running('webhook'), { spec: { replicas: 1 }, status: { replicas: 1, readyReplicas: 1 } }),
  },
  'the graceful eviction timeout is 0': {
    breaks: withControllers('--graceful-eviction-timeout=0s'),
    first: 'graceful-timeout-short',
    says: /after 0s/,
  },
  'the other clusters are full': {
    breaks: inOrder(
      ...['member2', 'member3'].map((name) =>
        patch(cluster(name), {
          status: { resourceSummary: { allocated: { cpu: '16', memory: '64Gi', pods: '110' } } },
        }),
      ),
    ),
    first: 'no-room-elsewhere',
    says: /if member1 fails/,
    person: patch(cluster('member2'), {
      status: { resourceSummary: { allocated: { cpu: '1', memory: '1Gi', pods: '1' } } },
    }),
  },
};

const work2 = { kind: 'Work', namespace: 'karmada-es-member2', name: 'web-5d4f' };
const space2 = { kind: 'Namespace', name: 'karmada-es-member2' };
const service = { kind: 'MultiClusterService', namespace: 'shop', name: 'web' };

const weighted = (weights: Record<string, number>): Change =>
  patch(policy, {
    spec: {
      placement: {
        replicaScheduling: {
          weightPreference: {
            dynamicWeight: null,
            staticWeightList: Object.entries(weights).map(([name, weight]) => ({
              targetCluster: { clusterNames: [name] },
              weight,
            })),
          },
        },
      },
    },
  });

const scaler = (kind: string, spec: object) => ({
  apiVersion: 'autoscaling.karmada.io/v1alpha1',
  kind,
  metadata: { namespace: 'shop', name: 'web' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, ...spec },
});
const cron = (schedule: string, targetReplicas: number) =>
  scaler('CronFederatedHPA', { rules: [{ name: 'night', schedule, targetReplicas }] });
const without =
  (kind: string): Change =>
  (objects) =>
    objects.filter((one) => one.kind !== kind);

const override = (spec: object) => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'OverridePolicy',
  metadata: { namespace: 'shop', name: 'own' },
  spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }], ...spec },
});

const undone: Record<string, Case> = {
  'the Work for one of two clusters is deleted': {
    breaks: patch(work2, null),
    first: 'work-missing',
    says: /placed on member2, and it has no Work there/,
    person: restored(work2),
  },
  'the execution space of a cluster is missing': {
    breaks: patch(space2, null),
    first: 'execution-space-missing',
    says: /member2: its execution space karmada-es-member2 is missing/,
    person: restored(space2),
  },
  'the execution space of a cluster is being deleted': {
    breaks: patch(space2, { metadata: { deletionTimestamp: HOURS_AGO } }),
    first: 'execution-space-missing',
    says: /is being deleted/,
    person: restored(space2),
  },
  'an edit of the policy has not reached the bindings': {
    breaks: unfollowed(policy, {
      spec: { placement: { clusterAffinity: { clusterNames: ['member1', 'member2'] } } },
    }),
    first: 'policy-not-applied',
    says: /karmada-controller-manager has not applied it/,
    person: restored(policy),
  },
  'an edit of a lazy policy has not reached the bindings': {
    breaks: unfollowed(policy, {
      spec: {
        activationPreference: 'Lazy',
        placement: { clusterAffinity: { clusterNames: ['member1', 'member2'] } },
      },
    }),
    first: 'policy-not-applied',
    says: /activationPreference is Lazy/,
    person: restored(policy),
  },
  'the binding of a scaled workload keeps the old number of replicas': {
    breaks: unfollowed({ kind: 'Deployment', name: 'web' }, { spec: { replicas: 9 } }),
    first: 'template-not-applied',
    says: /asks for 9 replicas, and its binding has 4/,
    person: restored({ kind: 'Deployment', namespace: 'shop', name: 'web' }),
  },
  'the policy that claims the binding is deleted': {
    breaks: unfollowed(web, {
      metadata: { annotations: { 'propagationpolicy.karmada.io/name': 'gone' } },
    }),
    first: 'policy-missing',
    says: /claimed by PropagationPolicy shop\/gone/,
    person: restored(web),
  },
  'the binding names a cluster that was unjoined': {
    breaks: patch(web, {
      spec: {
        clusters: [
          { name: 'member1', replicas: 2 },
          { name: 'gone', replicas: 2 },
        ],
      },
    }),
    first: 'placed-on-missing-cluster',
    person: restored(web),
  },
  'the scheduler excludes the plugin TaintToleration': {
    breaks: startedWith('scheduler', '--plugins=*,-TaintToleration'),
    first: 'scheduler-plugin-left-out',
    says: /clusters that failed or are cordoned are chosen/,
  },
  'the list of scheduler plugins is incomplete': {
    breaks: startedWith('scheduler', '--plugins=ClusterAffinity,SpreadConstraint'),
    first: 'scheduler-plugin-left-out',
    says: /leaves out TaintToleration, ClusterEviction, APIEnablement/,
  },
  'a cluster does not serve Deployments': {
    breaks: patch(cluster('member3'), {
      status: {
        apiEnablements: [
          {
            groupVersion: 'v1',
            resources: [
              { kind: 'Service', name: 'services' },
              { kind: 'ConfigMap', name: 'configmaps' },
            ],
          },
        ],
      },
    }),
    first: 'api-not-served',
    says: /the scheduler leaves out member3, which does not serve apps\/v1 Deployment/,
    person: restored(cluster('member3')),
  },
  'the taint policy has its conditions reversed': {
    breaks: patch(taintPolicy, {
      spec: {
        addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
        removeOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] }],
      },
    }),
    first: 'no-evicting-taint',
  },
  'a finalizer blocks the deletion of a policy': {
    breaks: patch(policy, {
      metadata: { deletionTimestamp: HOURS_AGO, finalizers: ['backup.example.com/keep'] },
    }),
    first: 'foreign-finalizer',
    says: /PropagationPolicy shop\/web .*backup\.example\.com\/keep/,
    person: restored(policy),
  },
  'a FederatedHPA gets no metrics': {
    breaks: add({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace: 'shop', name: 'web.fhpa' },
      type: 'Warning',
      reason: 'FailedGetResourceMetric',
      lastTimestamp: '2026-05-04T09:58:00Z',
      message: 'unable to get metrics for resource cpu: no metrics returned from resource metrics API',
      involvedObject: { kind: 'FederatedHPA', namespace: 'shop', name: 'web' },
    }),
    first: 'failure-reported',
    says: /FederatedHPA shop\/web: a metric does not count in scaling \(FailedGetResourceMetric\): unable to get/,
    person: without('Event'),
  },
  'a ResourceInterpreterCustomization reports ready replicas as unhealthy': {
    breaks: inOrder(
      add({
        apiVersion: 'config.karmada.io/v1alpha1',
        kind: 'ResourceInterpreterCustomization',
        metadata: { name: 'deployments' },
        spec: {
          target: { apiVersion: 'apps/v1', kind: 'Deployment' },
          customizations: {
            healthInterpretation: { luaScript: 'function InterpretHealth(o) return false end' },
          },
        },
      }),
      patch(web, {
        status: {
          aggregatedStatus: ['member1', 'member2'].map((clusterName) => ({
            ...{ clusterName, applied: true, health: 'Unhealthy' },
            status: { replicas: 2, readyReplicas: 2, availableReplicas: 2, updatedReplicas: 2 },
          })),
        },
      }),
    ),
    first: 'copy-unhealthy',
    says: /all replicas there are ready: ResourceInterpreterCustomization deployments decides its health/,
    person: restored(web),
  },
  'karmada-scheduler has never scheduled a workload': {
    breaks: inOrder(
      patch(web, {
        spec: { clusters: null },
        status: {
          ...{ conditions: null, lastScheduledTime: null },
          ...{ schedulerObservedGeneration: null, aggregatedStatus: null },
        },
      }),
      ...['member1', 'member2'].map((name) =>
        patch({ kind: 'Work', namespace: `karmada-es-${name}`, name: 'web-5d4f' }, null),
      ),
    ),
    first: 'binding-not-observed',
    says: /has not seen the current spec of Deployment shop\/web \(generation 2, seen 0\)/,
    person: restored(web),
  },
  'kube-controller-manager does not run': {
    breaks: add({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: 'karmada-system', name: 'karmada-kube-controller-manager' },
      spec: { replicas: 1 },
      status: { replicas: 1, unavailableReplicas: 1 },
    }),
    first: 'component-down',
    says: /kube-controller-manager has no ready replica: deleted namespaces stay/,
    person: (objects) =>
      objects.filter(({ metadata }) => metadata.name !== 'karmada-kube-controller-manager'),
  },
  'a failed cluster has a taint whose timeAdded is in the future': {
    breaks: inOrder(
      patch(policy, {
        spec: {
          placement: {
            clusterTolerations: [
              {
                ...{ key: 'cluster.karmada.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
                tolerationSeconds: 30,
              },
            ],
          },
        },
      }),
      down,
      patch(cluster('member1'), {
        spec: {
          taints: [
            {
              ...{ key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' },
              timeAdded: '2026-05-05T10:00:00Z',
            },
          ],
        },
      }),
    ),
    first: 'cluster-down',
    says: /its taint evicts nothing before 2026-05-05T10:00:30Z/,
    person: restored(cluster('member1')),
  },
  'a ResourceInterpreterCustomization is for another version of the kind': {
    breaks: add({
      apiVersion: 'config.karmada.io/v1alpha1',
      kind: 'ResourceInterpreterCustomization',
      metadata: { name: 'deployments' },
      spec: { target: { apiVersion: 'apps/v1beta1', kind: 'Deployment' } },
    }),
    first: 'interpreter-unused',
    says: /is for apps\/v1beta1 Deployment, which no workload has: they are apps\/v1/,
    person: without('ResourceInterpreterCustomization'),
  },
  'a CronFederatedHPA scales on a day that never comes': {
    breaks: add(cron('0 22 30 2 *', 2)),
    first: 'impossible-scaling',
    says: /its months have no such day/,
    person: without('CronFederatedHPA'),
  },
  'a CronFederatedHPA scales to a negative number': {
    breaks: add(cron('0 22 * * *', -2)),
    first: 'impossible-scaling',
    says: /sets -2 replicas/,
    person: without('CronFederatedHPA'),
  },
  'a CronFederatedHPA rule for a FederatedHPA sets no field': {
    breaks: add(
      scaler('CronFederatedHPA', {
        scaleTargetRef: {
          apiVersion: 'autoscaling.karmada.io/v1alpha1',
          kind: 'FederatedHPA',
          name: 'web',
        },
        rules: [{ name: 'night', schedule: '0 22 * * *' }],
      }),
    ),
    first: 'impossible-scaling',
    says: /sets neither targetMinReplicas nor targetMaxReplicas/,
    person: without('CronFederatedHPA'),
  },
  'a FederatedHPA has minReplicas above maxReplicas': {
    breaks: add(scaler('FederatedHPA', { minReplicas: 9, maxReplicas: 2 })),
    first: 'impossible-scaling',
    says: /minReplicas 9 is above maxReplicas 2/,
    person: without('FederatedHPA'),
  },
  'an override writes the replicas': {
    breaks: add(
      override({
        overrideRules: [
          { overriders: { plaintext: [{ path: '/spec/replicas', operator: 'replace', value: 0 }] } },
        ],
      }),
    ),
    first: 'override-writes-replicas',
    person: without('OverridePolicy'),
  },
  'an override uses the deprecated form': {
    breaks: add(
      override({
        overriders: { plaintext: [] },
        targetCluster: { clusterNames: ['member1', 'member2', 'member3'] },
      }),
    ),
    first: 'override-form-deprecated',
  },
  'an alert queries a metric that does not exist': {
    breaks: patch(
      { kind: 'PrometheusRule', namespace: 'monitoring', name: 'karmada' },
      { spec: { groups: [{ rules: [{ alert: 'Lost', expr: 'karmada_evicted_workloads > 1' }] }] } },
    ),
    first: 'alert-on-unknown-metric',
    says: /karmada_evicted_workloads, which no component of Karmada exports/,
    person: restored({ kind: 'PrometheusRule', namespace: 'monitoring', name: 'karmada' }),
  },
  'a MultiClusterService takes endpoints from an unjoined cluster': {
    breaks: patch(service, { spec: { providerClusters: [{ name: 'member1' }, { name: 'gone' }] } }),
    first: 'service-points-to-failed-cluster',
    says: /gone, which does not exist/,
    person: restored(service),
  },
  'static weights omit a cluster': {
    breaks: weighted({ member1: 1, member2: 1 }),
    first: 'weights-leave-out-cluster',
    says: /no weight is for member3/,
    person: weighted({ member1: 1, member2: 1, member3: 1 }),
  },
  'each static weight is 0': {
    breaks: weighted({ member1: 0, member2: 0, member3: 0 }),
    first: 'weights-leave-out-cluster',
    says: /each weight is 0/,
    person: weighted({ member1: 1, member2: 1, member3: 1 }),
  },
};

async function holds({ breaks, first, says, person }: Case): Promise<void> {
  const objects = breaks(healthyObjects());
  const { findings } = await diagnosed(objects, { cured: 1 });
  const [worst] = findings;
  expect(worst?.check).toBe(first);
  if (says) expect(worst!.message).toMatch(says);
  // explain breaks the chain of the workload where doctor does
  const links = await explained();
  const known = new Set(findings.map(({ check, severity }) => `${severity} ${check}`));
  expect(links.filter(({ check, severity }) => !known.has(`${severity} ${check}`))).toEqual([]);
  const web = ['Deployment', 'Widget', 'ResourceBinding'];
  const own = findings.filter(
    ({ theme, check, severity, objects: about }) =>
      ['chain', 'stuck', 'placement', 'application'].includes(theme) &&
      check !== 'workload-down' &&
      severity !== 'note' &&
      about.some(({ kind, name }) => web.includes(kind) && name.startsWith('web')),
  );
  expect(own.filter(({ check }) => !links.some((link) => link.check === check))).toEqual([]);
  const mended = person
    ? person(objects)
    : findings
        .filter(({ check }) => check === first)
        .reduce<Written[] | undefined>((left, one) => left && remedied(left, one), objects);
  expect(mended).toBeDefined();
  const after = await diagnosed(mended!);
  const [left] = [first, 'webhook-refuses-no-execute'].flatMap((id) =>
    after.findings.filter(({ check }) => check === id),
  );
  expect(left?.message).toBeUndefined();
}

describe('given a healthy control plane', () => {
  test.each(Object.entries(switchedOff))(
    'when %s, doctor reports the cause first, and nothing after the fix',
    (_, broken) => holds(broken),
  );

  test.each(Object.entries(switchedOff))(
    'when %s and a cluster is down, doctor reports the cause first, and nothing after the fix',
    (_, { breaks, ...broken }) => holds({ ...broken, breaks: inOrder(down, breaks) }),
  );

  test.each(Object.entries(others))(
    'when %s, doctor reports the cause first, and nothing after the fix',
    (_, broken) => holds(broken),
  );

  test.each(Object.entries(more))(
    'when %s, doctor reports the cause first, and nothing after the fix',
    (_, broken) => holds(broken),
  );

  test.each(Object.entries(undone))(
    'when %s, doctor reports the cause first, and nothing after the fix',
    (_, broken) => holds(broken),
  );

  test.each(Object.entries(hardlyWorking))(
    'when %s, doctor reports the cause first, and nothing after the fix',
    (_, broken) => holds(broken),
  );

  test('when a dependent is missing, explain reports it for the workload and for the dependent', async () => {
    await diagnosed(
      patch(
        { ...web, name: 'web-config-configmap' },
        { spec: { clusters: [{ name: 'member1' }], requiredBy: null } },
      )(healthyObjects()),
    );
    for (const name of ['web-deployment', 'web-config-configmap']) {
      const links = (await explained(name)).filter(({ check }) => check === 'siblings-parted');
      expect(links.map(({ message }) => message)).toEqual([
        'Deployment shop/web runs on member2, where ConfigMap shop/web-config is missing',
      ]);
    }
  });

  test('when only the Service is explained, explain reports that it stays after an application failover', async () => {
    const application = { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Gracefully' };
    await diagnosed(
      inOrder(
        patch(policy, { spec: { propagateDeps: true, failover: { application } } }),
        patch({ ...web, name: 'web-service' }, { spec: { clusters: [{ name: 'member1' }] } }),
      )(healthyObjects()),
    );
    const links = (await explained('web-service')).filter(({ check }) => check === 'sibling-stays-behind');
    expect(links.map(({ message }) => message)).toEqual([
      'Service shop/web stays on member1 when application failover moves Deployment shop/web',
    ]);
  });

  test('when command and args have a removed flag, the remedy removes it from both', () =>
    holds({
      breaks: inContainer({
        command: ['karmada-controller-manager', GATE, '--failover-eviction-timeout=5m', EVICTS],
        args: ['--failover-eviction-timeout=5m'],
      }),
      first: 'unknown-flag',
    }));

  test('when karmada-operator manages the Deployment, the remedy patches its Karmada object', async () => {
    const karmada = {
      apiVersion: 'operator.karmada.io/v1alpha1',
      kind: 'Karmada',
      metadata: { namespace: 'karmada-system', name: 'karmada' },
      spec: { components: { karmadaControllerManager: { featureGates: { Failover: false } } } },
    };
    for (const [args, fields] of [
      [['--feature-gates=Failover=false', EVICTS], { featureGates: { Failover: true } }],
      [[GATE, EVICTS, '--enable-taint-manager=false'], { extraArgs: { 'enable-taint-manager': 'true' } }],
      [
        [GATE, EVICTS, '--failover-eviction-timeout=1m'],
        { extraArgs: { 'failover-eviction-timeout': null } },
      ],
    ] as const) {
      const objects = inOrder(startedWith('controllerManager', ...args), add(karmada))(healthyObjects());
      const [first] = (await diagnosed(objects)).findings;
      expect(first?.remedy?.patches).toEqual([
        {
          target: { apiVersion: karmada.apiVersion, kind: 'Karmada', ...karmada.metadata },
          merge: { spec: { components: { karmadaControllerManager: fields } } },
        },
      ]);
      expect(first?.remedy?.commands).toBeUndefined();
    }
  });

  test('when the scheduler has another Lease by its flags, its former one is not stale', async () => {
    const objects = inOrder(
      startedWith('scheduler', '--leader-elect-resource-name=other-lease'),
      add(leaseHeldBy('karmada-scheduler-5d9c7f8b6-x2x4z_6f1c')),
      patch(
        { kind: 'Lease', namespace: 'karmada-system', name: 'karmada-scheduler' },
        { spec: { renewTime: '2026-05-01T09:59:57.000000Z' } },
      ),
    )(healthyObjects());
    expect((await diagnosed(objects)).findings).toEqual([]);
  });

  test('when a cluster has been down longer than its evictions take, their rate is not the cause', async () => {
    const slow = startedWith('controllerManager', GATE, EVICTS, '--resource-eviction-rate=0.0008');
    const { findings } = await diagnosed(inOrder(down, slow)(healthyObjects()));
    expect(findings.map(({ check }) => check).slice(0, 2)).toEqual(['eviction-rate-slow', 'cluster-down']);
    const later = patch(cluster('member1'), {
      status: {
        conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-05-03T09:00:00Z' }],
      },
    });
    const [first] = (await diagnosed(inOrder(down, later, slow)(healthyObjects()))).findings;
    expect(first?.check).toBe('cluster-down');
  });

  test('when only one workload on a failed cluster tolerates the taint, it does not explain the others', async () => {
    const patience = { clusterTolerations: [{ operator: 'Exists' }] };
    const objects = inOrder(
      down,
      add({
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: { namespace: 'shop', name: 'patient', labels: { [PERMANENT_ID]: 'p2' } },
        spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'Service' }], placement: patience },
      }),
      patch(
        { ...web, name: 'web-service' },
        {
          metadata: {
            labels: { [PERMANENT_ID]: 'p2' },
            annotations: {
              'propagationpolicy.karmada.io/name': 'patient',
              'policy.karmada.io/applied-placement': JSON.stringify(patience),
            },
          },
          spec: { placement: patience },
        },
      ),
    )(healthyObjects());
    const { findings } = await diagnosed(objects);
    expect(findings[0]?.check).toBe('cluster-down');
    expect(findings.find(({ check }) => check === 'tolerates-forever')?.severity).toBe('warning');
  });

  test.each(['example.com/audit', 'karmada.io/other', 'foregroundDeletion'])(
    'when a ClusterTaintPolicy in deletion waits for %s, doctor names the finalizer until it is removed',
    (finalizer) =>
      holds({
        breaks: patch(taintPolicy, {
          metadata: { deletionTimestamp: '2026-05-04T09:00:00Z', finalizers: [finalizer] },
        }),
        first: 'foreign-finalizer',
        says: new RegExp(`ClusterTaintPolicy ready .*${finalizer}.*until then it adds its taints`),
        person: patch(taintPolicy, { metadata: { deletionTimestamp: null, finalizers: null } }),
      }),
  );

  test("when one of Karmada's own objects in deletion waits for another program, doctor names it", () =>
    holds({
      breaks: add({
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'FederatedResourceQuota',
        metadata: {
          ...{ namespace: 'shop', name: 'all', deletionTimestamp: '2026-05-04T09:00:00Z' },
          finalizers: ['example.com/audit'],
        },
        spec: { overall: { cpu: '100' } },
      }),
      first: 'foreign-finalizer',
      says: /FederatedResourceQuota shop\/all .*example\.com\/audit/,
      person: patch(
        { kind: 'FederatedResourceQuota', namespace: 'shop', name: 'all' },
        { metadata: { deletionTimestamp: null } },
      ),
    }));

  describe('doctor, for a policy with several selectors,', () => {
    const [deployments, services] = [
      { apiVersion: 'apps/v1', kind: 'Deployment' },
      { apiVersion: 'v1', kind: 'Service' },
    ];
    const cases: [what: string, selector: object, says: string[]][] = [
      [
        'notes a selector by a name that no object has',
        { ...services, name: 'wbe' },
        ['note PropagationPolicy shop/web: no workload belongs to its spec.resourceSelectors[1]'],
      ],
      [
        'notes a selector by labels that no object has',
        { ...deployments, labelSelector: { matchLabels: { app: 'none' } } },
        ['note PropagationPolicy shop/web: no workload belongs to its spec.resourceSelectors[1]'],
      ],
      ['ignores a selector of a kind without objects', { apiVersion: 'v1', kind: 'Secret' }, []],
      ['ignores a selector that another selector covers', { ...deployments, name: 'web' }, []],
    ];
    test('ignores a kind without objects if all selectors have the same labels', async () => {
      const labelSelector = { matchLabels: { app: 'web' } };
      const objects = inOrder(
        patch(
          { kind: 'Deployment', namespace: 'shop', name: 'web' },
          { metadata: { labels: { app: 'web' } } },
        ),
        patch(policy, {
          spec: {
            resourceSelectors: [
              { ...deployments, labelSelector },
              { apiVersion: 'v1', kind: 'Secret', labelSelector },
            ],
          },
        }),
      )(healthyObjects());
      const { findings } = await diagnosed(objects, { only: ['policy-selects-nothing'] });
      expect(findings).toEqual([]);
    });

    test.each(cases)('%s', async (_, selector, says) => {
      const breaks = patch(policy, { spec: { resourceSelectors: [deployments, selector] } });
      const { findings } = await diagnosed(breaks(healthyObjects()), { only: ['policy-selects-nothing'] });
      expect(findings.map(({ severity, message }) => `${severity} ${message}`)).toEqual(says);
    });

    test('warns of a selector with a wrong name if a workload is not selected', async () => {
      const objects = inOrder(
        patch(policy, { spec: { resourceSelectors: [services, { ...deployments, name: 'wbe' }] } }),
        patch(web, null),
        patch({ kind: 'Deployment', namespace: 'shop', name: 'web' }, { metadata: { labels: null } }),
      )(healthyObjects());
      const [first] = (await diagnosed(objects)).findings;
      expect(first).toMatchObject({
        check: 'policy-selects-nothing',
        severity: 'warning',
        message: expect.stringMatching(
          /its spec\.resourceSelectors\[1\]: its selector names wbe, and no policy selects Deployment shop\/web/,
        ),
      });
    });
  });

  test('notes about bugs of the release come after all other notes', async () => {
    const objects = patched(changed({ version: 'v1.16.3' }), policy, {
      spec: {
        resourceSelectors: [
          { apiVersion: 'apps/v1', kind: 'Deployment' },
          { apiVersion: 'v1', kind: 'Service', name: 'wbe' },
        ],
      },
    });
    const { findings } = await diagnosed(objects);
    const themes = findings.filter(({ severity }) => severity === 'note').map(({ theme }) => theme);
    expect(new Set(themes).size).toBeGreaterThan(1);
    expect(themes.indexOf('releases')).toBe(themes.filter((theme) => theme !== 'releases').length);
  });

  test('when nothing changes, doctor has no findings', async () => {
    const { findings } = await diagnosed(changed({}));
    expect(findings).toEqual([]);
  });
});
