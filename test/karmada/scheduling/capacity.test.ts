import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import {
  availableReplicas,
  schedulesComponentSets,
} from '../../../src/karmada/scheduling/capacity/availableReplicas.ts';
import { compileClusterCapacity } from '../../../src/karmada/scheduling/capacity/clusterCapacity.ts';
import {
  componentSetDemand,
  maxAvailableComponentSets,
} from '../../../src/karmada/scheduling/capacity/componentEstimate.ts';
import {
  changeFleetCapacity,
  compileFleetCapacity,
  forkFleetCapacity,
} from '../../../src/karmada/scheduling/capacity/fleetCapacity.ts';
import {
  maxAvailableReplicas,
  replicaDemand,
} from '../../../src/karmada/scheduling/capacity/replicaEstimate.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';

type Summary = NonNullable<NonNullable<Cluster['status']>['resourceSummary']>;
type Request = Record<string, string | number>;

const options = (CustomizedClusterResourceModeling: boolean, MultiplePodTemplatesScheduling = false) => ({
  rules: v1_18.rules.scheduling,
  featureGates: {
    ...v1_18.defaults.featureGates,
    CustomizedClusterResourceModeling,
    MultiplePodTemplatesScheduling,
  },
});
const on = options(true);

function cluster(resourceSummary?: Summary, resourceModels?: NonNullable<Cluster['spec']>['resourceModels']) {
  return {
    metadata: { name: 'frankfurt' },
    ...(resourceModels && { spec: { resourceModels } }),
    status: { ...(resourceSummary && { resourceSummary }) },
  } satisfies Cluster;
}

function replicas(of: Cluster, resourceRequest: Request | undefined, modeling = true) {
  const capacity = compileClusterCapacity(of, options(modeling));
  return maxAvailableReplicas(capacity, replicaDemand(resourceRequest && { resourceRequest }, on.rules));
}

describe('the replica capacity of a cluster', () => {
  test('is 0 without reported resources', () => {
    expect(replicas(cluster(), { cpu: '1' })).toBe(0);
    expect(replicas({ metadata: { name: 'new' } }, undefined)).toBe(0);
  });

  test('is the number of free pods without requirements', () => {
    const reported = { allocatable: { pods: '110' }, allocated: { pods: '9' }, allocating: { pods: '1' } };
    expect(replicas(cluster(reported), undefined)).toBe(100);
  });

  test('is 0 if more pods exist than are allowed', () => {
    const reported = { allocatable: { cpu: '64', pods: '110' }, allocated: { pods: '111' } };
    expect(replicas(cluster(reported), undefined)).toBe(0);
    expect(replicas(cluster(reported), { cpu: '1' })).toBe(0);
  });

  test('is the minimum of free pods and requested resources', () => {
    const reported = {
      allocatable: { cpu: '8', memory: '16Gi', pods: '110' },
      allocated: { cpu: '750m', memory: '6Gi' },
      allocating: { memory: '1Gi' },
    };
    expect(replicas(cluster(reported), { cpu: '250m' })).toBe(29);
    expect(replicas(cluster(reported), { cpu: '250m', memory: '512Mi' })).toBe(18);
    expect(replicas(cluster(reported), { cpu: '10m' })).toBe(110);
  });

  test('is 0 for a resource that the cluster does not report', () => {
    expect(replicas(cluster({ allocatable: { cpu: '8', pods: '110' } }), { 'nvidia.com/gpu': 1 })).toBe(0);
  });

  test('is not limited by requests for zero', () => {
    expect(replicas(cluster({ allocatable: { pods: '5' } }), { cpu: '0', memory: 0 })).toBe(5);
  });

  test('is 0 on an overcommitted cluster', () => {
    const reported = { allocatable: { cpu: '4', pods: '110' }, allocated: { cpu: '20' } };
    expect(replicas(cluster(reported), { cpu: '1m' })).toBe(0);
  });

  test('wraps around beyond int32, like in Karmada', () => {
    expect(replicas(cluster({ allocatable: { pods: '8e9' } }), undefined)).toBe(-589_934_592);
    expect(replicas(cluster({ allocatable: { pods: '4294967301' } }), {})).toBe(5);
  });

  test('is an error that names an unreadable quantity', () => {
    expect(() => replicas(cluster({ allocatable: { cpu: '4 cores', pods: '110' } }), undefined)).toThrow(
      'Cluster frankfurt: status.resourceSummary.allocatable.cpu: quantities must match',
    );
    expect(() => replicas(cluster({ allocatable: { pods: '110' } }), { cpu: 'much' })).toThrow(
      'spec.replicaRequirements.resourceRequest.cpu: quantities must match',
    );
  });
});

describe('resource models', () => {
  const models = [
    { grade: 0, ranges: [{ name: 'cpu', min: '0', max: '1' }] },
    { grade: 1, ranges: [{ name: 'cpu', min: '1', max: '4' }] },
    { grade: 2, ranges: [{ name: 'cpu', min: '4', max: '8' }] },
  ];
  const reported = (count: number) => ({
    allocatable: { cpu: '64', pods: '500' },
    allocatableModelings: [
      { grade: 0, count: 3 },
      { grade: 2, count },
      { grade: 9, count: 100 },
    ],
  });

  test('count the replicas on each node, with the minimum of its grade', () => {
    expect(replicas(cluster(reported(2), models), { cpu: '1500m' })).toBe(4);
    expect(replicas(cluster(reported(2), models), { cpu: '5' })).toBe(0);
  });

  test('allow at most 110 pods per node and the free pods of the cluster', () => {
    expect(replicas(cluster(reported(1), models), { cpu: '1m' })).toBe(110);
    expect(replicas(cluster(reported(9), models), {})).toBe(500);
  });

  test('have no capacity for a resource that they do not list', () => {
    expect(replicas(cluster(reported(2), models), { cpu: '1', memory: '1' })).toBe(0);
  });

  test('are ignored without the gate, without definitions or with a negative node count', () => {
    expect(replicas(cluster(reported(2), models), { cpu: '5' }, false)).toBe(12);
    expect(replicas(cluster(reported(2)), { cpu: '5' })).toBe(12);
    expect(replicas(cluster(reported(-1), models), { cpu: '5' })).toBe(12);
  });

  test('are ignored for replicas without requirements', () => {
    expect(replicas(cluster(reported(2), models), undefined)).toBe(500);
  });
});

describe('the capacity of a cluster for sets of components', () => {
  const component = (name: string, replicas: number, resourceRequest?: Request) => ({
    name,
    replicas,
    ...(resourceRequest && { replicaRequirements: { resourceRequest } }),
  });
  const sets = (of: Cluster, ...components: ReturnType<typeof component>[]) =>
    maxAvailableComponentSets(compileClusterCapacity(of, on), componentSetDemand(components, on.rules));

  const reported = { allocatable: { cpu: '10', memory: '16Gi', pods: '100' } };

  test('is the number of sets whose replicas fit together', () => {
    const driver = component('driver', 1, { cpu: '1', memory: '1Gi' });
    const executors = component('executor', 3, { cpu: '500m', memory: '2Gi' });
    expect(sets(cluster(reported), driver, executors)).toBe(2);
  });

  test('is limited by pods if sets request no resources', () => {
    expect(sets(cluster(reported), component('driver', 1), component('executor', 9))).toBe(10);
    expect(sets(cluster(reported), component('none', 0))).toBe(100);
  });

  test('counts decimal quantities in thousandths and binary quantities in units', () => {
    expect(sets(cluster(reported), component('driver', 1, { memory: '4G' }))).toBe(0);
    const decimal = { allocatable: { memory: '16G', pods: '100' } };
    expect(sets(cluster(decimal), component('driver', 1, { memory: '4Gi' }))).toBe(100);
  });

  test('requires a node of the models for each replica, the first node with capacity', () => {
    const models = [
      { grade: 0, ranges: [{ name: 'cpu', min: '1', max: '2' }] },
      { grade: 1, ranges: [{ name: 'cpu', min: '4', max: '8' }] },
    ];
    const summary = {
      allocatable: { cpu: '100', pods: '100' },
      allocatableModelings: [
        { grade: 0, count: 2 },
        { grade: 1, count: 2 },
      ],
    };
    const of = cluster(summary, models);
    expect(sets(of, component('driver', 1, { cpu: '3' }))).toBe(2);
    // the small ones take the small nodes first, then part of the large ones
    expect(sets(of, component('small', 2, { cpu: '1' }), component('large', 1, { cpu: '3' }))).toBe(2);
    expect(sets(of, component('small', 3, { cpu: '1' }), component('large', 1, { cpu: '3' }))).toBe(1);
  });
});

describe('the capacity of a fleet for a binding', () => {
  const fleet = compileFleetCapacity(
    [
      cluster({ allocatable: { cpu: '4', pods: '110' } }),
      cluster({ allocatable: { cpu: '40', pods: '4294967295' } }),
      cluster(),
    ],
    on,
  );
  const spec = (fields: Partial<ResourceBindingSpec>): ResourceBindingSpec => ({
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart' },
    ...fields,
  });
  const available = (fields: Partial<ResourceBindingSpec>, MultiplePodTemplatesScheduling = false) => [
    ...availableReplicas(fleet, spec(fields), options(true, MultiplePodTemplatesScheduling)).values,
  ];

  test('lists the clusters in their order', () => {
    expect(available({ replicas: 3, replicaRequirements: { resourceRequest: { cpu: '1' } } })).toEqual([
      4, 40, 0,
    ]);
  });

  test('is unlimited for a resource that is not a workload', () => {
    expect(available({})).toEqual([2147483647, 2147483647, 2147483647]);
  });

  test('is the requested number if the estimate for a cluster is −1', () => {
    expect(available({ replicas: 7 })).toEqual([110, 7, 0]);
  });

  test('counts sets of components for one target cluster with the gate MultiplePodTemplatesScheduling', () => {
    const oneCluster = {
      components: [{ name: 'driver', replicas: 2, replicaRequirements: { resourceRequest: { cpu: '1' } } }],
      placement: { spreadConstraints: [{ spreadByField: 'cluster' as const, minGroups: 1, maxGroups: 1 }] },
    };
    expect(schedulesComponentSets(spec(oneCluster), options(true, true))).toBe(true);
    expect(available(oneCluster, true)).toEqual([2, 20, 0]);
    expect(available(oneCluster, false)).toEqual([110, 0, 0]);
    expect(schedulesComponentSets(spec({ ...oneCluster, placement: {} }), options(true, true))).toBe(false);
  });

  test('is computed once for bindings with the same requirements', () => {
    const requirements = () => spec({ replicas: 2, replicaRequirements: { resourceRequest: { cpu: '2' } } });
    expect(availableReplicas(fleet, requirements(), on)).toBe(availableReplicas(fleet, requirements(), on));
  });

  test('is reused after cluster changes that do not affect it', () => {
    const before = [cluster({ allocatable: { pods: '1' } }), cluster({ allocatable: { pods: '2' } })];
    const compiled = compileFleetCapacity(before, on);
    const tainted = before.map((of) => ({ ...of, spec: { taints: [] } }));
    expect(changeFleetCapacity(compiled, tainted.entries(), on)).toBe(compiled);
  });

  test('follows changed clusters without changing an older fleet', () => {
    const pods = (count: number) => cluster({ allocatable: { pods: String(count), cpu: '64' } });
    const web = spec({ replicas: 2, replicaRequirements: { resourceRequest: { cpu: '1' } } });
    const eight = Array.from({ length: 8 }, (_, index) => pods(10 + index));
    const before = compileFleetCapacity(eight, on);
    expect([...availableReplicas(before, web, on).values]).toEqual([10, 11, 12, 13, 14, 15, 16, 17]);

    const after = changeFleetCapacity(before, [[2, pods(99)]], on);
    expect([...availableReplicas(after, web, on).values]).toEqual([10, 11, 64, 13, 14, 15, 16, 17]);
    expect([...availableReplicas(before, web, on).values]).toEqual([10, 11, 12, 13, 14, 15, 16, 17]);
    const other = changeFleetCapacity(before, [[0, pods(1)]], on);
    expect([...availableReplicas(other, web, on).values]).toEqual([1, 11, 12, 13, 14, 15, 16, 17]);
    expect([...availableReplicas(after, web, on).values]).toEqual([10, 11, 64, 13, 14, 15, 16, 17]);

    const all = eight.map(() => pods(3));
    const anew = changeFleetCapacity(after, all.entries(), on);
    expect([...availableReplicas(anew, web, on).values]).toEqual(all.map(() => 3));
    expect(changeFleetCapacity(anew, [[1, all[1]!]], on)).toBe(anew);
  });

  test('is shared by forks of a fleet until a fork changes', () => {
    const pods = (count: number) => cluster({ allocatable: { pods: String(count), cpu: '64' } });
    const web = spec({ replicas: 2, replicaRequirements: { resourceRequest: { cpu: '1' } } });
    const origin = compileFleetCapacity(
      Array.from({ length: 8 }, (_, index) => pods(10 + index)),
      on,
    );
    const [one, other] = [forkFleetCapacity(origin), forkFleetCapacity(origin)];
    expect(availableReplicas(one, web, on)).toBe(availableReplicas(other, web, on));

    const changed = changeFleetCapacity(one, [[2, pods(1)]], on);
    expect([...availableReplicas(changed, web, on).values]).toEqual([10, 11, 1, 13, 14, 15, 16, 17]);
    expect([...availableReplicas(other, web, on).values]).toEqual([10, 11, 12, 13, 14, 15, 16, 17]);

    // an origin that continues by itself does not affect its forks
    const gone = changeFleetCapacity(origin, [[0, pods(2)]], on);
    expect([...availableReplicas(gone, web, on).values]).toEqual([2, 11, 12, 13, 14, 15, 16, 17]);
    const late = changeFleetCapacity(forkFleetCapacity(origin), [[1, pods(3)]], on);
    expect([...availableReplicas(late, web, on).values]).toEqual([10, 3, 12, 13, 14, 15, 16, 17]);
  });
});

describe('resource models by version', () => {
  const models = ['1', '2', '4'].map((min, grade) => ({
    grade,
    ranges: [{ name: 'cpu', min, max: String(2 * Number(min)) }],
  }));
  const reported = (...counts: number[]) => ({
    allocatable: { cpu: '100', pods: '100' },
    allocatableModelings: counts.map((count, grade) => ({ grade, count })),
  });
  const at = (version: string) => ({ ...on, rules: dialectOf(version).dialect.rules.scheduling });
  const replicasAt = (version: string, of: Cluster, request: Request) => {
    const options = at(version);
    const demand = replicaDemand({ resourceRequest: request }, options.rules);
    return maxAvailableReplicas(compileClusterCapacity(of, options), demand);
  };

  test.each([
    // from the grade of 1 to 2 CPUs on, one per node at least: 5 + 3 + 2 × 2
    ['v1.10.5', 12],
    // from the grade of 2 to 4 CPUs on
    ['v1.10.6', 7],
    ['v1.11.1', 12],
    ['v1.11.2', 7],
    ['v1.17.5', 7],
    ['v1.18.0', 7],
  ])('%s fits %i replicas of 1500m', (version, room) => {
    expect(replicasAt(version, cluster(reported(5, 3, 2), models), { cpu: '1500m' })).toBe(room);
  });

  test('v1.17 fits no replica above the minimum of the last grade, and sums resources without a model', () => {
    const of = cluster(reported(5, 3, 2), models);
    expect(replicasAt('v1.17.5', of, { cpu: '5' })).toBe(0);
    expect(replicasAt('v1.17.5', of, { memory: '1Gi' })).toBe(0);
    const withMemory = { ...reported(5), allocatable: { cpu: '100', memory: '7Gi', pods: '100' } };
    expect(replicasAt('v1.17.5', cluster(withMemory, models), { memory: '1Gi' })).toBe(7);
  });

  const component = (name: string, count: number, cpu?: string) => ({
    name,
    replicas: count,
    ...(cpu ? { replicaRequirements: { resourceRequest: { cpu } } } : {}),
  });
  const setsAt = (version: string, of: Cluster, ...components: ReturnType<typeof component>[]) => {
    const options = at(version);
    const demand = componentSetDemand(components, options.rules);
    return maxAvailableComponentSets(compileClusterCapacity(of, options), demand);
  };

  test.each([
    // one large one on each node, and a small one on the same node
    ['v1.16.8', 1],
    // both small ones on the first node, which leaves only one node for the large ones
    ['v1.17.0', 0],
  ])('in %s, %i sets fit if small components come first', (version, sets) => {
    const of = cluster(reported(0, 0, 2), models);
    expect(setsAt(version, of, component('small', 2, '1'), component('large', 2, '3'))).toBe(sets);
  });

  test.each([
    ['v1.16.8', 50],
    ['v1.17.5', 50],
    ['v1.18.0', 0],
  ])('in %s, %i sets without requests fit if no node is left', (version, sets) => {
    expect(setsAt(version, cluster(reported(0, 0, 0), models), component('a', 1), component('b', 1))).toBe(
      sets,
    );
  });
});
