import { describe, expect, test } from '@jest/globals';
import {
  countTrouble,
  isInTrouble,
  createWorkloadSummaries,
  troubleOf,
  type WorkloadSummary,
} from '../../../src/analysis/explanation/workloadNow.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { AggregatedStatusItem, ResourceBinding } from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';
import { deployment } from '../../simulator/simulation/controlPlane.ts';

const cluster = (name: string, ready: 'True' | 'False' = 'True') =>
  ({ metadata: { name }, status: { conditions: [{ type: 'Ready', status: ready }] } }) as Cluster;
const both = [cluster('east'), cluster('west')];

interface Given {
  clusters?: Cluster[];
  placement?: Placement;
  placed?: string[];
  reported: AggregatedStatusItem[];
  change?: (binding: ResourceBinding) => ResourceBinding;
}

/** A Deployment with two replicas on each of its clusters, with this reported status. */
function cart(given: Given): WorkloadSummary {
  const { clusters = both, placement = {}, placed = ['east', 'west'], reported, change } = given;
  const { status, ...binding } = deployment('cart', {
    placement,
    replicas: 2,
    clusters: placed.map((name) => ({ name, replicas: 2 })),
  });
  const whole = { ...binding, status: { ...status, aggregatedStatus: reported } };
  return createWorkloadSummaries()(
    { clusters, bindings: [change ? change(whole) : whole], others: [] },
    v1_18.defaults,
  )[0]!;
}

const stateOf = (...reported: AggregatedStatusItem[]) => {
  const { state, where } = cart({ reported });
  return [state, where];
};

const healthy = { clusterName: 'east', applied: true, health: 'Healthy' } as const;
const withReady = (clusterName: string, ready: number): AggregatedStatusItem => ({
  clusterName,
  applied: true,
  health: ready < 2 ? 'Unhealthy' : 'Healthy',
  status: { replicas: 2, readyReplicas: ready, availableReplicas: ready },
});

test('a workload runs if each copy is applied and has ready replicas', () => {
  expect(stateOf(healthy, { ...healthy, clusterName: 'west' })).toEqual(['running', []]);
  expect(stateOf(withReady('east', 2), withReady('west', 2))).toEqual(['running', []]);
});

test('a workload with an unapplied copy, reported with health Unknown, does not run', () => {
  expect(stateOf(healthy, { clusterName: 'west', health: 'Unknown' })).toEqual(['unapplied', ['west']]);
});

test('a workload that conflicts with an existing object is unapplied, and not reported down', () => {
  const appliedMessage = 'resource(kind=Deployment, shop/cart) already exists in the cluster';
  const { state, where, down, ready } = cart({
    reported: ['east', 'west'].map((clusterName) => ({ clusterName, appliedMessage, health: 'Unknown' })),
  });
  expect({ state, where, down, ready }).toEqual({ state: 'unapplied', where: ['east', 'west'] });
});

test('a workload with an unreported copy is starting, and an Unhealthy copy takes precedence', () => {
  expect(stateOf(healthy)).toEqual(['starting', ['west']]);
  expect(stateOf({ ...healthy, health: 'Unhealthy' }, { clusterName: 'west', health: 'Unknown' })).toEqual([
    'unhealthy',
    ['east'],
  ]);
});

describe('a workload is down', () => {
  test('if all its replicas are unready', () => {
    const one = cart({ reported: [withReady('east', 0), withReady('west', 0)] });
    expect(one).toMatchObject({ state: 'down', down: true, ready: { ready: 0, wanted: 4 } });
    expect(isInTrouble(one)).toBe(true);
    expect(cart({ reported: [withReady('east', 0), withReady('west', 1)] }).down).toBeUndefined();
  });

  test('if all its copies are on clusters that are not Ready', () => {
    const given = { clusters: [cluster('east', 'False'), cluster('west')], placed: ['east'] };
    expect(cart({ ...given, reported: [withReady('east', 2)] })).toMatchObject({
      state: 'down',
      down: true,
      where: ['east'],
    });
  });

  test('while it is evicted and its replacement is not ready', () => {
    const leaving = (binding: ResourceBinding): ResourceBinding => ({
      ...binding,
      spec: {
        ...binding.spec,
        gracefulEvictionTasks: [
          { fromCluster: 'east', replicas: 2, reason: 'TaintUntolerated', producer: 'TaintManager' },
        ],
      },
    });
    const given = {
      clusters: [cluster('east', 'False'), cluster('west')],
      placed: ['west'],
      change: leaving,
    };
    expect(cart({ ...given, reported: [withReady('east', 2)] })).toMatchObject({ state: 'down', down: true });
    expect(cart({ ...given, reported: [withReady('west', 2)] })).toMatchObject({ state: 'evicting' });
  });

  test('but not during its first start, and not if its replicas are unreported', () => {
    expect(cart({ reported: [] })).toMatchObject({ state: 'starting' });
    expect(cart({ reported: [] }).down).toBeUndefined();
    const unhealthy = { clusterName: 'east', applied: true, health: 'Unhealthy' } as const;
    expect(cart({ placed: ['east'], reported: [unhealthy] }).down).toBeUndefined();
  });
});

describe('a workload is short of', () => {
  test('ready replicas', () => {
    const short = cart({ reported: [{ ...withReady('east', 1), health: 'Healthy' }, withReady('west', 2)] });
    expect(short).toMatchObject({ state: 'short', ready: { ready: 3, wanted: 4 } });
    expect(isInTrouble(short)).toBe(true);
  });

  test('copies, if minGroups prevents another placement', () => {
    const placement: Placement = { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 2 }] };
    const alone = cart({ placement, placed: ['east'], reported: [withReady('east', 2)] });
    expect(alone).toMatchObject({ state: 'short', copies: { placed: 1, wanted: 2 } });
  });

  test('copies, if a cluster of its placement failed and has no replacement', () => {
    const given = { clusters: [cluster('east'), cluster('west', 'False')], placed: ['east'] };
    const reported = [withReady('east', 2)];
    expect(cart({ ...given, reported })).toMatchObject({ state: 'short', copies: { placed: 1, wanted: 2 } });
    const onEast: Placement = { clusterAffinity: { clusterNames: ['east'] } };
    expect(cart({ ...given, placement: onEast, reported }).state).toBe('running');
  });
});

test('a workload with a failed scheduling is in trouble, even if its placed replicas run', () => {
  const refuse = (binding: ResourceBinding): ResourceBinding => ({
    ...binding,
    status: {
      ...binding.status,
      conditions: [
        { type: 'Scheduled', status: 'False', reason: 'NoClusterFit', message: '0/2 clusters are available' },
      ],
    },
  });
  const one = cart({ reported: [withReady('east', 2), withReady('west', 2)], change: refuse });
  expect(one).toMatchObject({ state: 'unscheduled', refused: 'NoClusterFit: 0/2 clusters are available' });
  expect(isInTrouble(one)).toBe(true);
});

test('workloads in trouble are counted, and the most severe ones come first', () => {
  const running = cart({ reported: [withReady('east', 2), withReady('west', 2)] });
  const short = cart({ reported: [{ ...withReady('east', 1), health: 'Healthy' }, withReady('west', 2)] });
  const down = cart({ reported: [withReady('east', 0), withReady('west', 0)] });
  expect(countTrouble([running, short, down])).toEqual({ all: 2, down: 1 });
  expect(troubleOf([short, running, down])).toEqual([down, short]);
});

test('an unchanged workload on unchanged clusters keeps its summary', () => {
  const binding = deployment('cart', {
    placement: {},
    replicas: 2,
    clusters: [{ name: 'east', replicas: 2 }],
  });
  const look = createWorkloadSummaries();
  const seen = (clusters: Cluster[]) =>
    look({ clusters, bindings: [binding], others: [] }, v1_18.defaults)[0]!;
  const first = seen(both);
  expect(seen([...both])).toBe(first);
  expect(seen([cluster('east', 'False'), cluster('west')]).state).not.toBe(first.state);
});
