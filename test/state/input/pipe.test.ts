import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { pipeChunks, writeToPipe } from '../../../src/state/input/pipe.ts';
import { readAllPieces, wholeFile } from '../../../src/state/input/wholeFile.ts';

const directory = mkdtempSync(join(tmpdir(), 'karmada-failover-pipe-'));
afterAll(() => rmSync(directory, { recursive: true }));

let made = 0;
function pipe(): string {
  const path = join(directory, String(made++));
  execFileSync('mkfifo', [path]);
  return path;
}

describe('a pipe', () => {
  test('is read to its end even if it is opened before its writer', async () => {
    const path = pipe();
    const text = wholeFile(path, 1024 * 1024);
    spawn('sh', ['-c', 'sleep 0.05; { printf a; sleep 0.05; printf b; } > "$0"', path]);
    expect((await text).toString()).toBe('ab');
  });

  test('is read entirely if it exceeds the pipe buffer', async () => {
    const path = pipe();
    spawn('sh', ['-c', 'head -c 300000 /dev/zero > "$0"', path]);
    expect(await readAllPieces(pipeChunks(path), 1024 * 1024)).toHaveLength(300_000);
  });

  test('is written once a reader opens it', async () => {
    const path = pipe();
    const written = writeToPipe(path, [Buffer.alloc(200_000, 'x')]);
    const reader = spawn('sh', ['-c', 'sleep 0.05; sleep 0.05 < "$0"; wc -c < "$0"', path]);
    reader.kill();
    const read = wholeFile(path, 1024 * 1024);
    await written;
    expect(await read).toHaveLength(200_000);
  });
});
