import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

test('the sources mention Bun only in output; its workarounds are in scripts/dist/bun', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const asking = files.filter((name) => /\bbun\b/i.test(readFileSync(join('src', name), 'utf8')));
  expect(asking.sort()).toEqual(['cli/help.ts', 'commands/version.ts', 'views/versionAnswer.ts']);
});
