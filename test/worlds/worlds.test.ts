import { expect, test } from '@jest/globals';
import { inEveryWorld } from './everyWorld.ts';
import { endsAlikeOnBadApi } from './onBadApi.ts';
import { worldOfSeed } from './worldOfSeed.ts';

// worlds.long.test.ts has more of them, and those that once broke a property
inEveryWorld({ seeds: [1], recorded: ['0209b'], mended: false });

test('an API with meaningless responses is detected', async () => {
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
