import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { properties } from './properties.ts';
import { recordedWorld } from './recordedWorlds.ts';
import { worldOfSeed } from './worldOfSeed.ts';

const recordings = join(import.meta.dirname, '../recordings/data/incidents');
const RECORDED = ['0005', '0013b'];
const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);

// More of them: node scripts/run-ts.mjs test/worlds/search.ts
describe.each(Object.entries(properties))('in every world %s', (_, { worlds, broken, mended = [] }) => {
  test.each([...SEEDS, ...mended])('of seed %i', (seed) => {
    expect({ seed, problem: broken(worldOfSeed(seed, worlds)) }).toEqual({ seed, problem: undefined });
  });

  test.each(RECORDED)('of the recording %s', (name) => {
    expect(broken(recordedWorld(join(recordings, name)))).toBeUndefined();
  });
});
