import { scenarioComparison } from '../../src/simulator/comparison/compareScenarios.ts';
import {
  differenceOf,
  type SimulatedWorkload,
  simulateScenario,
  type WorkloadDifference,
} from '../../src/simulator/comparison/differences.ts';
import type { Scenario } from '../../src/simulator/scenario.ts';
import { forecastLosses } from '../../src/analysis/forecast/losses.ts';
import { setStage } from '../../src/simulator/simulation/stage.ts';
import { createStartingWorld, type StartingWorld } from '../../src/simulator/store/startingWorld.ts';
import type { WorkloadOutcome } from '../../src/simulator/verdicts/outcome.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import { firstDifference } from './firstDifference.ts';
import type { GeneratedWorld } from './worldOfSeed.ts';

/**
 * Whether the results of many scenarios on one start are, byte for byte, those of each on a separate start that judged nothing before:
 * outcomes with their doubts, forecasts, and differences from another configuration. If not, how they differ.
 */
export function leavesOthersAlone({ world, scenario, configuration }: GeneratedWorld): string | undefined {
  const { start, members } = scenario;
  const other = evictsNothing(configuration);
  const startOf = (one: Configuration) => createStartingWorld(world, one, { start, members });
  const shared = { from: startOf(configuration), to: startOf(other) };
  const compare = scenarioComparison({ ...shared, members });
  const forecast = () => forecastLosses(world, world.bindings, { start, members }, configuration);
  const onOneStart = forecast();
  for (const one of scenariosOf({ world, scenario })) {
    const reported = {
      from: outcomesOf(shared.from, one),
      to: outcomesOf(shared.to, one),
      differences: compare({ from: one, to: one }, { orders: 0, share: 1 }),
    };
    const alone = {
      from: outcomesOf(startOf(configuration), one),
      to: outcomesOf(startOf(other), one),
      differences: differencesOf(startOf(configuration), startOf(other), one),
    };
    const found = difference(reported, alone);
    if (found !== undefined) return `${JSON.stringify(one.events)} until ${one.until}: ${found}`;
  }
  for (const { metadata } of world.clusters) {
    const found = difference(onOneStart(metadata.name), forecast()(metadata.name));
    if (found !== undefined) return `forecast of ${metadata.name}: ${found}`;
  }
  return undefined;
}

function difference(a: unknown, b: unknown): string | undefined {
  return JSON.stringify(a) === JSON.stringify(b) ? undefined : (firstDifference(a, b) ?? 'another order');
}

/** The scenario of the world, and the loss of each cluster: until everything has settled, and cut in the middle. */
function scenariosOf({ world, scenario }: Pick<GeneratedWorld, 'world' | 'scenario'>): Scenario[] {
  const { start, members } = scenario;
  const losses = world.clusters.flatMap(({ metadata }) => {
    const events = [{ at: start, action: { type: 'fail', cluster: metadata.name } as const }];
    return [
      { start, members, events },
      { start, members, events, until: start + 75_000 },
    ];
  });
  return [...losses, scenario];
}

function evictsNothing(configuration: Configuration): Configuration {
  return { ...configuration, featureGates: { ...configuration.featureGates, Failover: false } };
}

function outcomesOf(start: StartingWorld, scenario: Scenario): WorkloadOutcome[] {
  const { outcomes, play } = setStage(start, scenario, { outcomesAlone: true });
  return outcomes.all(play());
}

/** All workloads of both, each compared, on starts without another scenario. */
function differencesOf(from: StartingWorld, to: StartingWorld, scenario: Scenario): WorkloadDifference[] {
  const [a, b] = [from, to].map((start): Map<string, SimulatedWorkload> => {
    const { outcomes, play } = setStage(start, scenario, { outcomesAlone: true });
    const { touched } = simulateScenario(start, scenario);
    const all = [...outcomes.listed('all', play())];
    return new Map(all.map(([key, one]) => [key, { ...touched.get(key), ...one }]));
  });
  const keys = [...new Set([...b!.keys(), ...a!.keys()])];
  return keys.flatMap((key) => differenceOf({ from: a!.get(key), to: b!.get(key) }) ?? []);
}
