import { describe, expect, test } from '@jest/globals';
import { setStage } from '../../../src/simulator/simulation/stage.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import { cluster, deployment, failoverOn, outcomeOf, START, world } from './controlPlane.ts';

const anyOne: Placement = {
  clusterTolerations: [{ key: 'x', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 }],
  clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
};

const members = { workloadReadyAfter: 5000, neverReady: [] };

type Event = [seconds: number, action: ScenarioAction];

// web runs on east-1; its members need 5 s until they are ready
function play(until: number, ...events: Event[]) {
  const web = deployment('web', {
    placement: anyOne,
    replicas: 2,
    clusters: [{ name: 'east-1', replicas: 2 }],
  });
  return simulate(
    world([cluster('east-1'), cluster('west-1')], [web]),
    {
      start: START,
      until: START + until * 1000,
      members,
      events: events.map(([seconds, action]) => ({ at: START + seconds * 1000, action })),
    },
    failoverOn,
  );
}

const leaves: Event = [1, { type: 'taint', cluster: 'east-1', taint: { key: 'x', effect: 'NoExecute' } }];

const notReady = (cluster: string): Event => [
  40,
  { type: 'condition', cluster, condition: { type: 'Ready', status: 'False' } },
];

// The failure threshold is 30 s, and probes are 10 s apart.
describe('a cluster that Karmada detects as unreachable after 40 s', () => {
  test('has failed before the detection: new workloads do not start there, and their evictions wait', () => {
    const evictingAfter = (...events: Event[]) =>
      play(39, ...events).events.findLast(({ evicting }) => evicting !== undefined)?.evicting;
    expect(evictingAfter(leaves)).toEqual([]);
    expect(evictingAfter(leaves, notReady('west-1'))).toEqual(['east-1']);
  });

  test('has failed before the start if the detection is shortly after the start', () => {
    const start = createStartingWorld(world([cluster('east-1')], []), failoverOn, { start: START, members });
    const noticed = { at: START + 5000, action: notReady('east-1')[1] };
    const stage = setStage(start, { start: START, until: START + 1000, members, events: [noticed] });
    stage.play();
    // 35 s before it is noticed
    expect(stage.time.view.get('Member', 'east-1')).toMatchObject({
      answers: false,
      downSince: START - 30_000,
    });
  });

  test('still serves users until the detection', () => {
    expect(outcomeOf(play(40, notReady('east-1')), 'web').gap?.seconds ?? 0).toBe(0);
    expect(outcomeOf(play(45, notReady('east-1')), 'web').gap?.seconds).toBeCloseTo(5, 0);
  });

  test('answers until a failure in the scenario', () => {
    const fails: Event = [39, { type: 'fail', cluster: 'west-1' }];
    const { events } = play(38, leaves, fails, notReady('west-1'));
    expect(events.findLast(({ evicting }) => evicting !== undefined)?.evicting).toEqual([]);
  });
});

describe('a taint that a user patches onto a cluster', () => {
  test('gets timeAdded from the API server if it is NoExecute, and tolerations start then', () => {
    const patched = (effect: string) =>
      play(20, [
        5,
        {
          type: 'patch',
          target: { kind: 'Cluster', name: 'east-1' },
          merge: { spec: { taints: [{ key: 'x', effect }] } },
        },
      ]);
    const evicted = patched('NoExecute').events.find(({ type }) => type === 'Evicted');
    expect(evicted!.time - START).toBeGreaterThanOrEqual(8000);
    expect(patched('NoSchedule').events.some(({ type }) => type === 'Evicted')).toBe(false);
  });
});

describe('a Ready condition with only a status in a scenario', () => {
  test('is kept as if Karmada had written it, and no later probe changes it', () => {
    const { events } = play(120, notReady('east-1'), [
      90,
      { type: 'condition', cluster: 'east-1', condition: { type: 'Ready', status: 'True' } },
    ]);
    const times = events
      .filter(({ type, object }) => type === 'ConditionChanged' && object.name === 'east-1')
      .map(({ time }) => (time - START) / 1000);
    expect(times).toEqual([40, 90]);
  });
});
