import { readFileSync } from 'node:fs';
import { parseAssumptions } from '../../src/karmada/configuration/assumptions.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { resolveConfiguration } from '../../src/karmada/configuration/resolveConfiguration.ts';
import type { World } from '../../src/karmada/world.ts';
import { simulate } from '../../src/simulator/simulation/simulate.ts';
import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import type { Ordering } from '../../src/simulator/virtualTime/ordering.ts';
import { stateFromFiles } from '../../src/state/fileSource.ts';
import { parseScenario, resolveScenario, type ScenarioFile } from '../../src/state/scenario/scenarioFile.ts';
import { parseAnyYaml } from '../../src/state/yaml/anyYaml.ts';

/** The default Karmada version of recordings. */
const RECORDED = 'v1.18.2';

/** Simulates a file's scenario on the state of another file, as `failover simulate` does. */
export async function simulateFiles(
  state: string,
  scenarioFile: string,
  karmada = RECORDED,
): Promise<Simulation> {
  const { world, components } = await stateFromFiles([state]).load();
  const text = readFileSync(scenarioFile, 'utf8');
  const file = parseScenario(
    parseAnyYaml(text, () => undefined),
    scenarioFile,
  );
  return simulateScenario(world, file, { karmada, commandLines: components.commandLines });
}

/** As many as `failover simulate` tries. */
const OTHER_ORDERS = 6;

interface Recorded {
  /** the version of Karmada, such as v1.18.2 */
  karmada?: string;
  commandLines?: Parameters<typeof resolveConfiguration>[1];
  /** a single order; absent: the one that simulations show, and others */
  ordering?: Ordering;
}

/** Simulates a scenario as `failover simulate` does. Throws for unknown assumptions. */
export function simulateScenario(
  world: World,
  file: ScenarioFile,
  { karmada = RECORDED, commandLines = [], ordering }: Recorded = {},
): Simulation {
  const { dialect } = dialectOf(karmada);
  const assumed = parseAssumptions(file.assume, 'scenario', dialect);
  if (!Array.isArray(assumed)) throw new Error(assumed.message);
  const { configuration } = resolveConfiguration(dialect, commandLines, assumed);
  return simulate(
    world,
    resolveScenario(file, file.start ?? 0),
    configuration,
    ordering ? { ordering } : { otherOrders: OTHER_ORDERS },
  );
}
