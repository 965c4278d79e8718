import { afterAll, describe, expect, test } from '@jest/globals';
import { growingWorlds } from './growingWorlds.ts';
import { inProcess } from './inProcess.ts';
import { countOperations } from './operations.ts';
import { Workplace } from './workplace.ts';

const SIZE = 30;
/** Operations of a world of ten times the size, against those of the small one; if they grew with the square, a hundred. */
const MOST_TIMES = 17;

const place = new Workplace();
afterAll(() => place.end());

describe.each(growingWorlds)(
  'ten times as many $name take ten times the operations:',
  ({ objects, commands, size = SIZE }) => {
    test.each(commands.map((argv) => [argv.join(' '), argv] as const))('%s', async (_, argv) => {
      const run = async (number: number) => {
        const state = place.file('growing.json', objects(number));
        let stderr = '';
        let code = 0;
        const { blocks, builtIn } = await countOperations(async () => {
          ({ stderr, code } = await inProcess([...argv, '--state', state]));
        });
        return { blocks, builtIn, code, stderr };
      };
      await run(3);
      const few = await run(size);
      const more = await run(10 * size);
      expect([few.stderr.replaceAll(/^warning: .*\n/gm, ''), few.code]).toEqual(['', 0]);
      expect(Math.max(more.blocks / few.blocks, more.builtIn / few.builtIn)).toBeLessThan(MOST_TIMES);
    });
  },
);
