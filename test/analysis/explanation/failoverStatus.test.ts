import { describe, expect, test } from '@jest/globals';
import { lossesOf } from '../../../src/analysis/forecast/costOfLoss.ts';
import { failoverStatus } from '../../../src/analysis/explanation/failoverStatus.ts';
import { failoverSwitch } from '../../../src/analysis/explanation/failoverSwitch.ts';
import { bindingIdentity, workloadIdentity } from '../../../src/karmada/objects/identities.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';

const cluster = (name: string, { ready = 'True', ...spec }: Record<string, unknown> = {}) =>
  ({ metadata: { name }, spec, status: { conditions: [{ type: 'Ready', status: ready }] } }) as Cluster;

const policy = (name: string, status: string, key: string, targets?: string[]): ClusterTaintPolicy => ({
  metadata: { name, creationTimestamp: '2026-08-01T00:00:00Z' },
  spec: {
    ...(targets ? { targetClusters: { clusterNames: targets } } : {}),
    addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: [status] }],
    removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
    taints: [{ key, effect: 'NoExecute' }],
  },
});
const notReady = policy('not-ready', 'False', 'cluster.karmada.io/not-ready');
const unreachable = policy('unreachable', 'Unknown', 'cluster.karmada.io/unreachable');

const { defaults } = v1_18;
const switchedOn: Configuration = {
  ...defaults,
  featureGates: { ...defaults.featureGates, Failover: true },
  controllerManager: { ...defaults.controllerManager, 'enable-no-execute-taint-eviction': true },
};

describe('failover', () => {
  const fleet = [cluster('frankfurt'), cluster('tokyo', { syncMode: 'Pull' })];

  test('is on with the gate, the flag, and a policy for each Ready status of a failed cluster', () => {
    expect(failoverSwitch(fleet, [notReady, unreachable], switchedOn)).toEqual({
      state: 'on',
      certainty: 'certain',
      reasons: [],
      uncovered: [],
    });
  });

  test('is off with the defaults, and each missing link is listed', () => {
    const { state, reasons } = failoverSwitch(fleet, [], defaults);
    expect(state).toBe('off');
    expect(reasons).toEqual([
      expect.stringContaining('feature gate Failover is false'),
      expect.stringContaining('enable-no-execute-taint-eviction is false'),
      expect.stringContaining('no ClusterTaintPolicy'),
    ]);
  });

  test('is unknown if the flags that decide are unknown', () => {
    const guessed = new Set(['Failover', 'resource-eviction-rate']);
    expect(failoverSwitch(fleet, [notReady, unreachable], defaults, guessed)).toMatchObject({
      state: 'off',
      certainty: 'unknown',
      missing: expect.stringContaining('the state does not show Failover;'),
    });
  });

  test('is certainly off if a known flag is off, whatever the unknown policies are', () => {
    const unknown = 'are not in the state';
    expect(failoverSwitch(fleet, [], defaults, new Set(), unknown)).toMatchObject({
      state: 'off',
      certainty: 'certain',
    });
    expect(failoverSwitch(fleet, [], switchedOn, new Set(), unknown)).toMatchObject({
      state: 'by-hand',
      certainty: 'unknown',
    });
  });

  describe('with assumed flags', () => {
    const guessed = new Set(['Failover', 'enable-no-execute-taint-eviction']);
    const switchOf = (clusters: Cluster[], bindings: ResourceBinding[], unverified = guessed) =>
      failoverSwitch(clusters, [notReady, unreachable], defaults, unverified, undefined, undefined, bindings);
    const evicted = {
      metadata: { name: 'web-deployment', namespace: 'shop' },
      spec: {
        gracefulEvictionTasks: [
          { fromCluster: 'frankfurt', producer: 'TaintManager', reason: 'TaintUntolerated' },
        ],
      },
    } as ResourceBinding;
    const tainted = cluster('frankfurt', {
      ready: 'False',
      taints: [
        { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute', timeAdded: '2026-08-02T00:00:00Z' },
      ],
    });

    test('an eviction by the taint manager proves the gate and the flag', () => {
      expect(switchOf(fleet, [evicted])).toMatchObject({
        state: 'on',
        certainty: 'unknown',
        inferred: [
          'Failover was true, against its default, when the taint manager began the eviction in flight',
          'enable-no-execute-taint-eviction was true, against its default, when the taint manager began the eviction in flight',
        ],
      });
    });

    test('a NoExecute taint of a policy proves the gate, and the other flag is reported missing', () => {
      expect(switchOf([tainted, fleet[1]!], [])).toMatchObject({
        state: 'unknown',
        certainty: 'unknown',
        inferred: [
          expect.stringMatching(/^Failover was true, against its default, when frankfurt got the taint/),
        ],
        missing: expect.stringContaining('enable-no-execute-taint-eviction'),
      });
    });

    test('evidence from opening the state is repeated', () => {
      const known = new Map([['Failover', 'the taint manager began 5 evictions']]);
      const policies = [notReady, unreachable];
      const reported = failoverSwitch(fleet, policies, switchedOn, guessed, undefined, undefined, [], known);
      expect(reported).toMatchObject({
        state: 'on',
        certainty: 'unknown',
        inferred: ['Failover was true, against its default, when the taint manager began 5 evictions'],
      });
    });

    test('a confirmed flag takes precedence: an eviction in flight may have started before', () => {
      expect(switchOf(fleet, [evicted], new Set())).toMatchObject({ state: 'off', certainty: 'certain' });
    });

    test('evictions of other producers prove nothing', () => {
      const [task] = evicted.spec.gracefulEvictionTasks!;
      const others = {
        ...evicted,
        spec: { ...evicted.spec, gracefulEvictionTasks: [{ ...task!, producer: 'x' }] },
      };
      const reported = switchOf(fleet, [others]);
      expect(reported).toMatchObject({ state: 'off', certainty: 'unknown' });
      expect(reported.inferred).toBeUndefined();
    });
  });

  test('is manual if no policy sets NoExecute taints', () => {
    expect(failoverSwitch(fleet, [], switchedOn).state).toBe('by-hand');
  });

  test('depends only on the gate up to v1.13, where Karmada taints failed clusters itself', () => {
    const old = dialectOf('v1.13.10').dialect.defaults;
    const gate = { ...old, featureGates: { ...old.featureGates, Failover: true } };
    expect(failoverSwitch(fleet, [], gate)).toMatchObject({ state: 'on', reasons: [] });
    expect(failoverSwitch(fleet, [], old, new Set(['Failover']))).toMatchObject({
      state: 'by-hand',
      certainty: 'unknown',
      reasons: [expect.stringContaining('Failover is assumed to be false')],
    });
  });

  test('is partial if policies do not cover all clusters, such as a Pull cluster that becomes Unknown', () => {
    expect(failoverSwitch(fleet, [notReady], switchedOn)).toMatchObject({
      state: 'partly',
      uncovered: ['tokyo'],
    });
    const forTokyo = policy('tokyo', 'Unknown', 'x', ['tokyo']);
    expect(failoverSwitch(fleet, [forTokyo], switchedOn).uncovered).toEqual(['frankfurt']);
  });
});

describe('the status of clusters', () => {
  const binding = {
    kind: 'ResourceBinding',
    metadata: { namespace: 'shop', name: 'cart-deployment' },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'cart' },
      clusters: [{ name: 'dublin', replicas: 3 }],
      gracefulEvictionTasks: [
        { fromCluster: 'frankfurt', replicas: 2, reason: 'TaintUntolerated', producer: 'TaintManager' },
      ],
    },
    status: { aggregatedStatus: [{ clusterName: 'frankfurt', health: 'Healthy' }] },
  } as ResourceBinding;
  const world: World = {
    clusters: [cluster('frankfurt', { ready: 'False' }), cluster('dublin')],
    bindings: [binding],
    works: [],
    policies: [],
    taintPolicies: [notReady],
    others: [],
  };

  test('counts workloads, replicas and evictions, sorted by cluster name', () => {
    const { clusters } = failoverStatus(world, { configuration: switchedOn });
    expect(clusters).toMatchObject([
      { name: 'dublin', ready: { status: 'True' }, workloads: 1, replicas: 3, evicting: 0 },
      { name: 'frankfurt', ready: { status: 'False' }, workloads: 0, replicas: 0, evicting: 1 },
    ]);
    expect(clusters[0]).not.toHaveProperty('bindings');
  });

  test('lists the owner of each taint, and whether the conditions of its policy still hold', () => {
    const since = '2026-08-20T00:00:00Z';
    const tainted = (name: string, ready: string) =>
      cluster(name, {
        ready,
        taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoExecute', timeAdded: since }],
      });
    const clusters = [tainted('dublin', 'False'), tainted('frankfurt', 'True')];
    const reported = failoverStatus({ ...world, clusters }, { configuration: switchedOn });
    const taint = {
      taint: 'cluster.karmada.io/not-ready:NoExecute',
      effect: 'NoExecute',
      since,
      owner: 'policy',
      certainty: 'estimate',
      policies: ['not-ready'],
    };
    expect(reported.clusters.map(({ taints }) => taints)).toEqual([
      [taint],
      [{ ...taint, note: 'its addOnConditions no longer hold' }],
    ]);
  });

  test('lists the bindings of the selected cluster with their forecast', () => {
    const question = {
      configuration: switchedOn,
      cluster: 'frankfurt',
      forecast: (name: string) =>
        lossesOf([
          {
            ...workloadIdentity(world.bindings[0]!),
            binding: bindingIdentity(world.bindings[0]!),
            before: [{ name }],
            outcome: 'moves',
            after: [{ name: 'dublin' }],
            evicting: [],
            certainty: 'estimate',
            possibleEnds: [[{ name: 'dublin' }], []],
          },
        ]),
    };
    expect(failoverStatus(world, question).clusters).toMatchObject([
      {
        name: 'frankfurt',
        bindings: [
          {
            replicas: 2,
            health: 'Healthy',
            stale: true,
            evicting: true,
            ifItFails: { outcome: 'moves', certainty: 'estimate', possibleEnds: [[{ name: 'dublin' }], []] },
          },
        ],
        ifItFails: { moves: 1 },
        uncertainIfItFails: 1,
      },
    ]);
  });

  test('reports no replicas for a workload without replicas, even if the state has a 0', () => {
    const web = world.bindings[0]!;
    const spec = { ...web.spec, clusters: [{ name: 'dublin', replicas: 0 }] };
    const { clusters } = failoverStatus(
      { ...world, bindings: [{ ...web, spec }] },
      { configuration: defaults, cluster: 'dublin' },
    );
    expect(clusters[0]!.bindings).toMatchObject([{ replicas: null }]);
  });

  test('lists the rules that add and remove taints, the built-in ones first', () => {
    const { taintRules } = failoverStatus(world, { configuration: defaults });
    expect(taintRules.map(({ by, taints }) => [by, taints])).toEqual([
      ['cluster-controller', ['cluster.karmada.io/not-ready:NoSchedule']],
      ['cluster-controller', ['cluster.karmada.io/unreachable:NoSchedule']],
      [{ kind: 'ClusterTaintPolicy', name: 'not-ready' }, ['cluster.karmada.io/not-ready:NoExecute']],
    ]);
    expect(taintRules[2]).toMatchObject({
      addedWhen: ['Ready In [False]'],
      removedWhen: ['Ready In [True]'],
      clusters: null,
    });
  });

  test('shows that v1.13 evicts without policies, with the gate Failover', () => {
    const old = dialectOf('v1.13.10').dialect.defaults;
    const text = (failover: boolean) =>
      failoverStatus(
        { ...world, taintPolicies: [] },
        { configuration: { ...old, featureGates: { ...old.featureGates, Failover: failover } } },
      )
        .taintRules.slice(2)
        .map(({ taints, addedWhen, removedWhen }) => [...taints, addedWhen, removedWhen]);
    expect(text(true)).toEqual([
      [
        'cluster.karmada.io/not-ready:NoExecute',
        ['Ready is False for longer than 5m'],
        ['Ready is True, or Unknown for longer than 5m'],
      ],
      [
        'cluster.karmada.io/unreachable:NoExecute',
        ['Ready is Unknown for longer than 5m'],
        ['Ready is True, or False for longer than 5m'],
      ],
      ['cluster.karmada.io/terminating:NoExecute', ['the Cluster is being deleted'], []],
    ]);
    expect(text(false)[0]).toEqual(['cluster.karmada.io/not-ready:NoExecute', [], ['Ready is True']]);
  });
});

describe('the status of a cluster in deletion', () => {
  const deleted = cluster('pull1', { syncMode: 'Pull', ready: 'Unknown' });
  deleted.metadata.deletionTimestamp = '2026-08-31T12:00:00Z';
  const labels = { 'resourcebinding.karmada.io/permanent-id': 'one' };
  const work = {
    metadata: {
      name: 'web-1',
      namespace: 'karmada-es-pull1',
      labels,
      finalizers: ['karmada.io/execution-controller', 'example.com/keep'],
      deletionTimestamp: '2026-08-31T12:00:03Z',
    },
    spec: { workload: { manifests: [{ spec: { replicas: 2 } }] } },
  };
  const bindingOn = (name: string) => ({
    metadata: { name: 'web-deployment', namespace: 'shop', labels },
    spec: {
      resource: { kind: 'Deployment', namespace: 'shop', name: 'web' },
      clusters: [{ name, replicas: 2 }],
    },
  });
  const statusOf = (binding: object, works: object[]) =>
    failoverStatus(
      {
        clusters: [deleted],
        bindings: [binding],
        works,
        policies: [],
        taintPolicies: [],
        others: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'karmada-es-pull1' } }],
      } as unknown as World,
      { configuration: switchedOn, cluster: 'pull1' },
    ).clusters[0]!;

  test('lists the Works with finalizers, the execution space and the bindings that delay the deletion', () => {
    expect(statusOf(bindingOn('pull1'), [work]).deletion).toEqual({
      since: '2026-08-31T12:00:00Z',
      waitsFor: [
        'Work karmada-es-pull1/web-1: its finalizer karmada.io/execution-controller waits until the cluster controller removes it: the agent of pull1 does not report; the copy there is orphaned; other programs must remove example.com/keep',
        'the execution space karmada-es-pull1, which is deleted with the last Work in it',
        'binding shop/web-deployment still names it: the scheduler moves it away',
      ],
    });
  });

  test('includes a moved workload as long as its Work exists', () => {
    expect(statusOf(bindingOn('push2'), [work])).toMatchObject({
      workloads: 1,
      replicas: 2,
      bindings: [{ workload: { name: 'web' }, replicas: 2, left: true }],
    });
    expect(statusOf(bindingOn('push2'), [])).toMatchObject({ workloads: 0, replicas: 0, bindings: [] });
  });
});
