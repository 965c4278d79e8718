import { parseAssumptions } from '../../src/karmada/configuration/assumptions.ts';
import { resolveConfiguration } from '../../src/karmada/configuration/resolveConfiguration.ts';
import { resolveScenario } from '../../src/state/scenario/scenarioFile.ts';
import { WorldBuilder } from '../../src/state/world/worldBuilder.ts';
import { v1_18 } from '../dialects.ts';
import { readRecording } from '../recordings/recording.ts';
import type { GeneratedWorld } from './worldOfSeed.ts';

/** The world of a recording before its incident, and the incident's events. */
export function recordedWorld(folder: string): GeneratedWorld {
  const { before, scenario, start } = readRecording(folder);
  const builder = new WorldBuilder();
  for (const object of before) builder.add(structuredClone(object), { file: folder, line: 1 });
  const assumed = parseAssumptions(scenario.assume, 'scenario', v1_18);
  if (!Array.isArray(assumed)) throw new Error(assumed.message);
  const { configuration } = resolveConfiguration(v1_18, [], assumed);
  return { seed: start, world: builder.world, configuration, scenario: resolveScenario(scenario, start) };
}
