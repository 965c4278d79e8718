import { describe, expect, test } from '@jest/globals';
import { ScenarioError } from '../../../src/simulator/simulation/scenarioWrites.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { Scenario } from '../../../src/simulator/scenario.ts';
import type { ResumableWorld } from '../../../src/simulator/store/savedSimulation.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { resolveConfiguration } from '../../../src/karmada/configuration/resolveConfiguration.ts';
import { StateError } from '../../../src/state/errors.ts';
import { stateFromFiles } from '../../../src/state/fileSource.ts';
import { problemOfPatch } from '../../../src/state/world/patchedObject.ts';
import { parseScenario, resolveScenario } from '../../../src/state/scenario/scenarioFile.ts';
import { defaultMembers } from '../../../src/karmada/members/memberAssumptions.ts';
import { readOneDocument } from '../../../src/state/yaml/positions.ts';
import { mutatedManifest, mutatedScenario, wholeScenario } from '../../fuzz/mutatedScenario.ts';
import { mutatedSnapshot, mutatedState, smallState } from '../../fuzz/mutatedState.ts';
import { brokenFields } from '../brokenFields.ts';

const start = Date.parse('2026-09-01T09:30:00Z');
const { configuration } = resolveConfiguration(dialectOf('v1.18.2').dialect, [], []);
const loaded = async (text: string) => (await stateFromFiles(['-'], () => [Buffer.from(text)]).load()).world;
const small = await loaded(JSON.stringify(smallState()));

/** The result: the line that refuses it; undefined if it is accepted. */
async function problemOf(read: () => unknown): Promise<string | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (error instanceof StateError || error instanceof ScenarioError) return error.message;
    throw error;
  }
}

function play(world: ResumableWorld, from: number, events: Scenario['events']): void {
  const members = world.simulation?.assumptions ?? defaultMembers;
  const simulation = simulate(world, { start: from, until: from + 600_000, members, events }, configuration);
  expect(JSON.stringify(simulation, odd)).not.toContain('odd number');
}

function odd(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return Number.isNaN(value) ? 'odd number' : value;
}

function playScenario(text: string): void {
  const { value, at } = readOneDocument(text, 'FILE');
  const { events } = resolveScenario(parseScenario(value, 'FILE', at), start);
  for (const { action } of events) {
    const problem = action.type === 'patch' && problemOfPatch(small, action.target, action.merge);
    if (problem) throw new StateError(problem);
  }
  play(small, start, events);
}

describe('an input with random changes is read, or refused in one line', () => {
  test.each<[string, number, (seed: number) => unknown]>([
    ['given a scenario', 80, (seed) => playScenario(mutatedScenario(seed))],
    [
      'given an applied manifest',
      80,
      async (seed) => {
        const { clusters, taintPolicies, policies, others } = await loaded(mutatedManifest(seed));
        const objects = [...clusters, ...taintPolicies, ...policies, ...others] as never[];
        play(small, start, [{ at: start, action: { type: 'apply', objects } }]);
      },
    ],
    ['given a state', 60, async (seed) => play(await loaded(mutatedState(seed)), start, [])],
    [
      'given a snapshot or a saved simulation',
      60,
      async (seed) => {
        const world = await loaded(mutatedSnapshot(seed));
        play(world, world.simulation?.queues.now ?? start, []);
      },
    ],
  ])('%s', async (_, seeds, read) => {
    const problems = [];
    for (let seed = 0; seed < seeds; seed++) problems.push(await problemOf(() => read(seed)));
    expect(problems.filter((problem) => /\n|undefined|NaN|\[object/.test(problem ?? ''))).toEqual([]);
    expect(problems).toContain(undefined);
    expect(problems.filter((problem) => problem !== undefined).length).toBeGreaterThan(seeds / 2);
  });
});

describe('a scenario with one field of another type', () => {
  const RECORD = /(assume\.\w+|labels|annotations|matchLabels)$/;
  const broken = brokenFields(
    // one event each, so that each field of each is broken
    (wholeScenario.events as object[]).map((event) => ({ ...wholeScenario, events: [event] })),
    (one) => one,
    (pattern) => RECORD.test(pattern),
  ).filter(({ how }) => how === 'wrong type');
  const accepted = async () => {
    const outcomes = [];
    for (const { pattern, value } of broken) {
      const problem = await problemOf(() => playScenario(JSON.stringify(value, null, 1)));
      outcomes.push({ pattern, problem });
    }
    return outcomes;
  };

  test('is refused with its file, line, column and field', async () => {
    const outcomes = await accepted();
    const retyped = outcomes.filter(
      ({ pattern, problem }) =>
        problem === undefined && !/assume\.(featureGates|controllerManager)|description|merge/.test(pattern),
    );
    expect(retyped.map(({ pattern }) => pattern)).toEqual([]);
    const read = outcomes.flatMap(({ problem }) => (problem?.startsWith('FILE') ? problem : []));
    expect(read.filter((problem) => !/^FILE:\d+:\d+: [\w.[\]]+: \S/.test(problem))).toEqual([]);
    expect(read.length).toBeGreaterThan(30);
  });
});
