import { afterAll, describe, expect, test } from '@jest/globals';
import { inProcess } from './inProcess.ts';
import { LARGEST, nameOfField, numericFields, withNumber } from './numbers.ts';
import { countOperations, type Operations } from './operations.ts';
import { smallWorld, type Manifest } from './world.ts';
import { Workplace } from './workplace.ts';

const place = new Workplace();
afterAll(() => place.end());

const world = smallWorld();
const COMMANDS: readonly (readonly string[])[] = [
  ['failover', 'simulate', '--fail', 'virginia'],
  ['failover', 'explain', 'deployment/checkout', '-n', 'shop', '--if-fails', 'dublin'],
  ['drain', 'dublin', '--dry-run', '--allow-loss', '--allow-blocked', '--allow-overcommit'],
];
/** One occurrence of each field; those in lists are alike. */
const fields = new Map(numericFields(world).map((field) => [nameOfField(world, field), field]));

/** What a large number may change compared with a small one: other placements, and a warning. */
const MAX_TIMES = 4;

async function operationsOf(items: readonly Manifest[], argv: readonly string[]): Promise<Operations> {
  const state = place.file('numbers.json', [...items]);
  let code = 0;
  const operations = await countOperations(async () => {
    ({ code } = await inProcess([...argv, '--state', state]));
  });
  // answered, refused as a state, or a drain that is not safe
  expect([0, 1, 2, 3]).toContain(code);
  return operations;
}

describe.each(COMMANDS.map((argv) => [argv.slice(0, 2).join(' '), argv] as const))(
  'the largest int32 needs no more operations of %s than other numbers:',
  (_, argv) => {
    let usual: Operations | undefined;

    test.each([...fields])('%s', async (_name, field) => {
      if (!usual) await operationsOf(world, argv);
      usual ??= await operationsOf(world, argv);
      const { blocks, builtIn } = await operationsOf(withNumber(world, field, LARGEST), argv);
      expect(Math.max(blocks / usual.blocks, builtIn / usual.builtIn)).toBeLessThan(MAX_TIMES);
    });
  },
);
