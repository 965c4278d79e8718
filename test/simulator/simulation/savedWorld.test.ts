import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { savedWorld, setStage } from '../../../src/simulator/simulation/stage.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import type { Scenario } from '../../../src/simulator/scenario.ts';
import type { ResumableWorld } from '../../../src/simulator/store/savedSimulation.ts';
import { stateFromFiles } from '../../../src/state/fileSource.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import { cluster, deployment, failoverOn, START, world as worldOf } from './controlPlane.ts';

const configuration = failoverOn;

async function example(name: string): Promise<{ world: ResumableWorld; now: number }> {
  const { world, captured, newestTimestamp } = await stateFromFiles([join('examples', name)]).load();
  return { world, now: captured?.time ?? newestTimestamp!.time };
}

/** The final state of a simulation, and its timeline, without a stop or with the world saved at some instants. */
function endOf(world: ResumableWorld, scenario: Scenario, stops: readonly number[]): unknown {
  let [from, events] = [world, scenario.events];
  const timeline: unknown[] = [];
  for (const stop of [...stops, scenario.until!]) {
    const leg = { ...scenario, start: from.simulation?.queues.now ?? scenario.start, until: stop, events };
    const stage = setStage(createStartingWorld(from, configuration, leg), leg);
    stage.time.run(stop);
    timeline.push(...stage.events);
    // as stored in a file
    from = JSON.parse(JSON.stringify(savedWorld(stage, leg, stop))) as ResumableWorld;
    events = [];
  }
  return { from, timeline };
}

const anywhere: Placement = {};
const pinned: Placement = { clusterAffinity: { clusterNames: ['east-1'] } };
const either: Placement = {
  clusterAffinities: [
    { affinityName: 'first', clusterNames: ['east-1'] },
    { affinityName: 'then', clusterNames: ['west-1'] },
  ],
};
/** Tolerated for less time than a replica takes to become ready. */
const impatient: Placement = {
  ...either,
  clusterTolerations: [{ key: 'net', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 }],
};
const taint = (name: string): ScenarioAction => ({
  type: 'taint',
  cluster: name,
  taint: { key: 'net', effect: 'NoExecute' },
});
const unjoin = (name: string): ScenarioAction => ({ type: 'delete', target: { kind: 'Cluster', name } });
const removed: ScenarioAction = {
  type: 'delete',
  target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
};

interface Case {
  placement: Placement;
  events: [seconds: number, action: ScenarioAction][];
  /** seconds after the start at which the world is saved */
  saved: number[];
}

const cases: Record<string, Case> = {
  'a cluster is unjoined and its member still runs': {
    placement: anywhere,
    events: [[1, unjoin('east-1')]],
    saved: [60],
  },
  'a Work of a deleted binding remains, because its member does not answer': {
    placement: pinned,
    events: [
      [1, { type: 'fail', cluster: 'east-1' }],
      [120, removed],
    ],
    saved: [150],
  },
  'the scheduler has just written and handles other bindings': {
    placement: either,
    events: [[1, taint('east-1')]],
    saved: [1.5, 1.6, 1.9, 2],
  },
  'an event coincides with a reconcile': {
    placement: either,
    events: [
      [1, taint('east-1')],
      [1.03, { type: 'untaint', cluster: 'east-1', key: 'net' }],
    ],
    saved: [1.01],
  },
  'a workload flaps': {
    placement: impatient,
    events: [
      [1, taint('east-1')],
      [1, taint('west-1')],
    ],
    saved: [40, 200],
  },
};

describe('a saved and continued simulation', () => {
  test.each(Object.entries(cases))(
    'ends like an unsaved simulation if %s',
    (_, { placement, events, saved }) => {
      // given
      const world = worldOf(
        ['east-1', 'east-2', 'west-1'].map((name) => cluster(name)),
        [deployment('web', { placement, replicas: 2, clusters: [{ name: 'east-1', replicas: 2 }] })],
      );
      const scenario: Scenario = {
        start: START,
        until: START + 900_000,
        members: { workloadReadyAfter: 30_000, neverReady: [] },
        events: events.map(([seconds, action]) => ({ at: START + seconds * 1000, action })),
      };
      // when
      const whole = endOf(world, scenario, []);
      const stopped = saved.map((seconds) => endOf(world, scenario, [START + seconds * 1000]));
      // then
      expect(stopped).toEqual(saved.map(() => whole));
    },
  );

  for (const name of ['shop', 'incident'])
    test(`ends like an unsaved simulation of ${name}`, async () => {
      const { world, now } = await example(name);
      const cluster = world.clusters[0]!.metadata.name;
      const scenario: Scenario = {
        start: now,
        until: now + 20 * 60_000,
        members: { workloadReadyAfter: 30_000, neverReady: [] },
        events: [
          { at: now, action: { type: 'fail', cluster } },
          { at: now + 90_000, action: { type: 'recover', cluster } },
        ],
      };
      const whole = endOf(world, scenario, []);
      for (const seconds of [0, 5, 36, 37, 40, 66, 91, 130, 700])
        expect({ seconds, end: endOf(world, scenario, [now + seconds * 1000]) }).toEqual({
          seconds,
          end: whole,
        });
      expect(
        endOf(
          world,
          scenario,
          [10, 38, 39, 41, 60, 120, 125].map((s) => now + s * 1000),
        ),
      ).toEqual(whole);
    });
});
