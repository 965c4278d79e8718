import { savedWorld, setStage } from '../../src/simulator/simulation/stage.ts';
import type { Scenario } from '../../src/simulator/scenario.ts';
import { createStartingWorld, type StartingWorld } from '../../src/simulator/store/startingWorld.ts';
import { firstDifference } from './firstDifference.ts';
import type { GeneratedWorld } from './worldOfSeed.ts';

/**
 * Whether simulations that know what the scheduler usually comes to end, byte for byte, as those in which it decides at every look: the
 * scenario of the world, and the loss of each cluster, alone and with all others of its region. If not, how they differ.
 */
export function staysWhereItDecides({ world, scenario, configuration }: GeneratedWorld): string | undefined {
  const start = createStartingWorld(world, configuration, scenario);
  const decides = { ...start, usual: { of: () => undefined } };
  const losses = world.clusters.flatMap(({ metadata, spec }) => [
    [metadata.name],
    world.clusters.filter((one) => one.spec?.region === spec?.region).map((one) => one.metadata.name),
  ]);
  const failing = losses.map((clusters): Scenario => {
    const events = clusters.map((cluster) => ({
      at: scenario.start,
      action: { type: 'fail', cluster } as const,
    }));
    return { ...scenario, events };
  });
  for (const one of [scenario, ...failing]) {
    const [usual, decided] = [ended(start, one), ended(decides, one)];
    if (JSON.stringify(usual) !== JSON.stringify(decided))
      return `${JSON.stringify(one.events)}: ${firstDifference(usual, decided) ?? 'another order'}`;
  }
  return undefined;
}

/** All that a simulation without evidence comes to. */
function ended(start: StartingWorld, scenario: Scenario): unknown {
  const stage = setStage(start, scenario, { outcomesAlone: true });
  const end = stage.play();
  return {
    ...{ end, looks: stage.time.looks(), outcomes: stage.outcomes.all(end) },
    world: savedWorld(stage, scenario, end.end),
  };
}
