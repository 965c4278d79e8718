import { expect, test } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { linesOf } from '../../../src/cli/dashboard/linesOf.ts';

async function linesIn(...chunks: (string | Buffer)[]): Promise<string[]> {
  const stream = new PassThrough();
  const lines: string[] = [];
  linesOf(stream, (line) => lines.push(line));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await finished(stream);
  return lines;
}

test('a line is joined from its chunks, also if one ends within a character', async () => {
  const [start, end] = [Buffer.from('warning: frankf'), Buffer.from('ür\nsecond\n')];
  expect(await linesIn(start, end.subarray(0, 1), end.subarray(1))).toEqual(['frankfür', 'second']);
});

test('a last line without a newline is included, and empty lines are skipped', async () => {
  expect(await linesIn('one\n\n', 'two')).toEqual(['one', 'two']);
});

test('text without a newline is truncated', async () => {
  expect(await linesIn('x'.repeat(800), 'x'.repeat(800))).toEqual(['x'.repeat(1000)]);
});
