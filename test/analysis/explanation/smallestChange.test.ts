import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import type { Placement, PropagationPolicy } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { applyMergePatch } from '../../../src/kubernetes/mergePatch.ts';
import { cluster, deployment, failoverOn, world } from '../../simulator/simulation/controlPlane.ts';
import { changeSearch } from '../../../src/analysis/explanation/smallestChange.ts';
import { explain, type Question } from './explain.ts';

const east1 = cluster('east-1');
const duplicated = { replicaSchedulingType: 'Duplicated' };
const aggregated = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' };
const taint: Taint = { key: 'maintenance', value: 'network', effect: 'NoSchedule' };
const cordon: Taint = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' };
const owned = {
  'propagationpolicy.karmada.io/namespace': 'shop',
  'propagationpolicy.karmada.io/name': 'cart',
};

interface Setting extends Question {
  others: Cluster[];
  replicas?: number;
  spec?: Partial<ResourceBindingSpec>;
  policies?: PropagationPolicy[];
}

/** What would help a workload on east-1 when that fails. */
function changes(placement: Placement, { others, replicas = 3, spec, policies = [], ...question }: Setting) {
  const binding = deployment('cart', { placement, replicas, clusters: [{ name: 'east-1', replicas }] });
  const { annotations } = binding.metadata;
  const cart: ResourceBinding = {
    ...binding,
    metadata: { ...binding.metadata, annotations: { ...annotations, ...owned } },
    spec: { ...binding.spec, ...spec },
  };
  return explain({ ...world([east1, ...others], [cart]), policies }, { ifFails: ['east-1'], ...question })
    .changes;
}
const policy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  namespace: 'shop',
  name: 'cart',
};
const texts = (found: ReturnType<typeof changes>) => found?.items.map(({ text }) => text);

describe('the smallest change that lets a blocked workload move', () => {
  test('is not computed if another cluster is possible', () => {
    expect(changes({ replicaScheduling: duplicated }, { others: [cluster('west-1')] })).toBeUndefined();
  });

  test('tolerates a taint, as a patch of the policy', () => {
    const placement = { replicaScheduling: duplicated };
    const found = changes(placement, { others: [cluster('west-1', [taint])] });
    expect(found?.items[0]).toEqual({
      kinds: ['tolerate'],
      text: 'tolerate maintenance=network:NoSchedule, which west-1 has',
      // it would be on both from the start
      size: 4,
      patches: [
        {
          target: policy,
          merge: {
            spec: {
              placement: {
                clusterTolerations: [
                  { key: 'maintenance', operator: 'Equal', value: 'network', effect: 'NoSchedule' },
                ],
              },
            },
          },
        },
      ],
      gives: [{ name: 'west-1', replicas: 3 }],
      movesToday: [
        { name: 'east-1', replicas: 3 },
        { name: 'west-1', replicas: 3 },
      ],
      alternatives: [],
    });
  });

  test('uncordons a cluster, which is smaller than a policy change', () => {
    const found = changes(
      { replicaScheduling: aggregated },
      { others: [cluster('west-1', [cordon]), cluster('west-2', [taint])] },
    );
    expect(texts(found)).toEqual([
      'uncordon west-1 (karmadactl uncordon west-1)',
      'tolerate maintenance=network:NoSchedule, which west-2 has',
    ]);
    expect(found?.items[0]?.patches).toEqual([
      {
        target: { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: 'west-1' },
        merge: { spec: { taints: [] } },
      },
    ]);
  });

  test('adds a cluster to the affinity, or a backup affinity group, which changes nothing today', () => {
    const placement = { clusterAffinity: { clusterNames: ['east-1'] }, replicaScheduling: duplicated };
    const found = changes(placement, { others: [cluster('west-1'), cluster('west-2')] });
    expect(
      found?.items.map(({ text, movesToday, alternatives }) => [text, movesToday?.length, alternatives]),
    ).toEqual([
      ['add an affinity group with west-1 as a fallback', undefined, ['west-2']],
      ['add west-1 to clusterNames of clusterAffinity', 2, ['west-2']],
    ]);
    const { merge } = found!.items[0]!.patches[0]!;
    expect(applyMergePatch({ spec: { placement } }, merge)).toEqual({
      spec: {
        placement: {
          clusterAffinities: [
            { affinityName: 'primary', clusterNames: ['east-1'] },
            { affinityName: 'fallback', clusterNames: ['west-1'] },
          ],
          replicaScheduling: duplicated,
        },
      },
    });
  });

  test('removes a cluster from exclude, or adds the required label to it', () => {
    expect(
      texts(
        changes(
          { clusterAffinity: { exclude: ['west-1'] }, replicaScheduling: aggregated },
          { others: [cluster('west-1')] },
        ),
      )?.[0],
    ).toBe('remove west-1 from exclude of clusterAffinity');
    const found = changes(
      {
        clusterAffinity: { labelSelector: { matchLabels: { tier: 'public' } } },
        replicaScheduling: aggregated,
      },
      { others: [cluster('west-1')] },
    );
    expect(found?.items.find(({ kinds }) => kinds[0] === 'label-cluster')).toMatchObject({
      text: 'label west-1 tier=public, as clusterAffinity asks',
      patches: [
        { target: { kind: 'Cluster', name: 'west-1' }, merge: { metadata: { labels: { tier: 'public' } } } },
      ],
    });
  });

  test('lowers the required number of clusters', () => {
    const placement: Placement = {
      clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 2, maxGroups: 2 }],
      replicaScheduling: duplicated,
    };
    const found = changes(placement, {
      others: [cluster('west-1')],
      spec: {
        clusters: [
          { name: 'east-1', replicas: 3 },
          { name: 'west-1', replicas: 3 },
        ],
      },
    });
    expect(texts(found)).toEqual([
      'lower minGroups of the cluster constraint from 2 to 1',
      'drop the spread constraints',
    ]);
  });

  test('lowers minGroups to the number of clusters, whatever the policy requires', () => {
    const found = changes(
      {
        spreadConstraints: [{ spreadByField: 'cluster', minGroups: 2 ** 31 - 1, maxGroups: 2 ** 31 - 1 }],
        replicaScheduling: duplicated,
      },
      { others: [cluster('west-1'), cluster('west-2')] },
    );
    expect(texts(found)).toContain('lower minGroups of the cluster constraint from 2147483647 to 2');
  });

  describe('for lack of capacity', () => {
    const small = (name: string, cpu: string): Cluster => {
      const one = cluster(name);
      return { ...one, status: { ...one.status, resourceSummary: { allocatable: { cpu, pods: '100' } } } };
    };
    // 100m for each replica
    const summary = (found: ReturnType<typeof changes>) =>
      found?.items.map(({ text, gives, patches }) => [
        text,
        gives.map(({ name, replicas }) => `${name}×${replicas}`).join(' '),
        patches.length,
      ]);

    test('frees capacity, or lowers requests or replicas', () => {
      const found = changes(
        { replicaScheduling: aggregated },
        { others: [small('west-1', '400m')], replicas: 6 },
      );
      expect(summary(found)).toEqual([
        ['request cpu 66m per replica instead of cpu 100m', 'west-1×6', 0],
        ['free cpu 200m on west-1, enough for 2 more replicas', 'west-1×6', 0],
        ['request 4 replicas instead of 6', 'west-1×4', 1],
      ]);
      expect(found?.items[2]).toMatchObject({
        patches: [
          { target: { apiVersion: 'apps/v1', kind: 'Deployment' }, merge: { spec: { replicas: 4 } } },
        ],
        movesToday: [{ name: 'east-1', replicas: 4 }],
      });
    });

    test('excludes a change that only avoids the check, because replicas would stay pending', () => {
      const tainted = (cpu: string) => {
        const one = small('west-1', cpu);
        return { ...one, spec: { ...one.spec, taints: [taint] } };
      };
      const placement = { replicaScheduling: duplicated };
      expect(changes(placement, { others: [tainted('200m')] })?.items).toEqual([]);
      expect(texts(changes(placement, { others: [tainted('300m')] }))).toHaveLength(1);
    });

    test('divides replicas over more clusters than the constraint allows', () => {
      const placement: Placement = {
        spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
        replicaScheduling: aggregated,
      };
      const others = [small('west-1', '400m'), small('west-2', '350m')];
      expect(summary(changes(placement, { others, replicas: 6 }))).toEqual([
        ['raise maxGroups of the cluster constraint from 1 to 2', 'west-1×3 west-2×3', 1],
        ['request cpu 66m per replica instead of cpu 100m', 'west-1×6', 0],
        ['drop the spread constraints', 'west-1×3 west-2×3', 1],
        ['free cpu 200m on west-1, enough for 2 more replicas', 'west-1×6', 0],
      ]);
    });
  });

  test('cancels the eviction task that excludes a healthy cluster', () => {
    const task = {
      fromCluster: 'west-1',
      reason: 'ApplicationFailure',
      producer: 'x',
      suppressDeletion: true,
    };
    const found = changes(
      { replicaScheduling: aggregated },
      { others: [cluster('west-1')], spec: { gracefulEvictionTasks: [task] } },
    );
    expect(found?.items[0]).toMatchObject({
      kinds: ['end-eviction'],
      patches: [
        {
          target: { kind: 'ResourceBinding', name: 'cart-deployment' },
          merge: { spec: { gracefulEvictionTasks: [] } },
        },
      ],
    });
  });

  test('combines two changes if a single change does not help', () => {
    const placement = { clusterAffinity: { clusterNames: ['east-1'] }, replicaScheduling: aggregated };
    const found = changes(placement, { others: [cluster('west-1', [taint])] });
    expect(found?.pairs).toBe(true);
    expect(texts(found)).toEqual([
      'tolerate maintenance=network:NoSchedule, which west-1 has, and add west-1 to clusterNames of clusterAffinity',
      'tolerate maintenance=network:NoSchedule, which west-1 has, and add an affinity group with west-1 as a fallback',
    ]);
  });

  test('is absent if no change helps', () => {
    const found = changes({ replicaScheduling: duplicated }, { others: [] });
    expect(found).toMatchObject({ items: [], pairs: false });
  });

  test('never uses a cluster that is not Ready, nor a change that the webhook refuses', () => {
    const down = cluster('west-1');
    const conditions = [{ type: 'Ready', status: 'Unknown' as const }];
    const placement = { clusterAffinity: { clusterNames: ['east-1'] }, replicaScheduling: duplicated };
    expect(
      changes(placement, { others: [{ ...down, status: { ...down.status, conditions } }] }),
    ).toMatchObject({ items: [] });
    // a spread constraint by region alone is refused: one by cluster is required, too
    const spread: Placement = {
      spreadConstraints: [
        { spreadByField: 'region', minGroups: 2, maxGroups: 2 },
        { spreadByField: 'cluster', minGroups: 2, maxGroups: 2 },
      ],
      replicaScheduling: aggregated,
    };
    const found = changes(spread, {
      others: [cluster('west-1')],
      spec: { clusters: [{ name: 'east-1', replicas: 3 }] },
    });
    expect(texts(found)).toEqual(['drop the spread constraints']);
  });
});

test('a Duplicated workload that loses one cluster needs one more cluster', () => {
  const placement = {
    clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
    replicaScheduling: duplicated,
  };
  const found = changes(placement, {
    others: [cluster('west-1'), cluster('west-2')],
    spec: {
      clusters: [
        { name: 'east-1', replicas: 3 },
        { name: 'west-1', replicas: 3 },
      ],
    },
  });
  expect(found?.items).toMatchObject([
    {
      text: 'add west-2 to clusterNames of clusterAffinity',
      gives: [{ name: 'west-1' }, { name: 'west-2' }],
    },
  ]);
});

describe('a proposed change', () => {
  const placement: Placement = {
    clusterAffinity: { clusterNames: ['east-1'] },
    replicaScheduling: aggregated,
  };

  test('reports its simulated outcome', () => {
    // without the policy in the state, only a patch of the binding's own objects can be simulated
    const found = changes(
      { replicaScheduling: aggregated },
      { others: [cluster('west-1', [cordon])], replayed: true },
    );
    expect(found?.items).toMatchObject([{ kinds: ['uncordon'], leadsTo: 'moves' }]);
  });

  test('is excluded if Karmada refuses it, as v1.19 does for an unrelated error in the policy', () => {
    const { dialect } = dialectOf('v1.19');
    const spec = {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
      placement,
      propagateDeps: true,
      failover: { application: { purgeMode: 'Graciously' as const, gracePeriodSeconds: 30 } },
    };
    const { namespace, name, ...type } = policy;
    const labels = { 'propagationpolicy.karmada.io/permanent-id': 'uuid' };
    const stored = { ...type, metadata: { namespace, name, labels }, spec };
    const found = changes(placement, {
      others: [cluster('west-1')],
      policies: [stored],
      replayed: true,
      configuration: { ...failoverOn, rules: dialect.rules },
    });
    expect(found).toMatchObject({
      items: [],
      refused: expect.stringMatching(
        /^Karmada would refuse PropagationPolicy shop\/cart: .*gracePeriodSeconds/,
      ),
    });
  });

  test('is simulated only on request', () => {
    expect(changes(placement, { others: [cluster('west-1')] })?.items[0]).not.toHaveProperty('leadsTo');
  });
});

// the request of #3243: minGroups can be lowered, so that no workload has to tolerate a cluster that is down
test('changes that leave replicas down are offered only if no other change helps', () => {
  const change = (text: string, size: number, open: boolean) => ({
    kinds: [],
    text,
    size,
    patches: [],
    gives: [],
    alternatives: [],
    gap: { replicas: 2, seconds: 60, open },
  });
  const [tolerate, lower] = [change('tolerate', 1, true), change('lower minGroups', 2, false)];
  expect(changeSearch([tolerate, lower], 2, undefined).items).toEqual([lower]);
  expect(changeSearch([tolerate], 2, undefined).items).toEqual([tolerate]);
});
