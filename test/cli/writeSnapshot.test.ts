import { expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSnapshot } from '../../src/cli/writeSnapshot.ts';

test('a snapshot escapes terminal control characters without changing its values', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'write-snapshot-'));
  const file = join(directory, 'state.json');
  const value = { message: 'a\u202eb\u009bc', name: '東京' };
  const text = JSON.stringify(value);
  await writeSnapshot(file, [text.slice(0, 5), text.slice(5)]);
  const written = readFileSync(file, 'utf8');
  rmSync(directory, { recursive: true });
  expect(written).toBe('{"message":"a\\u202eb\\u009bc","name":"東京"}');
  expect(JSON.parse(written)).toEqual(value);
});
