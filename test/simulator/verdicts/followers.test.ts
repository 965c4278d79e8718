import { describe, expect, test } from '@jest/globals';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { WorkloadOutcome } from '../../../src/simulator/verdicts/outcome.ts';
import {
  cluster,
  deployment,
  failoverOn,
  outcomeOf,
  run,
  START,
  world,
  type When,
} from '../simulation/controlPlane.ts';

// Followers are not scheduled: they are where the others are, at once and without a task.

const [east1, east2] = [cluster('east-1'), cluster('east-2')];
const anyOne: Placement = {
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
};
const weighted: Placement = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
};
const failEast1: When['events'] = [[0, { type: 'fail', cluster: 'east-1' }]];
const on = (...names: string[]) => names.map((name) => ({ name, replicas: 1 }));
const bare = (...names: string[]) => names.map((name) => ({ name, replicas: 0 }));

function cart(
  placement: Placement,
  clusters: { name: string; replicas: number }[],
  spec: Partial<ResourceBindingSpec> = {},
): ResourceBinding {
  const replicas = Math.max(clusters.length, 1);
  return deployment('cart', { placement, replicas, clusters, spec: { propagateDeps: true, ...spec } });
}

/** A ConfigMap that those depend on. */
function settings(...parents: ResourceBinding[]): ResourceBinding {
  const requiredBy = parents.map(({ metadata, spec }) => ({
    namespace: metadata.namespace!,
    name: metadata.name,
    clusters: spec.clusters!,
  }));
  const resource = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' };
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: 'settings-configmap', namespace: 'shop' },
    spec: { resource, requiredBy },
    status: {
      aggregatedStatus: requiredBy.flatMap(({ clusters }) =>
        clusters.map(({ name }) => ({ clusterName: name, applied: true, health: 'Healthy' as const })),
      ),
    },
  };
}

function played(parents: ResourceBinding[], when: When = { events: failEast1 }): WorkloadOutcome {
  return outcomeOf(run(world([east1, east2], [...parents, settings(...parents)]), when), 'settings');
}

describe('given a ConfigMap that follows a workload on the failed cluster east-1', () => {
  test('when the workload moves, the ConfigMap moves with the same certainty', () => {
    const parent = cart(anyOne, on('east-1'));
    const simulation = run(world([east1, east2], [parent, settings(parent)]), { events: failEast1 });
    const { certainty, dependsOn } = outcomeOf(simulation, 'cart');
    expect(certainty).toBe('estimate');
    expect(outcomeOf(simulation, 'settings')).toMatchObject({
      outcome: 'moves',
      before: bare('east-1'),
      after: bare('east-2'),
      reason: 'follows cart-deployment',
      certainty,
      dependsOn,
    });
  });

  test('when no cluster accepts the workload, the ConfigMap is lost at once, despite the eviction task', () => {
    const only = { ...anyOne, clusterAffinity: { clusterNames: ['east-1'] } };
    expect(played([cart(only, on('east-1'))], { events: failEast1, until: 100 })).toMatchObject({
      outcome: 'lost',
      reason: 'nothing that requires it is placed',
      after: [],
    });
  });

  test('when the workload tolerates the taint, the ConfigMap stays as well', () => {
    const tolerating = {
      ...anyOne,
      clusterTolerations: [{ key: 'cluster.karmada.io/not-ready', operator: 'Exists' as const }],
    };
    expect(played([cart(tolerating, on('east-1'))])).toMatchObject({
      outcome: 'tolerates',
      reason: 'follows cart-deployment, which tolerates cluster.karmada.io/not-ready on east-1 forever',
    });
  });

  test('when eviction is off, the ConfigMap stays for the same reason', () => {
    const featureGates = { ...failoverOn.featureGates, Failover: false };
    const configuration = { ...failoverOn, featureGates };
    expect(played([cart(anyOne, on('east-1'))], { events: failEast1, configuration })).toMatchObject({
      outcome: 'stays',
      before: bare('east-1'),
      after: bare('east-1'),
      reason: 'nothing is evicted: feature gate Failover=false',
    });
  });
});

describe('given a ConfigMap that follows a workload on east-1 and east-2 when east-1 fails', () => {
  test('when all replicas move to east-2, the ConfigMap moves as well', () => {
    expect(played([cart(weighted, on('east-1', 'east-2'))])).toMatchObject({
      outcome: 'moves',
      after: bare('east-2'),
    });
  });

  test('when nothing replaces the copy of the workload, nothing replaces the copy of the ConfigMap', () => {
    const everywhere: Placement = { replicaScheduling: { replicaSchedulingType: 'Duplicated' } };
    expect(played([cart(everywhere, on('east-1', 'east-2'))])).toMatchObject({
      outcome: 'partly-moves',
      reason: 'nothing replaces the copy on east-1',
    });
  });

  test('when another workload stays on both clusters, the ConfigMap stays as well', () => {
    const tolerating = { ...weighted, clusterTolerations: [{ operator: 'Exists' as const }] };
    const other = deployment('search', {
      placement: tolerating,
      replicas: 2,
      clusters: on('east-1', 'east-2'),
      spec: { propagateDeps: true },
    });
    expect(played([cart(weighted, on('east-1', 'east-2')), other])).toMatchObject({
      outcome: 'tolerates',
      after: bare('east-1', 'east-2'),
    });
  });
});

test('a dependent of a workload that returns to its cluster is restarted', () => {
  const only = { ...anyOne, clusterAffinity: { clusterNames: ['east-1'] } };
  const events: When['events'] = [...failEast1!, [120, { type: 'recover', cluster: 'east-1' }]];
  expect(played([cart(only, on('east-1'))], { events })).toMatchObject({
    outcome: 'restarted',
    reason: 'came back to east-1',
  });
});

test('a dependent is deleted with its workload, which is not a loss', () => {
  const parent = cart(anyOne, on('east-1'));
  const target = { kind: 'ResourceBinding', namespace: 'shop', name: parent.metadata.name };
  expect(played([parent], { events: [[10, { type: 'delete', target }]] })).toMatchObject({
    outcome: 'deleted',
    reason: 'deleted with cart-deployment',
    before: bare('east-1'),
    after: [],
  });
});

test('a dependent of a workload that flaps also flaps, with the same cause and period', () => {
  const failover = {
    application: {
      decisionConditions: { tolerationSeconds: 3 },
      purgeMode: 'Gracefully' as const,
      gracePeriodSeconds: 2,
    },
  };
  const parent = cart(anyOne, on('east-1'), { failover });
  const scenario = {
    start: START,
    members: { workloadReadyAfter: 5000, neverReady: [] },
    events: [
      {
        at: START + 1000,
        action: {
          type: 'health' as const,
          workload: { kind: 'Deployment', namespace: 'shop', name: 'cart' },
          cluster: 'east-1',
          health: 'Unhealthy' as const,
        },
      },
    ],
  };
  const simulated = (...bindings: ResourceBinding[]) =>
    simulate(world([east1, east2], bindings), scenario, failoverOn);
  const both = simulated(parent, settings(parent));
  const { flapping } = outcomeOf(both, 'cart');
  expect(flapping!.cause).toBe('ApplicationFailure');
  const reported = outcomeOf(both, 'settings');
  expect(reported.outcome).toBe('flaps');
  expect(reported.flapping!.cause).toBe('ApplicationFailure');
  expect(Math.abs(reported.flapping!.period - flapping!.period)).toBeLessThan(1000);
  // Time runs out about as early as without it.
  expect(both.end - simulated(parent).end).toBeLessThan(2 * flapping!.period);
});
