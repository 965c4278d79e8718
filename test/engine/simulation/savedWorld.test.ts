import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { savedWorld } from '../../../src/engine/simulation/savedWorld.ts';
import { setStage, startingWorld } from '../../../src/engine/simulation/stage.ts';
import type { Scenario } from '../../../src/engine/scenario.ts';
import type { ResumableWorld } from '../../../src/engine/store/savedSimulation.ts';
import { v1_18 } from '../../dialects.ts';
import { stateFromFiles } from '../../../src/state/fileSource.ts';

const configuration = {
  ...v1_18.defaults,
  featureGates: { ...v1_18.defaults.featureGates, Failover: true },
  controllerManager: { ...v1_18.defaults.controllerManager, 'enable-no-execute-taint-eviction': true },
};

async function example(name: string): Promise<{ world: ResumableWorld; now: number }> {
  const { world, captured, newestTimestamp } = await stateFromFiles([join('examples', name)]).load();
  return { world, now: captured?.time ?? newestTimestamp!.time };
}

/** All that a simulation leaves, in one go or with the world saved at each of some instants. */
function endOf(world: ResumableWorld, scenario: Scenario, stops: readonly number[]): unknown {
  let [from, events] = [world, scenario.events];
  for (const stop of [...stops, scenario.until!]) {
    const leg = { ...scenario, start: from.simulation?.queues.now ?? scenario.start, until: stop, events };
    const stage = setStage(startingWorld(from, leg, configuration), leg);
    stage.time.run(stop);
    // as a file keeps it
    from = JSON.parse(JSON.stringify(savedWorld(stage, leg, stop))) as ResumableWorld;
    events = [];
  }
  return from;
}

describe('a simulation that is saved and goes on', () => {
  for (const name of ['shop', 'incident'])
    test(`ends as one that was never stopped: ${name}`, async () => {
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
