import { describe, expect, test } from '@jest/globals';
import { properties } from './properties.ts';
import { worldOfSeed } from './worldOfSeed.ts';

const SEEDS = Array.from({ length: 15 }, (_, i) => i + 1);

// More of them: node scripts/run-ts.mjs test/worlds/search.ts
describe.each(Object.entries(properties))('in every world %s', (_, { worlds, broken }) => {
  test.each(SEEDS)('of seed %i', (seed) => {
    expect({ seed, problem: broken(worldOfSeed(seed, worlds)) }).toEqual({ seed, problem: undefined });
  });
});
