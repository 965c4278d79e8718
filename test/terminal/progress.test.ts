import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startProgress } from '../../src/terminal/progress.ts';

let directory: string;
let fd: number;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'progress-'));
  fd = openSync(join(directory, 'screen'), 'w');
});
afterEach(() => {
  closeSync(fd);
  rmSync(directory, { recursive: true });
});

const shown = () => readFileSync(join(directory, 'screen'), 'utf8');
const terminal = () =>
  ({ isTTY: true, columns: 200, fd, write: () => true }) as unknown as typeof process.stderr;

test('the progress line masks secrets, and escapes control characters', async () => {
  const progress = startProgress(terminal());
  progress.report('reading http://jane:canary@host\u001b[31m\u202e', 5_000_000, 10_000_000);
  while (!shown().endsWith('s')) await new Promise((resolve) => setTimeout(resolve, 50));
  progress.done();
  expect(shown().split('\r\u001b[K')[1]).toMatch(/^reading http:\/\/\*\*\*@host\^\[\[31m\\u202e 50% \d+s$/);
});

test('in a locale without UTF-8, the progress line is ASCII', async () => {
  const before = process.env['LC_ALL'];
  process.env['LC_ALL'] = 'C';
  try {
    const progress = startProgress(terminal());
    progress.report('reading bindings × clusters…', 5_000_000, 10_000_000);
    while (!shown().endsWith('s')) await new Promise((resolve) => setTimeout(resolve, 50));
    progress.done();
    expect(shown()).toContain('reading bindings x clusters~ 50% ');
  } finally {
    if (before === undefined) delete process.env['LC_ALL'];
    else process.env['LC_ALL'] = before;
  }
});
