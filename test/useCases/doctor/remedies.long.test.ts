import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { usualMembers } from '../../../src/simulator/store/savedSimulation.ts';
import { openStateToRead, type OpenedState } from '../../../src/useCases/state/openState.ts';
import { createChance } from '../../e2e/random/chance.ts';
import { asFileKeeps, played } from '../../worlds/play.ts';
import { worldOfSeed } from '../../worlds/worldOfSeed.ts';
import { quietPorts } from '../quietPorts.ts';
import { brokenPromise, printedRemedies } from './printedRemedies.ts';

/** The times of the failure (milliseconds after the remedy). */
const TIMES = [0, 600_000];

/** The commands that printed a remedy. */
const printed = new Set<string>();

async function promisesBroken(state: OpenedState, failing: string): Promise<string[]> {
  const remedies = await printedRemedies(state, failing);
  for (const { from, step } of remedies) printed.add(step?.action ?? /^\w+/.exec(from)![0]);
  return remedies.flatMap((remedy) => TIMES.flatMap((later) => brokenPromise(state, remedy, later) ?? []));
}

function oneOf({ world }: OpenedState, seed: number): string {
  return createChance(seed).oneOf(world.clusters.map(({ metadata }) => metadata.name));
}

async function stateOf(...files: string[]): Promise<OpenedState> {
  return openStateToRead({ source: { files } }, quietPorts());
}

const root = join(import.meta.dirname, '../../..');
const [first = 61_000, amount = 8] = (process.env['SEEDS'] ?? '').split('+').filter(Boolean).map(Number);

/** The state that a seed generates: some settled, some in the middle of an incident. */
async function stateOfSeed(seed: number): Promise<OpenedState> {
  const { world, configuration, scenario } = worldOfSeed(seed, seed % 2 ? { incident: true } : {});
  // of the read state, only what is not in the world
  const read = await stateOf(join(root, 'examples/shop'));
  const components = { commandLines: [], versions: [] };
  const known = { world, configuration, now: scenario.start, assumptions: [] };
  return { ...read, ...known, loaded: { ...read.loaded, components } } as unknown as OpenedState;
}

/** A state some minutes after a cluster failed, as the API shows it. */
function withFailed(state: OpenedState, cluster: string, seconds: number): OpenedState {
  const until = state.now + seconds * 1000;
  const events = [{ at: state.now, action: { type: 'fail', cluster } }] as const;
  const scenario = { start: state.now, until, members: usualMembers(state.world), events: [...events] };
  const { simulation: _, ...world } = asFileKeeps(played(state.world, scenario, state.configuration).world);
  return { ...state, world, now: until };
}

describe('a remedy that doctor, explain, simulate or audit prints helps, and harms no workload', () => {
  const seeds = Array.from({ length: amount }, (_, at) => first + at);

  // the last seeds once had a remedy that harmed a workload if the failure came later, or an eviction command without use
  test.each([...seeds, 52_038, 92_001, 92_003, 92_017])('given seed %i', async (seed) => {
    const state = await stateOfSeed(seed);
    expect(await promisesBroken(state, oneOf(state, seed))).toEqual([]);
  });

  test.each([...seeds, 91_002, 91_010, 91_026, 91_029])(
    'given seed %i, with a cluster down',
    async (seed) => {
      const state = await stateOfSeed(seed);
      const down = oneOf(state, seed);
      const seconds = createChance(seed + 7).between(60, 400);
      expect(await promisesBroken(withFailed(state, down, seconds), down)).toEqual([]);
    },
  );

  afterAll(() =>
    expect([...printed.keys()].sort()).toEqual(
      expect.arrayContaining(['audit', 'doctor', 'explain', 'hold-eviction', 'simulate']),
    ),
  );

  const recordings = join(root, '../shared/recordings');
  const shared = existsSync(recordings)
    ? readdirSync(recordings, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /04-[\w-]+\.json$/.test(name),
      )
    : [];
  const files = [join(root, 'examples/shop'), ...shared.map((name) => join(recordings, name))];

  test.each(files)('given %s', async (file) => {
    const state = await stateOf(file);
    const [cluster] = state.world.clusters;
    expect(await promisesBroken(state, cluster!.metadata.name)).toEqual([]);
  });
});
