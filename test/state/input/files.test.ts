import { expect, test } from '@jest/globals';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputFiles, expectedState } from '../../../src/state/input/files.ts';

/** Runs something without the rights of root, who may read everything. */
function asAnybody<T>(action: () => T): T {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return action();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('a broken link in an input directory is an error, unless its name has an irrelevant extension', () => {
  const directory = mkdtempSync(join(tmpdir(), 'files-'));
  chmodSync(directory, 0o755);
  mkdirSync(join(directory, '.closed'), { mode: 0o000 });
  symlinkSync('.closed', join(directory, 'team'));
  symlinkSync('nowhere', join(directory, 'gone'));
  symlinkSync('nowhere', join(directory, 'notes.txt'));
  writeFileSync(join(directory, 'a.yaml'), '', { mode: 0o644 });
  try {
    const files = asAnybody(() => inputFiles([directory], () => [], expectedState));
    expect(files.map(({ name }) => name)).toEqual(
      ['a.yaml', 'gone', 'team'].map((name) => join(directory, name)),
    );
    for (const { name, chunks } of files.slice(1)) expect(chunks).toThrow(`${name}: `);
  } finally {
    chmodSync(join(directory, '.closed'), 0o700);
    rmSync(directory, { recursive: true });
  }
});
