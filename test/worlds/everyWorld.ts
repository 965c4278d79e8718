import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { properties } from './properties.ts';
import { recordedWorld } from './recordedWorlds.ts';
import { worldOfSeed } from './worldOfSeed.ts';

const recordings = join(import.meta.dirname, '../recordings/data/incidents');

export interface Worlds {
  seeds: readonly number[];
  /** names of recorded incidents */
  recorded: readonly string[];
  /** whether to try those seeds that once broke a property */
  mended: boolean;
}

/** Checks every property in these worlds. More of them: node scripts/run-ts.mjs test/worlds/search.ts */
export function inEveryWorld({ seeds, recorded, mended }: Worlds): void {
  describe.each(Object.entries(properties))(
    'in any world, %s',
    (_, { worlds, broken, mended: once = [] }) => {
      test.each([...seeds, ...(mended ? once : [])])('given seed %i', async (seed) => {
        expect({ seed, problem: await broken(worldOfSeed(seed, worlds)) }).toEqual({
          seed,
          problem: undefined,
        });
      });

      test.each(recorded)('given the recording %s', async (name) => {
        expect(await broken(recordedWorld(join(recordings, name)))).toBeUndefined();
      });
    },
  );
}
