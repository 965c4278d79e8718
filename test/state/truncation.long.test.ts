import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stateFromFiles } from '../../src/state/fileSource.ts';
import { tar } from './input/tarArchive.ts';

const json = readFileSync(new URL('fixtures/list.json', import.meta.url));
const yaml = readFileSync(new URL('fixtures/list.yaml', import.meta.url));
const forms = {
  json,
  yaml,
  'json.gz': gzipSync(json),
  tar: tar([['a/list.yaml', yaml]]),
  tgz: gzipSync(tar([['list.json', json]])),
};

const outcome = (content: Buffer): Promise<unknown> =>
  stateFromFiles(['-'], () => [content])
    .load()
    .then(
      () => 'loaded',
      (error: unknown) => error,
    );

for (const [form, whole] of Object.entries(forms)) {
  test(`a truncated state as ${form} is read, or refused in one line`, async () => {
    expect(await outcome(whole)).toBe('loaded');
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), async (length) => {
        const result = await outcome(whole.subarray(0, length));
        if (result === 'loaded') return;
        expect(result).toHaveProperty('name', 'StateError');
        expect((result as Error).message).toMatch(/^stdin[^\n]+$/);
      }),
      { numRuns: 150 },
    );
  });

  test(`a state as ${form} with one changed byte is read, or refused`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }), async (at, byte) => {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        const result = await outcome(changed);
        if (result !== 'loaded') expect(result).toHaveProperty('name', 'StateError');
      }),
      { numRuns: 150 },
    );
  });
}

test('truncated JSON is always refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: json.toString().trimEnd().length - 1 }), async (length) => {
      expect(await outcome(json.subarray(0, length))).toHaveProperty('exitCode', 2);
    }),
    { numRuns: 100 },
  );
});
