import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { Taint, Toleration } from '../../../../src/karmada/api/meta.ts';
import type { ClusterAffinity } from '../../../../src/karmada/api/policy.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../../../src/karmada/api/work.ts';
import { dialectOf, knownProposals } from '../../../../src/karmada/dialects/dialects.ts';
import { keepPassing } from '../../../../src/karmada/scheduling/rankClusters.ts';
import { rejectionReason } from '../../../../src/karmada/scheduling/filters/filters.ts';
import { createClusterSnapshot } from '../../../../src/karmada/scheduling/clusterSnapshot.ts';
import { schedulerOptions } from '../../../../src/karmada/scheduling/schedulerOptions.ts';
import { clusterSetOf, hasCluster } from '../../../../src/karmada/selection/clusterSet.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const name = fc.constantFrom(...NAMES, 'gone');
const names = fc.uniqueArray(name, { maxLength: 4 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const effect = fc.constantFrom<Taint['effect']>('NoSchedule', 'NoExecute', 'PreferNoExecute');
const taint = fc.record({ key: fc.constantFrom('k', 'l'), effect });
const toleration: fc.Arbitrary<Toleration> = fc.record({
  key: fc.constantFrom('k', 'l'),
  operator: fc.constant('Exists'),
  tolerationSeconds: maybe(fc.constant(30)),
});

const clusterCalled = (called: string): fc.Arbitrary<Cluster> =>
  fc
    .record({
      labels: fc.constantFrom<Record<string, string>>({}, { env: 'prod' }, { env: 'test' }),
      region: fc.constantFrom('', 'eu', 'us'),
      provider: fc.constantFrom('', 'alpha'),
      zones: fc.constantFrom<string[]>([], ['z1'], ['z1', 'z2']),
      taints: fc.uniqueArray(taint, { maxLength: 3, selector: ({ key, effect }) => key + effect }),
      lists: fc.boolean(),
      complete: fc.constantFrom<'True' | 'False'>('True', 'False'),
    })
    .map(({ labels, region, provider, zones, taints, lists, complete }) => ({
      metadata: { name: called, labels },
      spec: { region, provider, zones, taints },
      status: {
        apiEnablements: lists ? [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment' }] }] : [],
        conditions: [{ type: 'CompleteAPIEnablements', status: complete }],
      },
    }));

const affinity = fc.oneof<fc.Arbitrary<ClusterAffinity>[]>(
  fc.record({ clusterNames: names }),
  fc.record({ exclude: names }),
  fc.constant({ labelSelector: { matchLabels: { env: 'prod' } } }),
  fc.constant<ClusterAffinity>({
    fieldSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: ['eu'] }] },
  }),
);

const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const targets = names.map((list) => list.map((one) => ({ name: one, replicas: 1 })));

const spec: fc.Arbitrary<ResourceBindingSpec> = fc
  .record({
    clusters: targets,
    affinities: fc.array(affinity, { maxLength: 2 }),
    tolerations: fc.array(toleration, { maxLength: 2 }),
    spread: fc.subarray(['provider', 'region', 'zone', 'cluster']),
    evicted: names,
    history: names,
    active: maybe(fc.constant({})),
    replicas: fc.constantFrom(0, 2),
  })
  .map(({ clusters, affinities, tolerations, spread, evicted, history, active, replicas }) => ({
    resource,
    replicas,
    clusters,
    placement: {
      ...(affinities.length === 1 && { clusterAffinity: affinities[0] }),
      ...(affinities.length > 1 && {
        clusterAffinities: [
          {
            affinityName: 'first',
            ...affinities[0],
            overflowAffinities: [{ affinityName: 'more', ...affinities[1] }],
          },
        ],
      }),
      clusterTolerations: tolerations,
      spreadConstraints: spread.map((spreadByField) => ({ spreadByField })),
    },
    gracefulEvictionTasks: evicted.map((fromCluster) => ({ fromCluster, reason: 'R', producer: 'p' })),
    activeEvictionHistory: history.map((clusterName) => ({ clusterName })),
    workloadAffinityGroups: { affinityGroup: 'with', antiAffinityGroup: 'apart' },
    ...(active && { failover: { cluster: active } }),
  }));

/** Every filter of any version: released ones, the gate's and the designs'. */
const versions = ['v1.10', 'v1.13', 'v1.18', 'v1.19', ...knownProposals].map((version) => {
  const { defaults } = dialectOf(version).dialect;
  return schedulerOptions({
    ...defaults,
    featureGates: { ...defaults.featureGates, WorkloadAffinity: true },
  });
});

const plugins = [
  ...new Set(
    versions.flatMap((options) => createClusterSnapshot([], options).filters.map(({ plugin }) => plugin)),
  ),
];

test('the tested versions contain every filter', () => {
  expect(plugins.toSorted()).toEqual([
    'APIEnablement',
    'ActiveEvictionHistory',
    'ClusterAffinity',
    'ClusterEviction',
    'SpreadConstraint',
    'TaintToleration',
    'WorkloadAffinity',
    'WorkloadAntiAffinity',
  ]);
});

describe.each(plugins)('the filter %s', (plugin) => {
  test('keeps exactly the clusters that it does not reject', () => {
    const seen = { kept: 0, rejected: 0 };
    fc.assert(
      fc.property(
        fc.tuple(...NAMES.map(clusterCalled)),
        spec,
        targets,
        fc.constantFrom(...versions),
        (clusters, asked, others, options) => {
          const other: ResourceBinding = {
            metadata: { name: 'other', namespace: 'shop' },
            spec: { resource: { ...resource, name: 'other' }, clusters: others },
          };
          const snapshot = createClusterSnapshot(clusters, options, { members: () => [other] });
          const filter = snapshot.filters.find((one) => one.plugin === plugin);
          if (!filter) return;
          const kept = clusterSetOf(snapshot.clusters.keys(), snapshot.clusters.length);
          const assigned = clusterSetOf(
            (asked.clusters ?? []).flatMap(({ name }) => snapshot.index.get(name) ?? []),
            snapshot.clusters.length,
          );
          keepPassing(kept, filter, assigned, snapshot, asked, undefined);
          const reject = rejectionReason(filter, asked, undefined, snapshot);
          for (const [at, cluster] of snapshot.clusters.entries()) {
            const passes = reject(cluster) === undefined;
            seen[passes ? 'kept' : 'rejected']++;
            expect({ cluster: cluster.metadata.name, kept: hasCluster(kept, at) }).toEqual({
              cluster: cluster.metadata.name,
              kept: passes,
            });
          }
        },
      ),
      { numRuns: 400 },
    );
    expect(seen.kept).toBeGreaterThan(0);
    expect(seen.rejected).toBeGreaterThan(0);
  });
});
