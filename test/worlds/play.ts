import type { Scenario, ScenarioEvent } from '../../src/simulator/scenario.ts';
import { savedWorld, setStage } from '../../src/simulator/simulation/stage.ts';
import { ScenarioError, scenarioWrites } from '../../src/simulator/simulation/scenarioWrites.ts';
import { createStartingWorld } from '../../src/simulator/store/startingWorld.ts';
import type { ResumableWorld } from '../../src/simulator/store/savedSimulation.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';

/** The result of playing a scenario. */
export interface Played {
  /** with everything that a simulation saves */
  world: ResumableWorld;
  /** epoch milliseconds */
  end: number;
  /** the events that Karmada accepted: it refuses some, and the objects of others are gone */
  taken: ScenarioEvent[];
}

/** Plays a scenario and leaves out the events that cannot happen. */
export function played(world: ResumableWorld, scenario: Scenario, configuration: Configuration): Played {
  const stage = setStage(createStartingWorld(world, configuration, scenario), { ...scenario, events: [] });
  const taken: ScenarioEvent[] = [];
  for (const event of scenario.events)
    stage.time.plan(event.at, () => {
      try {
        const writes = scenarioWrites(event.action, stage.time.view, configuration, stage.time.now());
        for (const write of writes) stage.time.write('scenario', [write]);
        taken.push(event);
      } catch (error) {
        if (!(error instanceof ScenarioError)) throw error;
      }
    });
  const end = scenario.until!;
  stage.time.run(end);
  return { world: savedWorld(stage, { ...scenario, events: [] }, end), end, taken };
}

/** A world after saving and loading. */
export function asFileKeeps(world: ResumableWorld): ResumableWorld {
  return JSON.parse(JSON.stringify(world)) as ResumableWorld;
}
