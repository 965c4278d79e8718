import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { endsAlikeOnBadApi } from './onBadApi.ts';
import { properties } from './properties.ts';
import { recordedWorld } from './recordedWorlds.ts';
import { worldOfSeed } from './worldOfSeed.ts';

const recordings = join(import.meta.dirname, '../recordings/data/incidents');
const RECORDED = ['0005', '0209b'];
const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);

// More of them: node scripts/run-ts.mjs test/worlds/search.ts
describe.each(Object.entries(properties))('in every world %s', (_, { worlds, broken, mended = [] }) => {
  test.each([...SEEDS, ...mended])('of seed %i', async (seed) => {
    expect({ seed, problem: await broken(worldOfSeed(seed, worlds)) }).toEqual({ seed, problem: undefined });
  });

  test.each(RECORDED)('of the recording %s', async (name) => {
    expect(await broken(recordedWorld(join(recordings, name)))).toBeUndefined();
  });
});

test('an API whose answers mean nothing is found out', async () => {
  const problems = await Promise.all(
    [28, 41, 42].map((seed) =>
      endsAlikeOnBadApi(worldOfSeed(seed), ({ write }) => ({
        write: async (...one) => {
          await write(...one);
          return { result: 'written' };
        },
      })),
    ),
  );
  expect(problems.filter((problem) => problem !== undefined)).not.toEqual([]);
});
