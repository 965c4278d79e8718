import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Placement, PropagationPolicy } from '../../../src/karmada/api/policy.ts';
import { applyMergePatch } from '../../../src/kubernetes/mergePatch.ts';
import { cluster, deployment, outcomeOf, run, story, world } from './controlPlane.ts';

const east1 = cluster('east-1');
const east2 = cluster('east-2');
const placement: Placement = {
  clusterAffinity: { clusterNames: ['east-1'] },
  replicaScheduling: { replicaSchedulingType: 'Duplicated' },
};

/** A policy with the deployment that it has claimed. */
function claimed() {
  const labels = { 'propagationpolicy.karmada.io/permanent-id': 'id-web' };
  const annotations = {
    'propagationpolicy.karmada.io/namespace': 'shop',
    'propagationpolicy.karmada.io/name': 'web',
  };
  const policy: PropagationPolicy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'web', namespace: 'shop', labels },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }],
      placement,
    },
  };
  const binding = deployment('web', { placement, replicas: 2, clusters: [{ name: 'east-1', replicas: 2 }] });
  const web = {
    ...binding,
    metadata: {
      ...binding.metadata,
      labels,
      annotations: { ...binding.metadata.annotations, ...annotations },
    },
  };
  return { policy, state: { ...world([east1, east2], [web]), policies: [policy] } };
}

const manifest = (spec: object): KubernetesObject =>
  ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }],
      ...spec,
    },
  }) as unknown as KubernetesObject;

describe('an applied policy', () => {
  test('updates the bindings of its workloads, and the scheduler places them again', () => {
    const wider = { placement: { ...placement, clusterAffinity: { clusterNames: ['east-1', 'east-2'] } } };
    const simulation = run(claimed().state, { events: [[0, { type: 'apply', objects: [manifest(wider)] }]] });
    expect(story(simulation, 'web').slice(0, 2)).toEqual(['0s BindingFollowed', '0s Scheduled']);
    expect(outcomeOf(simulation, 'web')).toMatchObject({
      outcome: 'stays',
      after: [
        { name: 'east-1', replicas: 2 },
        { name: 'east-2', replicas: 2 },
      ],
    });
  });

  test('is refused with the message of the webhook', () => {
    const broken = {
      placement: { spreadConstraints: [{ spreadByField: 'region', minGroups: 3, maxGroups: 1 }] },
    };
    expect(() =>
      run(claimed().state, { events: [[0, { type: 'apply', objects: [manifest(broken)] }]] }),
    ).toThrow(/Karmada would refuse PropagationPolicy shop\/web: .*maxGroups lower than minGroups/);
  });
});

describe('a patch', () => {
  test('of a binding increments its generation', () => {
    const { state } = claimed();
    const merge = { spec: { replicas: 5 } };
    const target = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };
    const simulation = run(state, { events: [[0, { type: 'patch', target, merge }]] });
    expect(outcomeOf(simulation, 'web').after).toEqual([{ name: 'east-1', replicas: 5 }]);
  });

  test('that removes a task and restores the cluster cancels an eviction without downtime', () => {
    const { state } = claimed();
    const target = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };
    const simulation = run(state, {
      events: [
        [0, { type: 'taint', cluster: 'east-1', taint: { key: 'maintenance', effect: 'NoExecute' } }],
        [60, { type: 'untaint', cluster: 'east-1', key: 'maintenance' }],
        [
          61,
          {
            type: 'patch',
            target,
            merge: { spec: { gracefulEvictionTasks: null, clusters: [{ name: 'east-1', replicas: 2 }] } },
          },
        ],
      ],
    });
    expect(outcomeOf(simulation, 'web')).toMatchObject({
      after: [{ name: 'east-1', replicas: 2 }],
      evicting: [],
    });
    expect(outcomeOf(simulation, 'web').gap).toBeUndefined();
    expect(story(simulation, 'web')).not.toContain('60s WorkDeleted east-1');
  });

  test('of a missing object is an error in the scenario', () => {
    const target = { kind: 'ResourceBinding', namespace: 'shop', name: 'nope' };
    expect(() => run(claimed().state, { events: [[0, { type: 'patch', target, merge: {} }]] })).toThrow(
      'there is no ResourceBinding shop/nope in the state to patch',
    );
  });

  test('of an object that was deleted in the meantime changes nothing', () => {
    const target = { kind: 'Cluster', name: 'east-1' };
    const simulation = run(claimed().state, {
      events: [
        [0, { type: 'delete', target }],
        [300, { type: 'taint', cluster: 'east-1', taint: { key: 'maintenance', effect: 'NoExecute' } }],
        [301, { type: 'delete', target }],
      ],
    });
    expect(simulation.clusters.map(({ name }) => name)).not.toContain('east-1');
  });

  test('merges objects, replaces lists and removes fields with null', () => {
    expect(applyMergePatch({ a: { b: 1, c: [1, 2] }, d: 1 }, { a: { c: [3], e: {} }, d: null })).toEqual({
      a: { b: 1, c: [3], e: {} },
    });
  });
});

describe('an applied Cluster', () => {
  const joining = {
    ...east2,
    status: undefined,
    metadata: { name: 'east-2' },
  } as unknown as KubernetesObject;
  const { status } = east2;
  const state = world(
    [east1],
    [deployment('web', { placement: {}, replicas: 2, clusters: [{ name: 'east-1', replicas: 2 }] })],
  );
  const ready = { type: 'Ready', status: 'True', reason: 'ClusterReady' } as const;

  test('joins, and receives evicted workloads once it is Ready and serves the API', () => {
    const merge = {
      status: { apiEnablements: status!.apiEnablements, resourceSummary: status!.resourceSummary },
    };
    const simulation = run(state, {
      events: [
        [0, { type: 'apply', objects: [joining] }],
        [1, { type: 'condition', cluster: 'east-2', condition: ready }],
        [1, { type: 'patch', target: { kind: 'Cluster', name: 'east-2' }, merge }],
        [60, { type: 'fail', cluster: 'east-1' }],
      ],
      until: 600,
    });
    expect(outcomeOf(simulation, 'web')).toMatchObject({
      outcome: 'moves',
      after: [{ name: 'east-2', replicas: 2 }],
    });
    expect(story(simulation, 'web').some((line) => line.includes('TaskEnded'))).toBe(true);
  });

  test('can be unjoined again', () => {
    const simulation = run(state, {
      events: [
        [0, { type: 'apply', objects: [joining] }],
        [1, { type: 'condition', cluster: 'east-2', condition: ready }],
        [60, { type: 'delete', target: { kind: 'Cluster', name: 'east-2' } }],
        [120, { type: 'fail', cluster: 'east-1' }],
      ],
      until: 600,
    });
    expect(outcomeOf(simulation, 'web').after).toEqual([]);
  });
});

describe('the health that a member reports', () => {
  test('triggers application failover after its toleration', () => {
    const spec = {
      propagateDeps: true,
      failover: {
        application: { decisionConditions: { tolerationSeconds: 30 }, purgeMode: 'Directly' as const },
      },
    };
    const anywhere: Placement = {
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
      replicaScheduling: { replicaSchedulingType: 'Duplicated' },
    };
    const binding = deployment('job', {
      placement: anywhere,
      replicas: 1,
      clusters: [{ name: 'east-1', replicas: 1 }],
      spec,
    });
    const workload = { kind: 'Deployment', namespace: 'shop', name: 'job' };
    const simulation = run(world([east1, east2], [binding]), {
      events: [[5, { type: 'health', workload, cluster: 'east-1', health: 'Unhealthy' }]],
    });
    expect(story(simulation, 'job').slice(0, 2)).toEqual(['5s HealthChanged east-1', '35s Evicted east-1']);
    expect(outcomeOf(simulation, 'job')).toMatchObject({
      outcome: 'moves',
      after: [{ name: 'east-2', replicas: 1 }],
    });
  });
});

test('a health report from an unknown cluster is an error', () => {
  const binding = deployment('job', {
    placement: {},
    replicas: 1,
    clusters: [{ name: 'east-1', replicas: 1 }],
  });
  const workload = { kind: 'Deployment', namespace: 'shop', name: 'job' };
  expect(() =>
    run(world([east1, east2], [binding]), {
      events: [[5, { type: 'health', workload, cluster: 'east-9', health: 'Unhealthy' }]],
    }),
  ).toThrow('there is no cluster "east-9" in the state; there are east-1, east-2');
});

describe('the capacity of a cluster', () => {
  const tight = (name: string, pods: string) => ({
    ...cluster(name),
    status: {
      ...cluster(name).status,
      resourceSummary: { allocatable: { pods }, allocated: { pods: '10' } },
    },
  });
  const aggregated: Placement = {
    replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
  };
  const six = (name: string, tolerationSeconds?: number) =>
    deployment(name, {
      placement: {
        ...aggregated,
        clusterAffinity: { clusterNames: ['east-1', 'east-2'] },
        ...(tolerationSeconds ? { clusterTolerations: [{ operator: 'Exists', tolerationSeconds }] } : {}),
      },
      replicas: 6,
      clusters: [{ name: 'east-1', replicas: 6 }],
      spec: { replicaRequirements: {} },
    });

  test('decreases by moved workloads once the cluster has reported them', () => {
    const state = world([east1, tight('east-2', '20')], [six('first'), six('second', 60)]);
    const simulation = run(state, { events: [[0, { type: 'fail', cluster: 'east-1' }]], until: 300 });
    expect(outcomeOf(simulation, 'first')).toMatchObject({
      outcome: 'moves',
      after: [{ name: 'east-2', replicas: 6 }],
    });
    expect(outcomeOf(simulation, 'second')).toMatchObject({ outcome: 'blocked' });
    expect(outcomeOf(simulation, 'second').reason).toContain('Clusters available replicas 4 are not enough');
  });

  test('decreases on an empty cluster as well, unless no cluster counts its pods', () => {
    const empty = (name: string, pods: string) => {
      const one = tight(name, pods);
      return { ...one, status: { ...one.status, resourceSummary: { allocatable: { pods } } } };
    };
    const second = (from: Cluster) => {
      const state = world([from, empty('east-2', '10')], [six('first'), six('second', 60)]);
      const simulation = run(state, { events: [[0, { type: 'fail', cluster: 'east-1' }]], until: 300 });
      return outcomeOf(simulation, 'second');
    };
    expect(second(east1)).toMatchObject({ outcome: 'blocked' });
    expect(second(east1).reason).toContain('Clusters available replicas 4 are not enough');
    expect(second(empty('east-1', '1000'))).toMatchObject({
      outcome: 'moves',
      after: [{ name: 'east-2', replicas: 6 }],
    });
  });

  test('is an estimate even for workloads without capacity, and resource models stay as captured', () => {
    const captured = tight('east-2', '12');
    const modelled = {
      ...captured,
      spec: {
        ...captured.spec,
        resourceModels: [{ grade: 0, ranges: [{ name: 'cpu', min: '0', max: '1' }] }],
      },
      status: {
        ...captured.status,
        resourceSummary: {
          ...captured.status.resourceSummary,
          allocatableModelings: [{ grade: 0, count: 1 }],
        },
      },
    };
    const dependsOn = (clusters: Cluster[]) => {
      const state = world(clusters, [six('first')]);
      const simulation = run(state, { events: [[0, { type: 'fail', cluster: 'east-1' }]], until: 300 });
      const { outcome, certainty, dependsOn: what } = outcomeOf(simulation, 'first');
      expect({ outcome, certainty }).toEqual({ outcome: 'blocked', certainty: 'estimate' });
      return what?.join();
    };
    expect(dependsOn([east1, captured])).toContain('reported capacity, followed from the capture');
    expect(dependsOn([east1, modelled])).toContain('pod-to-node placement is not in the state');
  });
});
