import { describe, expect, test } from '@jest/globals';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import { cluster, deployment, failoverOn, outcomeOf, START, world } from '../simulation/controlPlane.ts';

const anyOne: Placement = {
  clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
};
const names = ['a', 'b', 'c', 'd'];
const taint = { type: 'taint', cluster: 'east-1', taint: { key: 'x', effect: 'NoExecute' } } as const;
const TURNS = expect.stringContaining('the order of the eviction queue');

/** Four workloads on east-1: three of them have their turns at once, the fourth two seconds later. */
function play(...events: [seconds: number, action: ScenarioAction][]) {
  const workloads = names.map((name) =>
    deployment(name, { placement: anyOne, replicas: 1, clusters: [{ name: 'east-1', replicas: 1 }] }),
  );
  return simulate(
    world([cluster('east-1'), cluster('west-1')], workloads),
    {
      start: START,
      members: { workloadReadyAfter: 5000, neverReady: [] },
      events: events.map(([seconds, action]) => ({ at: START + seconds * 1000, action })),
    },
    failoverOn,
  );
}

describe('turns in the paced eviction queue', () => {
  test('decide which workloads stay if the taint is removed while workloads wait, so all are uncertain', () => {
    const simulation = play([1, taint], [2, { type: 'untaint', cluster: 'east-1', key: 'x' }]);
    expect(outcomeOf(simulation, 'd')).toMatchObject({ outcome: 'stays' });
    for (const name of names) expect(outcomeOf(simulation, name).dependsOn).toContainEqual(TURNS);
  });

  test('decide nothing if all turns were long before the removal of the taint', () => {
    const simulation = play([1, taint], [60, { type: 'untaint', cluster: 'east-1', key: 'x' }]);
    for (const name of names) expect(outcomeOf(simulation, name).dependsOn ?? []).not.toContainEqual(TURNS);
  });

  test('are still possible for a workload whose toleration ends when the taint is removed', () => {
    const tolerations = (seconds?: number) => ({
      clusterTolerations:
        seconds === undefined
          ? []
          : [
              {
                key: 'x',
                operator: 'Exists' as const,
                effect: 'NoExecute' as const,
                tolerationSeconds: seconds,
              },
            ],
    });
    const back = (seconds?: number) => {
      const placement = { clusterAffinity: { clusterNames: ['east-1'] }, ...tolerations(seconds) };
      const web = deployment('web', { placement, replicas: 1, clusters: [{ name: 'east-1', replicas: 1 }] });
      const effects = ['NoExecute', 'NoSchedule'] as const;
      const simulation = simulate(
        world([cluster('east-1')], [web]),
        {
          start: START,
          members: { workloadReadyAfter: 5000, neverReady: [] },
          events: [
            ...effects.map((effect) => ({
              at: START + 1000,
              action: { type: 'taint' as const, cluster: 'east-1', taint: { key: 'x', effect } },
            })),
            { at: START + 1_000_000, action: { type: 'untaint', cluster: 'east-1', key: 'x' } },
          ],
        },
        failoverOn,
      );
      return outcomeOf(simulation, 'web');
    };
    expect(back(3)).toMatchObject({ outcome: 'restarted' });
    expect(back(3).dependsOn).toContainEqual(TURNS);
    expect(back()).toMatchObject({ outcome: 'restarted' });
    expect(back().dependsOn ?? []).not.toContainEqual(TURNS);
  });
});
