import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { writeSafeFile, type SafeFileOptions } from '../../../src/state/output/safeFile.ts';

let folder: string;
let printed: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'safe-file-'));
  printed = '';
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const options: SafeFileOptions = {
  toStdout: async (piece) => void (printed += piece.toString()),
  holdsState: true,
};
const write = (
  file: string,
  text: Iterable<string> = ['new ', 'text'],
  more: Partial<SafeFileOptions> = {},
) => writeSafeFile(file, text, { ...options, ...more });
const problem = (file: string, text?: Iterable<string>) =>
  write(file, text).then(
    () => 'written',
    (error: Error) => error.message.replaceAll(folder, 'FOLDER'),
  );
const mode = (file: string) => statSync(file).mode & 0o777;

describe('a regular file', () => {
  test('that is new holds all, and only its owner reads it if it holds state', async () => {
    await write(at('a'));
    expect(readFileSync(at('a'), 'utf8')).toBe('new text');
    expect(mode(at('a'))).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('that is new and holds no state has the mode of any other new file', async () => {
    await write(at('a'), ['x'], { holdsState: false });
    writeFileSync(at('b'), 'x');
    expect(mode(at('a'))).toBe(mode(at('b')));
  });

  test('that is there is replaced and keeps its mode', async () => {
    writeFileSync(at('a'), 'old');
    chmodSync(at('a'), 0o640);
    await write(at('a'));
    expect(readFileSync(at('a'), 'utf8')).toBe('new text');
    expect(mode(at('a'))).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('stays as it was if the text cannot be made to its end', async () => {
    writeFileSync(at('a'), 'old');
    const text = (function* () {
      yield 'x'.repeat(200_000);
      throw new Error('no more');
    })();
    expect(await problem(at('a'), text)).toBe('no more');
    expect(readFileSync(at('a'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('may have the longest name there is', async () => {
    const name = 'n'.repeat(255);
    await write(at(name));
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('is packed if that is asked for, and a failing text leaves nothing behind', async () => {
    await write(at('a.gz'), ['new ', 'text'], { packed: true });
    expect(gunzipSync(readFileSync(at('a.gz'))).toString()).toBe('new text');
    const text = (function* () {
      yield 'x';
      throw new Error('no more');
    })();
    await expect(write(at('b.gz'), text, { packed: true })).rejects.toThrow('no more');
    expect(readdirSync(folder)).toEqual(['a.gz']);
  });
});

describe('a symbolic link', () => {
  test('stays, and what it leads to is replaced', async () => {
    mkdirSync(at('there'));
    writeFileSync(at('there/a'), 'old');
    chmodSync(at('there/a'), 0o644);
    symlinkSync('there/a', at('b'));
    symlinkSync(at('b'), at('c'));
    await write(at('c'));
    expect(readlinkSync(at('c'))).toBe(at('b'));
    expect(readlinkSync(at('b'))).toBe('there/a');
    expect(lstatSync(at('there/a')).isFile()).toBe(true);
    expect(readFileSync(at('c'), 'utf8')).toBe('new text');
    expect(mode(at('there/a'))).toBe(0o644);
    expect(readdirSync(at('there'))).toEqual(['a']);
  });

  test('to a file that is not there yet makes that file', async () => {
    symlinkSync('a', at('b'));
    await write(at('b'));
    expect(readlinkSync(at('b'))).toBe('a');
    expect(readFileSync(at('a'), 'utf8')).toBe('new text');
    expect(readdirSync(folder)).toEqual(['a', 'b']);
  });

  test('to itself is refused', async () => {
    symlinkSync('a', at('a'));
    expect(await problem(at('a'))).toBe('FOLDER/a cannot be written: too many symbolic links');
  });
});

describe('what is no regular file', () => {
  test('is written to and stays: a pipe', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const reader = spawn('cat', [at('pipe')], { stdio: ['ignore', 'pipe', 'ignore'] });
    let read = '';
    reader.stdout.on('data', (piece: Buffer) => (read += piece.toString()));
    const ended = new Promise((resolve) => reader.on('close', resolve));
    await write(at('pipe'));
    await ended;
    expect(read).toBe('new text');
    expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
    expect(readdirSync(folder)).toEqual(['pipe']);
  });

  test('is written to and stays: a device', async () => {
    await write('/dev/null');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('fails as what it is: a full device', async () => {
    expect(await problem('/dev/full')).toBe('/dev/full cannot be written: no space left on device');
  });

  test('is named: a directory, a folder that is not there, a file as a folder, no name', async () => {
    mkdirSync(at('d'));
    writeFileSync(at('f'), '');
    expect(await problem(at('d'))).toBe('FOLDER/d cannot be written: is a directory');
    expect(await problem(at('none/a'))).toBe('FOLDER/none/a cannot be written: no such file or directory');
    expect(await problem(at('f/a'))).toBe('FOLDER/f/a cannot be written: not a directory');
    expect(await problem('')).toBe('"" cannot be written: no such file or directory');
    expect(readdirSync(folder)).toEqual(['d', 'f']);
  });

  test.each(['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'])('is stdout: %s', async (name) => {
    await write(name);
    expect(printed).toBe('new text');
  });

  test('is stdout: a link to it', async () => {
    symlinkSync('/dev/stdout', at('out'));
    await write(at('out'));
    expect(printed).toBe('new text');
    expect(readlinkSync(at('out'))).toBe('/dev/stdout');
  });
});

describe('a signal', () => {
  const begun = async (file: string) => {
    const child = spawn(process.execPath, ['scripts/run-ts.mjs', 'test/state/output/writesSlowly.ts', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
      child.on('close', (code, signal) => resolve(signal ?? code)),
    );
    await new Promise((resolve) => child.stdout.once('data', resolve));
    return { child, ended };
  };

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends the process as ever, and leaves what was there alone',
    async (signal) => {
      writeFileSync(at('a'), 'old');
      const { child, ended } = await begun(at('a'));
      expect(readdirSync(folder)).toHaveLength(2);
      child.kill(signal);
      expect(await ended).toBe(signal);
      expect(readdirSync(folder)).toEqual(['a']);
      expect(readFileSync(at('a'), 'utf8')).toBe('old');
    },
    30_000,
  );
});
