import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import { cluster, deployment, failoverOn, outcomeOf, run, START, world } from '../simulation/controlPlane.ts';

// Findings of doctor that simulations do not play: outcomes that depend on them are unknown, with doctor's words.

const fails: ScenarioAction = { type: 'fail', cluster: 'east-1' };

function outcome(others: KubernetesObject[], components?: { name: string; cpu: string }[], readAt?: number) {
  const web = deployment('web', {
    placement: { clusterAffinity: { clusterNames: ['east-1', 'west-1'] } },
    clusters: [{ name: 'east-1' }],
    ...(components && {
      spec: {
        components: components.map(({ name, cpu }) => ({
          name,
          replicas: 2,
          replicaRequirements: { resourceRequest: { cpu } },
        })),
      },
    }),
  });
  const state = {
    ...world([cluster('east-1'), cluster('west-1')], [web]),
    others,
    ...(readAt !== undefined && { readAt }),
  };
  return outcomeOf(run(state, { events: [[1, fails]] }), 'web');
}

const scheduler = (status: object): KubernetesObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'karmada-scheduler', namespace: 'karmada-system' },
    status,
  }) as KubernetesObject;

const lease = (secondsAgo: number): KubernetesObject =>
  ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'karmada-controller-manager', namespace: 'karmada-system' },
    spec: { renewTime: new Date(START - secondsAgo * 1000).toISOString() },
  }) as KubernetesObject;

describe('an outcome', () => {
  test('is unknown while a component has no ready replica', () => {
    const { certainty, dependsOn } = outcome([scheduler({ replicas: 1, readyReplicas: 0 })]);
    expect(certainty).toBe('unknown');
    expect(dependsOn).toContain(
      'whether this ends: karmada-scheduler has no ready replica: evicted workloads are not rescheduled',
    );
    expect(outcome([scheduler({ replicas: 1, readyReplicas: 1 })]).certainty).not.toBe('unknown');
  });

  test('is unknown while no leader renews its Lease', () => {
    expect(outcome([lease(1200)]).dependsOn?.join('\n')).toContain(
      'karmada-controller-manager has not renewed its Lease for 20m',
    );
    expect(outcome([lease(5)]).certainty).not.toBe('unknown');
  });

  test('does not depend on a Lease that was fresh when the state was read', () => {
    expect(outcome([lease(1200)], undefined, START - 1195_000).certainty).not.toBe('unknown');
    expect(outcome([lease(1200)], undefined, START - 1000_000).certainty).toBe('unknown');
  });

  test('does not depend on the old Lease in a saved simulation', () => {
    const placement = { clusterAffinity: { clusterNames: ['east-1', 'west-1'] } };
    const web = deployment('web', { placement, clusters: [{ name: 'east-1' }] });
    const state = { ...world([cluster('east-1'), cluster('west-1')], [web]), others: [lease(5)] };
    const members = { workloadReadyAfter: 20_000, neverReady: [] };
    const end = START + 1_200_000;
    let saved: World = state;
    const save = (one: World) => void (saved = one);
    simulate(state, { start: START, until: end, members, events: [] }, failoverOn, { save });
    const goesOn = { start: end, members, events: [{ at: end + 1000, action: fails }] };
    expect(outcomeOf(simulate(saved, goesOn, failoverOn), 'web').certainty).not.toBe('unknown');
  });

  test('is unknown if a cluster has no capacity for all components of a workload', () => {
    const { outcome: goes, dependsOn } = outcome(
      [],
      [
        { name: 'master', cpu: '2' },
        { name: 'worker', cpu: '60' },
      ],
    );
    expect(goes).toBe('moves');
    expect(dependsOn).toContain(
      'whether its Pods stay Pending: its components need cpu 124 together, and west-1 has 100',
    );
    const small = [
      { name: 'master', cpu: '2' },
      { name: 'worker', cpu: '6' },
    ];
    expect(outcome([], small).certainty).not.toBe('unknown');
  });

  test('does not depend on the capacity of a cluster that already runs the components', () => {
    const clusterNames = ['east-1', 'west-1', 'north-1'];
    const full = cluster('west-1');
    full.status!.resourceSummary!.allocated = { pods: '10', cpu: '90' };
    const component = (name: string) => ({
      name,
      replicas: 1,
      replicaRequirements: { resourceRequest: { cpu: '45' } },
    });
    const web = deployment('web', {
      placement: {
        clusterAffinity: { clusterNames },
        spreadConstraints: [{ spreadByField: 'cluster', minGroups: 2, maxGroups: 2 }],
      },
      clusters: [{ name: 'east-1' }, { name: 'west-1' }],
      spec: { components: [component('master'), component('worker')] },
    });
    const { after, certainty } = outcomeOf(
      run(world([cluster('east-1'), full, cluster('north-1')], [web]), { events: [[1, fails]] }),
      'web',
    );
    expect(after.map(({ name }) => name).sort()).toEqual(['north-1', 'west-1']);
    expect(certainty).not.toBe('unknown');
  });
});
