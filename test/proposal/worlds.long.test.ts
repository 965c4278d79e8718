import { describe, expect, test } from '@jest/globals';
import { knownProposals } from '../../src/karmada/dialects/dialects.ts';
import { properties } from '../worlds/properties.ts';
import { worldOfSeed } from '../worlds/worldOfSeed.ts';

const SEEDS = [1, 2, 3];
const versions = [knownProposals[0]!, knownProposals.at(-1)!];

// Both drivers, saved simulations, other orders: the properties of released versions hold for designs.
describe.each(versions)('under %s', (version) => {
  describe.each(Object.entries(properties))('in any world, %s', (_, { worlds, broken }) => {
    test.each(SEEDS)('given seed %i', async (seed) => {
      const generated = worldOfSeed(seed, { ...worlds, version });
      expect({ seed, problem: await broken(generated) }).toEqual({ seed, problem: undefined });
    });
  });
});
