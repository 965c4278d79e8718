// Simulates the failure of each cluster of a state, in its own process, and prints the outcomes and the cost.
//   --state FILE   --fresh N: only N clusters spread over all, each on a world that is read again
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ports } from '../../src/cli/ports.ts';
import { openState } from '../../src/useCases/state/openState.ts';
import { simulateScenario } from '../../src/simulator/comparison/differences.ts';
import { createStartingWorld, type StartingWorld } from '../../src/simulator/store/startingWorld.ts';
import { usualMembers } from '../../src/simulator/store/savedSimulation.ts';
import { cpuSeconds } from '../measure.ts';

export interface Failures {
  /** a hash of all workloads' outcomes, by the cluster that failed */
  answers: Record<string, string>;
  /** seconds for reading and for all simulations */
  cpu: number;
  /** MiB */
  peak: number;
}

const { values } = parseArgs({ options: { state: { type: 'string' }, fresh: { type: 'string' } } });

async function read(): Promise<StartingWorld> {
  const { world, now, configuration } = await openState({ source: { files: [values.state!] } }, ports);
  return createStartingWorld(world, configuration, { start: now, members: usualMembers(world) });
}

function failureOf(world: StartingWorld, cluster: string): string {
  const { start } = world;
  const events = [{ at: start, action: { type: 'fail', cluster } as const }];
  const { touched } = simulateScenario(world, { start, members: usualMembers(world.world), events });
  return createHash('sha256')
    .update(JSON.stringify([...touched]))
    .digest('hex');
}

function spread(names: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, at) => names[Math.floor((at * names.length) / count)]!);
}

const answers: Failures['answers'] = {};
const one = await read();
const names = [...one.clusters.keys()];
// Both ways must read the state: the first read is not counted where each simulation reads its own.
const began = values.fresh === undefined ? 0 : cpuSeconds();
if (values.fresh === undefined) for (const name of names) answers[name] = failureOf(one, name);
else for (const name of spread(names, Number(values.fresh))) answers[name] = failureOf(await read(), name);
const result: Failures = {
  answers,
  cpu: cpuSeconds() - began,
  peak: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify(result));
