import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAppendedFile } from '../../../src/state/output/appendedFile.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'appended-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

test('a full file takes the place of the one before, and of nothing that somebody else has put there', async () => {
  // given a file that grows, and another that somebody makes meanwhile under the name that it gets once it is full
  const file = await createAppendedFile(at('a'), '.1');
  await file.append(Buffer.from('first'));
  writeFileSync(at('a.1'), 'of somebody else');
  // when it is full
  await expect(file.rotate('.1')).rejects.toThrow('a.1 is there already');
  // then that stays, and so does what was written
  expect([readFileSync(at('a.1'), 'utf8'), readFileSync(at('a'), 'utf8')]).toEqual([
    'of somebody else',
    'first',
  ]);
  rmSync(at('a.1'));
  await file.rotate('.1');
  await file.append(Buffer.from('second'));
  await file.rotate('.1');
  await file.close();
  expect([readFileSync(at('a.1'), 'utf8'), readFileSync(at('a'), 'utf8')]).toEqual(['second', '']);
});

test('a symbolic link that leads nowhere is there, too', async () => {
  symlinkSync(at('nowhere'), at('b.1'));
  await expect(createAppendedFile(at('b'), '.1')).rejects.toThrow('b.1 is there already');
  expect(lstatSync(at('b.1')).isSymbolicLink()).toBe(true);
});
