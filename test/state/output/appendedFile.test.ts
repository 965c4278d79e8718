import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAppendedFile } from '../../../src/state/output/appendedFile.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'appended-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

test('a full file replaces its predecessor, but not the file of another program', async () => {
  // given a file that grows, and another one created meanwhile under the name that it gets once it is full
  const file = await createAppendedFile(at('a'), '.1');
  await file.append(Buffer.from('first'));
  writeFileSync(at('a.1'), 'of somebody else');
  // when it is full
  await expect(file.rotate('.1')).rejects.toThrow('a.1 exists');
  // then that one stays, and so does the written content
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

test('a symbolic link without a target counts as an existing file', async () => {
  symlinkSync(at('nowhere'), at('b.1'));
  await expect(createAppendedFile(at('b'), '.1')).rejects.toThrow('b.1 exists');
  expect(lstatSync(at('b.1')).isSymbolicLink()).toBe(true);
});

test('an existing file is not overwritten, and other invalid paths are refused', async () => {
  writeFileSync(at('file'), 'of somebody else');
  symlinkSync('file', at('link'));
  execFileSync('mkfifo', [at('pipe')]);
  mkdirSync(at('directory'));
  const problem = (file: string) =>
    createAppendedFile(file).then(
      () => 'begun',
      (error: Error) => error.message.replaceAll(folder, 'FOLDER'),
    );
  expect(await Promise.all(['file', 'link', 'pipe', 'directory', 'none/a'].map(at).map(problem))).toEqual([
    'FOLDER/file exists and is not overwritten; name another file, or remove it',
    'FOLDER/link exists and is not overwritten; name another file, or remove it',
    'FOLDER/pipe cannot be written: it is not a regular file; name another one',
    'FOLDER/directory cannot be written: is a directory; name a file in it',
    'FOLDER/none/a cannot be written: no such file or directory; check the path',
  ]);
  for (const stdout of ['-', '/dev/stdout'])
    expect(await problem(stdout)).toBe(
      `${stdout} cannot be written: appending needs a regular file; name one`,
    );
  expect(readFileSync(at('file'), 'utf8')).toBe('of somebody else');
});

test('a discarded file is removed and closed', async () => {
  const open = () => readdirSync('/proc/self/fd').length;
  const before = open();
  const file = await createAppendedFile(at('d'));
  await file.append(Buffer.from('of no use'));
  await file.discard();
  expect(lstatSync(at('d'), { throwIfNoEntry: false })).toBeUndefined();
  expect(open()).toBe(before);
  // and the name is free again
  await (await createAppendedFile(at('d'))).discard();
});

test('an appended file has its size, is readable by its owner only, and is closed at the end', async () => {
  const open = () => readdirSync('/proc/self/fd').length;
  const before = open();
  const file = await createAppendedFile(at('c'), '.1');
  await file.append(Buffer.from('four'));
  await file.append(Buffer.from('teen more'));
  expect(file.size).toBe(13);
  await file.rotate('.1');
  expect(file.size).toBe(0);
  expect(open()).toBe(before + 1);
  await file.close();
  expect(open()).toBe(before);
  expect(['c', 'c.1'].map((name) => statSync(at(name)).mode & 0o777)).toEqual([0o600, 0o600]);
});

test('a removed file is reported as lost, and a renamed file is continued', async () => {
  const file = await createAppendedFile(at('removed'));
  await file.append(Buffer.from('first'));
  renameSync(at('removed'), at('renamed'));
  await file.append(Buffer.from(', second'));
  expect(readFileSync(at('renamed'), 'utf8')).toBe('first, second');
  rmSync(at('renamed'));
  await expect(file.append(Buffer.from(', third'))).rejects.toThrow('was removed during the recording');
  await file.close();
});
