import { describe, expect, test } from '@jest/globals';
import { plainNames } from '../../../src/karmada/configuration/inputNames.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Taint, Toleration } from '../../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { v1_18 } from '../../dialects.ts';
import { applicationFailoverLinks } from '../../../src/analysis/explanation/links/applicationFailoverLinks.ts';
import { clusterFailoverLinks } from '../../../src/analysis/explanation/links/clusterFailoverLinks.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';

const tolerate = (key: string, tolerationSeconds?: number): Toleration => ({
  key: `cluster.karmada.io/${key}`,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

interface Setting {
  configuration?: Configuration;
  unverified?: string[];
  proven?: ReadonlyMap<string, string>;
  clusters?: Cluster[];
  taintPolicies?: ClusterTaintPolicy[];
  /** of the applied placement */
  tolerations?: Toleration[];
  binding?: (binding: ResourceBinding) => ResourceBinding;
}

function links(setting: Setting = {}) {
  const placement = { clusterTolerations: setting.tolerations ?? [] };
  const binding = deployment('cart', { placement, replicas: 3, clusters: [{ name: 'east-1', replicas: 3 }] });
  const found = clusterFailoverLinks({
    binding: setting.binding?.(binding) ?? binding,
    clusters: setting.clusters ?? [cluster('east-1')],
    fleet: [],
    taintPolicies: setting.taintPolicies ?? world([], []).taintPolicies,
    configuration: setting.configuration ?? failoverOn,
    unverified: new Set(setting.unverified),
    proven: setting.proven,
    names: plainNames,
    now: START,
  });
  return new Map(found.map((link) => [link.id, link]));
}
const spec = (more: Partial<ResourceBindingSpec>) => (binding: ResourceBinding) => ({
  ...binding,
  spec: { ...binding.spec, ...more },
});

test('each cluster depends only on the taint policies that target it', () => {
  const [policy] = world([], []).taintPolicies;
  const onlyOn = (name: string, key: string): ClusterTaintPolicy => ({
    ...policy!,
    metadata: { name: `taints-${name}` },
    spec: {
      ...policy!.spec,
      targetClusters: { clusterNames: [name] },
      taints: [{ key, effect: 'NoExecute' }],
    },
  });
  const placement = { clusterTolerations: [] };
  const found = clusterFailoverLinks({
    binding: deployment('cart', { placement, replicas: 1, clusters: [{ name: 'east-1', replicas: 1 }] }),
    clusters: [cluster('east-1'), cluster('east-2')],
    fleet: [],
    taintPolicies: [onlyOn('east-1', 'one'), onlyOn('east-2', 'two')],
    configuration: failoverOn,
    unverified: new Set(),
    names: plainNames,
    now: START,
  }).filter(({ id }) => id === 'no-execute-taint');
  expect(found.map(({ text }) => text)).toEqual([
    'east-1 would get one:NoExecute when it fails',
    'east-2 would get two:NoExecute when it fails',
  ]);
  const named = found.map(({ evidence }) => JSON.stringify(evidence));
  expect(named[0]).toContain('taints-east-1');
  expect(named[0]).not.toContain('taints-east-2');
  expect(named[1]).toContain('taints-east-2');
  expect(named[1]).not.toContain('taints-east-1');
});

test('all links hold for a workload that is evicted from a failed cluster', () => {
  expect([...links()].map(([id, { state }]) => [id, state])).toEqual([
    ['failover-gate', 'holds'],
    ['taint-manager', 'holds'],
    ['no-execute-eviction', 'holds'],
    ['no-execute-taint', 'holds'],
    ['applied-placement', 'holds'],
    ['tolerations', 'holds'],
    ['scheduler', 'holds'],
  ]);
});

describe('if failover is on and nothing moves, the broken link is', () => {
  test.each([
    ['failover-gate', { featureGates: { ...failoverOn.featureGates, Failover: false } }],
    [
      'taint-manager',
      { controllerManager: { ...failoverOn.controllerManager, 'enable-taint-manager': false } },
    ],
    [
      'no-execute-eviction',
      { controllerManager: { ...failoverOn.controllerManager, 'enable-no-execute-taint-eviction': false } },
    ],
  ])('%s, with the flag that enables it', (id, more) => {
    const link = links({ configuration: { ...failoverOn, ...more } }).get(id);
    expect(link).toMatchObject({
      state: 'broken',
      fix: expect.stringMatching(/^start karmada-contr.*=true$/),
    });
  });

  test('an unverified gate with its assumed value, and the assumption to set', () => {
    const link = links({ configuration: v1_18.defaults, unverified: ['Failover'] }).get('failover-gate');
    expect(link).toMatchObject({
      state: 'broken',
      text: expect.stringContaining('Failover=false is the default'),
      fix: expect.stringContaining('set the assumption Failover=true'),
      evidence: [{ certainty: 'unknown', missing: 'the assumption Failover=VALUE' }],
    });
    expect(links({ unverified: ['Failover'] }).get('failover-gate')).toMatchObject({ state: 'unknown' });
    const proven = new Map([['Failover', 'the taint manager began 5 evictions']]);
    expect(links({ unverified: ['Failover'], proven }).get('failover-gate')).toMatchObject({
      state: 'unknown',
      text: expect.stringMatching(/^Failover=true when the taint manager began 5 evictions;/),
    });
  });

  test('a missing NoExecute taint, with the policy that would add it', () => {
    expect(links({ taintPolicies: [] }).get('no-execute-taint')).toMatchObject({
      state: 'broken',
      text: expect.stringContaining('no NoExecute taint is added to east-1'),
      fix: expect.stringContaining('adds cluster.karmada.io/not-ready:NoExecute while Ready is False'),
      evidence: [{ rule: 'there is no ClusterTaintPolicy' }],
    });
    const pull = { ...cluster('east-1'), spec: { syncMode: 'Pull' as const } };
    expect(links({ taintPolicies: [], clusters: [pull] }).get('no-execute-taint')).toMatchObject({
      fix: expect.stringContaining('cluster.karmada.io/unreachable:NoExecute while Ready is Unknown'),
    });
  });

  test('a toleration without an end', () => {
    expect(links({ tolerations: [tolerate('not-ready')] }).get('tolerations')).toMatchObject({
      state: 'broken',
      text: 'tolerates cluster.karmada.io/not-ready forever: Karmada never evicts it from a failed cluster',
    });
  });

  test('a taint without timeAdded, whose tolerations never end', () => {
    const taint: Taint = { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' };
    const tainted = links({
      clusters: [cluster('east-1', [taint])],
      tolerations: [tolerate('not-ready', 60)],
    });
    expect(tainted.get('tolerations')).toMatchObject({
      state: 'broken',
      text: expect.stringContaining('the toleration never expires'),
    });
  });

  test('an applied placement that is missing or cannot be read', () => {
    const annotated = (annotations: Record<string, string>) =>
      links({ binding: (one) => ({ ...one, metadata: { ...one.metadata, annotations } }) }).get(
        'applied-placement',
      );
    expect(annotated({})).toMatchObject({ state: 'broken', text: expect.stringContaining('no scheduler') });
    expect(annotated({ 'policy.karmada.io/applied-placement': '{' })).toMatchObject({
      state: 'broken',
      text: expect.stringContaining('cannot be read'),
    });
  });

  test('suspended scheduling, another scheduler, or a missing policy label', () => {
    expect(
      links({ binding: spec({ suspension: { scheduling: true } }) }).get('scheduling-suspended'),
    ).toMatchObject({
      state: 'broken',
    });
    expect(links({ binding: spec({ schedulerName: 'mine' }) }).get('scheduler-name')).toMatchObject({
      state: 'unknown',
      text: 'the scheduler mine decides, with its own rules',
    });
    const unlabelled = links({ binding: (one) => ({ ...one, metadata: { ...one.metadata, labels: {} } }) });
    // A cluster change triggers the scheduler for bindings without labels, too: it may still be rescheduled.
    expect(unlabelled.get('managed')).toMatchObject({
      state: 'limits',
      text: expect.stringContaining('only after a change of a candidate cluster'),
    });
  });

  test('a binding that the scheduler cannot place', () => {
    const failing = links({
      binding: (one) => ({
        ...one,
        status: {
          conditions: [
            { type: 'Scheduled', status: 'False', reason: 'NoClusterFit', message: '0/1 clusters' },
          ],
        },
      }),
    });
    expect(failing.get('scheduled')).toMatchObject({
      state: 'broken',
      text: 'not scheduled yet: NoClusterFit',
      evidence: [{ rule: '0/1 clusters', field: 'status.conditions[0].reason' }],
    });
  });

  test('suspended dispatching, if it covers every cluster', () => {
    const on = (clusterNames: string[]) =>
      links({ binding: spec({ suspension: { dispatchingOnClusters: { clusterNames } } }) }).get(
        'dispatching-suspended',
      );
    expect(on(['east-1'])).toMatchObject({ state: 'broken' });
    expect(on(['west-1'])).toMatchObject({ state: 'limits' });
  });
});

describe('a limiting link', () => {
  test('is a toleration with an end', () => {
    expect(links({ tolerations: [tolerate('not-ready', 60)] }).get('tolerations')).toMatchObject({
      state: 'limits',
      text: 'tolerates cluster.karmada.io/not-ready for 1m, then leaves',
    });
  });

  test('is a difference between the tolerations of spec.placement and of the applied placement', () => {
    const placement = { clusterTolerations: [tolerate('not-ready')] };
    expect(links({ binding: spec({ placement }) }).get('applied-tolerations')).toMatchObject({
      state: 'limits',
      evidence: [
        { rule: 'wanted', value: placement.clusterTolerations },
        { rule: 'applied', value: [] },
      ],
    });
  });

  test('is purge mode Directly, or a disabled gate for state preservation', () => {
    const cluster = { purgeMode: 'Directly' as const, statePreservation: { rules: [] } };
    expect(links({ binding: spec({ failover: { cluster } }) }).get('purge-mode')).toMatchObject({
      state: 'limits',
    });
    const { featureGates } = failoverOn;
    const configuration = {
      ...failoverOn,
      featureGates: { ...featureGates, StatefulFailoverInjection: false },
    };
    expect(
      links({ configuration, binding: spec({ failover: { cluster } }) }).get('state-preservation'),
    ).toMatchObject({ state: 'limits' });
  });

  test('is a cluster that is not Ready and not tainted yet', () => {
    const failed = cluster('east-1');
    const conditions = [{ type: 'Ready', status: 'False' as const }];
    expect(
      links({ clusters: [{ ...failed, status: { ...failed.status, conditions } }] }).get('no-execute-taint'),
    ).toMatchObject({ state: 'limits', text: expect.stringContaining('is pending') });
  });
});

describe('application failover', () => {
  const ask = (more: Partial<ResourceBindingSpec>, readyAfterSeconds = 20) => {
    const application = { decisionConditions: { tolerationSeconds: 60 }, purgeMode: 'Gracefully' as const };
    const binding = spec({ propagateDeps: true, failover: { application }, ...more })(
      deployment('cart', { placement: {}, clusters: [{ name: 'east-1', replicas: 3 }], replicas: 3 }),
    );
    const workloadReadyAfter = readyAfterSeconds * 1000;
    const question = { configuration: failoverOn, workloadReadyAfter, names: plainNames };
    return new Map(applicationFailoverLinks(binding, [], question).map((link) => [link.id, link]));
  };

  test('has no links if the policy does not enable it', () => {
    expect(ask({ failover: {} }).size).toBe(0);
  });

  test('has two holding links: the health interpreter and the toleration', () => {
    expect([...ask({})].map(([id, { state }]) => [id, state])).toEqual([
      ['health-interpreter', 'holds'],
      ['unhealthy-toleration', 'holds'],
    ]);
  });

  test('is broken without propagateDeps, and for kinds without a health interpreter', () => {
    expect(ask({ propagateDeps: false }).get('propagate-deps')).toMatchObject({
      state: 'broken',
      fix: 'set spec.propagateDeps: true in the policy',
    });
    const resource = { apiVersion: 'example.com/v1', kind: 'Game', namespace: 'shop', name: 'go' };
    expect(ask({ resource }).get('health-interpreter')).toMatchObject({ state: 'broken' });
  });

  test('is limited if the toleration is shorter than the start of a replica', () => {
    expect(ask({}, 90).get('startup-time')).toMatchObject({
      state: 'limits',
      text: expect.stringContaining('need 1m30s, and only 1m'),
    });
  });
});
