import { readFileSync } from 'node:fs';
import { parseAssumptions } from '../../src/karmada/assumptions.ts';
import { v1_18 } from '../dialects.ts';
import { resolveConfiguration } from '../../src/karmada/resolveConfiguration.ts';
import type { World } from '../../src/engine/world.ts';
import { simulate } from '../../src/engine/simulation/simulate.ts';
import type { Simulation } from '../../src/engine/simulation/timeline.ts';
import { stateFromFiles } from '../../src/state/fileSource.ts';
import { parseScenario, resolveScenario, type ScenarioFile } from '../../src/state/scenarioFile.ts';
import { parseAnyYaml } from '../../src/state/yaml/anyYaml.ts';

/** Simulates the scenario of a file on the state of another, as `failover simulate` does. */
export async function simulateFiles(state: string, scenarioFile: string): Promise<Simulation> {
  const { world, components } = await stateFromFiles([state]).load();
  const text = readFileSync(scenarioFile, 'utf8');
  const file = parseScenario(
    parseAnyYaml(text, () => undefined),
    scenarioFile,
  );
  return simulateScenario(world, file, components.commandLines);
}

/** Simulates a scenario as `failover simulate` does. Throws for assumptions that are not known. */
export function simulateScenario(
  world: World,
  file: ScenarioFile,
  commandLines: Parameters<typeof resolveConfiguration>[1] = [],
): Simulation {
  const assumed = parseAssumptions(file.assume, 'scenario', v1_18);
  if (!Array.isArray(assumed)) throw new Error(assumed.message);
  const { configuration } = resolveConfiguration(v1_18, commandLines, assumed);
  return simulate(world, resolveScenario(file, file.start ?? 0), configuration);
}
