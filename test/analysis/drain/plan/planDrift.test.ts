import { describe, expect, test } from '@jest/globals';
import { cordoned, drainTainted } from '../../../../src/analysis/drain/cordon.ts';
import type { DrainOptions } from '../../../../src/analysis/drain/drainOptions.ts';
import { evictFromClusters } from '../../../../src/analysis/drain/drainTasks.ts';
import { planBasis } from '../../../../src/analysis/drain/plan/planBasis.ts';
import { planDrift } from '../../../../src/analysis/drain/plan/planDrift.ts';
import type { World } from '../../../../src/karmada/world.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../../../src/karmada/api/work.ts';
import { planDriftText } from '../../../../src/views/drain/beforeDrain.ts';
import { handmadePlan, options as handmadeOptions, planned } from '../../../views/drain/handmadePlan.ts';

const cluster = (name: string, more: Partial<Cluster> = {}): Cluster => ({
  metadata: { name, uid: `uid-of-${name}`, resourceVersion: '1', labels: { tier: 'gold' } },
  spec: { region: 'eu' },
  status: {
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-09-01T09:00:00Z' }],
    resourceSummary: { allocated: { cpu: '3' } },
  },
  ...more,
});

const everywhere = [
  'frankfurt',
  'dublin',
  'virginia',
  'oregon',
  'tokyo',
  'osaka',
  'seoul',
  'sydney',
  'perth',
  'auckland',
];
const binding = (name: string, spec: Partial<ResourceBindingSpec> = {}): ResourceBinding => ({
  kind: 'ResourceBinding',
  metadata: { namespace: 'shop', name: `${name}-deployment`, uid: `uid-of-${name}`, resourceVersion: '1' },
  spec: {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name, resourceVersion: '5' },
    replicas: 3,
    clusters: [{ name: 'frankfurt', replicas: 3 }],
    placement: { clusterAffinity: { clusterNames: everywhere } },
    ...spec,
  },
});

const world = (parts: Partial<World>): World => ({
  clusters: [cluster('frankfurt'), cluster('dublin')],
  bindings: [binding('cart'), binding('search')],
  works: [],
  policies: [],
  taintPolicies: [],
  others: [],
  ...parts,
});

const options: DrainOptions = handmadeOptions;
const workloads = ['cart', 'search'].map((name) =>
  planned(`shop/Deployment/${name}`, 'moves', 'frankfurt:3', 'dublin:3'),
);
const basis = planBasis({ ...handmadePlan, workloads }, world({}));
const drift = (parts: Partial<World>, asked = options) =>
  planDrift(JSON.parse(JSON.stringify(basis)) as typeof basis, asked, world(parts)).map(planDriftText);

test('an unchanged state has no drift', () => {
  expect(drift({})).toEqual([]);
});

test('heartbeats and resource versions are not drift', () => {
  const beating = cluster('dublin', {
    metadata: { ...cluster('dublin').metadata, resourceVersion: '99' },
    status: {
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-09-01T09:20:00Z' }],
      resourceSummary: { allocated: { cpu: '4' } },
    },
  });
  const { metadata, spec } = binding('cart');
  const reported: ResourceBinding = {
    kind: 'ResourceBinding',
    metadata: { ...metadata, resourceVersion: '98', generation: 12 },
    spec: { ...spec, resource: { ...spec.resource, resourceVersion: '97' } },
    status: { aggregatedStatus: [{ clusterName: 'frankfurt', health: 'Healthy' }] },
  };
  expect(
    drift({ clusters: [cluster('frankfurt'), beating], bindings: [reported, binding('search')] }),
  ).toEqual([]);
});

const byTaintManager = { fromCluster: 'dublin', producer: 'TaintManager', reason: 'TaintUntolerated' };
describe('drift is reported with the old and the new value for', () => {
  test.each<[string, Partial<World>, string[]]>([
    [
      'a binding that moved to another cluster',
      { bindings: [binding('cart', { clusters: [{ name: 'dublin', replicas: 3 }] }), binding('search')] },
      ['ResourceBinding shop/cart-deployment: spec.clusters was frankfurt×3, is dublin×3'],
    ],
    [
      'a binding that was scaled',
      { bindings: [binding('cart', { replicas: 5 }), binding('search')] },
      ['ResourceBinding shop/cart-deployment: spec.replicas was 3, is 5'],
    ],
    [
      'a changed placement, whose old value is too long to show',
      {
        bindings: [
          binding('cart', { placement: { clusterAffinity: { clusterNames: ['dublin'] } } }),
          binding('search'),
        ],
      },
      [
        'ResourceBinding shop/cart-deployment: spec.placement has changed, is {"clusterAffinity":{"clusterNames":["dublin"]}}',
      ],
    ],
    [
      'an eviction by another producer',
      { bindings: [binding('cart', { gracefulEvictionTasks: [byTaintManager] }), binding('search')] },
      [
        'ResourceBinding shop/cart-deployment: spec.gracefulEvictionTasks was none, is [{"fromCluster":"dublin","producer":"TaintManager","reason":"TaintUntolerated"}]',
      ],
    ],
    [
      'a deleted binding',
      { bindings: [binding('search')] },
      ['ResourceBinding shop/cart-deployment no longer exists'],
    ],
    [
      'a new binding on a drained cluster',
      { bindings: [binding('cart'), binding('search'), binding('ledger')] },
      ['ResourceBinding shop/ledger-deployment is new on the drained clusters'],
    ],
    [
      'a recreated binding',
      {
        bindings: [
          { ...binding('cart'), metadata: { ...binding('cart').metadata, uid: 'another' } },
          binding('search'),
        ],
      },
      ['ResourceBinding shop/cart-deployment was deleted and recreated'],
    ],
    [
      'a cluster that is no longer Ready',
      {
        clusters: [
          cluster('frankfurt'),
          cluster('dublin', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }),
        ],
      },
      ['Cluster dublin: status.conditions[Ready] was "True", is "False"'],
    ],
    [
      'a cluster that a user has cordoned',
      { clusters: [cluster('frankfurt'), cordoned(cluster('dublin'))] },
      ['Cluster dublin: spec.taints was none, is ["cluster.karmada.io/unschedulable=:NoSchedule"]'],
    ],
    ['a deleted cluster', { clusters: [cluster('frankfurt')] }, ['Cluster dublin no longer exists']],
    [
      'a joined cluster',
      { clusters: [cluster('frankfurt'), cluster('dublin'), cluster('oslo')] },
      ['Cluster oslo is new'],
    ],
  ])('%s', (_what, parts, expected) => {
    expect(drift(parts)).toEqual(expected);
  });
});

test('a new binding on another cluster, or outside the selection, is not drift', () => {
  const elsewhere = binding('ledger', { clusters: [{ name: 'dublin', replicas: 1 }] });
  expect(drift({ bindings: [binding('cart'), binding('search'), elsewhere] })).toEqual([]);
  const selective = { ...options, selection: { skip: ['shop/deployment/ledger'] } };
  expect(drift({ bindings: [binding('cart'), binding('search'), binding('ledger')] }, selective)).toEqual([]);
});

describe('after the drain has started', () => {
  const mark = { started: '2026-09-01T09:31:00Z', clusters: ['frankfurt'], selection: {}, hold: true };
  const begun = [cordoned(cluster('frankfurt'), mark), cluster('dublin')];
  const evicted = binding('cart', evictFromClusters(binding('cart').spec, ['frankfurt'], options));

  test('its cordon, its tasks and rescheduled bindings are not drift', () => {
    const moved = binding('search', { clusters: [{ name: 'dublin', replicas: 3 }] });
    expect(drift({ clusters: begun, bindings: [evicted, moved] })).toEqual([]);
    expect(drift({ clusters: [drainTainted(begun[0]!), begun[1]!], bindings: [evicted, moved] })).toEqual([]);
  });
  test('a cordon without the mark of the drain is drift', () => {
    expect(drift({ clusters: [cordoned(cluster('frankfurt')), cluster('dublin')] })).toEqual([
      'Cluster frankfurt: spec.taints was none, is ["cluster.karmada.io/unschedulable=:NoSchedule"]',
    ]);
  });
  test('other taints are drift', () => {
    const { spec } = begun[0]!;
    const taints = [...spec!.taints!, { key: 'maintenance', effect: 'NoSchedule' as const }];
    expect(drift({ clusters: [{ ...begun[0]!, spec: { ...spec, taints } }, begun[1]!] })).toHaveLength(1);
  });
  test('a scaled binding is drift', () => {
    const scaled = { ...evicted, spec: { ...evicted.spec, replicas: 4 } };
    expect(drift({ clusters: begun, bindings: [scaled, binding('search')] })).toEqual([
      'ResourceBinding shop/cart-deployment: spec.replicas was 3, is 4',
    ]);
  });
  test('a moved binding that the drain has not evicted yet is drift', () => {
    const clusters = [
      { name: 'frankfurt', replicas: 1 },
      { name: 'dublin', replicas: 2 },
    ];
    expect(drift({ clusters: begun, bindings: [evicted, binding('search', { clusters })] })).toEqual([
      'ResourceBinding shop/search-deployment: spec.clusters was frankfurt×3, is frankfurt×1, dublin×2',
    ]);
  });
});
