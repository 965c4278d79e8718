import { expect, test } from '@jest/globals';
import { inEveryWorld } from './everyWorld.ts';
import { endsAlikeOnBadApi } from './onBadApi.ts';
import { worldOfSeed } from './worldOfSeed.ts';

inEveryWorld({ seeds: [1, 2, 3], recorded: ['0209b'], mended: true });

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
