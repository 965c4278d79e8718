import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
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
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  type SafeFileOptions,
  attempt,
  whileUnfinished,
  writeSafeFile,
} from '../../../src/state/output/safeFile.ts';

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

/**
 * A new device if this user may create one: such a user could replace that of the machine if the writer were wrong, as it is on purpose in
 * mutation tests.
 */
function deviceOf(name: string, minor: number): string {
  try {
    execFileSync('mknod', [at(name), 'c', '1', String(minor)], { stdio: 'ignore' });
    closeSync(openSync(at(name), 'w'));
    return at(name);
  } catch {
    rmSync(at(name), { force: true });
    return `/dev/${name}`;
  }
}

function isFull(device: string): boolean {
  if (!existsSync(device)) return false;
  try {
    writeFileSync(device, 'x');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOSPC';
  }
}

describe('an existing file', () => {
  test('is replaced and reported as replaced, except a device and stdout', async () => {
    expect(await write(at('new'))).toBe(false);
    expect(await write(at('new'))).toBe(true);
    expect(await write('-')).toBe(false);
    expect(await write(deviceOf('null', 3))).toBe(false);
  });

  test.each([
    ['', (text: string) => text],
    [', compressed', gzipSync],
  ])('is not replaced if it is a recording%s', async (_, pack) => {
    const recording = pack('{"kind":"Recording","schemaVersion":"v1"}\n');
    writeFileSync(at('incident.rec'), recording);
    symlinkSync(at('incident.rec'), at('link'));
    for (const name of ['incident.rec', 'link'])
      expect(await problem(at(name))).toBe(
        `FOLDER/${name} cannot be written: it is a recording and is not overwritten; name another file`,
      );
    expect(readFileSync(at('incident.rec'))).toEqual(Buffer.from(recording));
    expect(readdirSync(folder).sort()).toEqual(['incident.rec', 'link']);
  });
});

describe('a regular file', () => {
  test('is complete, and readable by its owner only, if it holds state', async () => {
    await write(at('a'));
    expect(readFileSync(at('a'), 'utf8')).toBe('new text');
    expect(mode(at('a'))).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('has the default mode if it does not hold state', async () => {
    await write(at('a'), ['x'], { holdsState: false });
    writeFileSync(at('b'), 'x');
    expect(mode(at('a'))).toBe(mode(at('b')));
  });

  test('keeps its mode when it is replaced', async () => {
    writeFileSync(at('a'), 'old');
    chmodSync(at('a'), 0o640);
    await write(at('a'));
    expect(readFileSync(at('a'), 'utf8')).toBe('new text');
    expect(mode(at('a'))).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('remains unchanged if the text fails before its end', async () => {
    writeFileSync(at('a'), 'old');
    const text = (function* () {
      yield 'x'.repeat(200_000);
      throw new Error('no more');
    })();
    expect(await problem(at('a'), text)).toBe('no more');
    expect(readFileSync(at('a'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('may have the longest possible name', async () => {
    const name = 'n'.repeat(255);
    await write(at(name));
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('is compressed on request, and removed if the text fails', async () => {
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

test.each([
  [{ holdsState: true }, [0o644, 0o600]],
  [{ holdsState: false }, [0o644, 0o666 & ~process.umask()]],
])('an old file keeps its mode, and a new file has the mode for %j', async (asked, modes) => {
  writeFileSync(at('old'), '');
  chmodSync(at('old'), 0o4644);
  await write(at('old'), ['x'], asked);
  await write(at('new'), ['x'], asked);
  expect(['old', 'new'].map((name) => statSync(at(name)).mode & 0o7777)).toEqual(modes);
});

test('a replaced file keeps its owner if the user may change owners', async () => {
  writeFileSync(at('a'), '');
  try {
    chownSync(at('a'), 1234, 1234);
  } catch {
    // then it is ours, and stays so
  }
  const { uid, gid } = statSync(at('a'));
  await write(at('a'));
  expect(statSync(at('a'))).toMatchObject({ uid, gid });
});

test('after success or failure no file remains open, and no signal handler remains', async () => {
  const open = () => [readdirSync('/proc/self/fd').length, process.listenerCount('SIGINT')];
  const before = open();
  const failing = (function* () {
    yield 'x'.repeat(200_000);
    throw new Error('no more');
  })();
  await write(at('a'));
  await write(at('a'));
  await problem(at('a'), failing);
  await write(deviceOf('null', 3));
  expect(open()).toEqual(before);
});

test('an error of a system call is reported with the file, and any other error is rethrown', async () => {
  const system = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
  await expect(attempt('plan', () => Promise.reject(system))).rejects.toThrow(/^plan cannot be written: /);
  for (const mistake of [new Error('ours'), { code: 'EROFS' }, { message: 'EROFS' }, 'EROFS', null])
    await expect(attempt('plan', () => Promise.reject(mistake as Error))).rejects.toBe(mistake);
});

describe('a long text is written in blocks', () => {
  const lengthsOf = async (text: string[]) => {
    const lengths: number[] = [];
    await write('-', text, { toStdout: async (piece) => void lengths.push(piece.length) });
    return lengths;
  };

  test.each([
    ['given many small pieces', Array<string>(150).fill('x'.repeat(1000)), [66_000, 66_000, 18_000]],
    ['given a piece of one block', ['x'.repeat(65_536)], [65_536]],
    ['given a piece of one block and another piece', ['x'.repeat(65_536), 'y'], [65_536, 1]],
    ['given a piece below the block size', ['x'.repeat(65_535)], [65_535]],
    ['given empty pieces', ['', ''], []],
  ])('%s', async (_, text, lengths) => {
    expect(await lengthsOf(text)).toEqual(lengths);
  });
});

describe('a symbolic link', () => {
  const chain = (links: number) => {
    for (let link = 1; link <= links; link++) symlinkSync(`l${link - 1}`, at(`l${link}`));
    return at(`l${links}`);
  };

  test('may start a chain of 39 links', async () => {
    await write(chain(39));
    expect(readFileSync(at('l0'), 'utf8')).toBe('new text');
  });

  test('is refused in a chain of 40 links or in a cycle', async () => {
    symlinkSync('me', at('me'));
    expect(await problem(at('me'))).toBe(
      'FOLDER/me cannot be written: too many symbolic links, perhaps a loop; check the path',
    );
    expect(await problem(chain(40))).toBe(
      'FOLDER/l40 cannot be written: too many symbolic links, perhaps a loop; check the path',
    );
  });

  test('remains, and its target is replaced', async () => {
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

  test('without a target creates the target', async () => {
    symlinkSync('a', at('b'));
    await write(at('b'));
    expect(readlinkSync(at('b'))).toBe('a');
    expect(readFileSync(at('a'), 'utf8')).toBe('new text');
    expect(readdirSync(folder)).toEqual(['a', 'b']);
  });

  test('with .. is resolved from the real directory', async () => {
    mkdirSync(at('releases/5'), { recursive: true });
    mkdirSync(at('releases/shared'));
    mkdirSync(at('shared'));
    for (const other of ['releases/shared/plan', 'shared/plan']) writeFileSync(at(other), 'old');
    symlinkSync('releases/5', at('current'));
    symlinkSync('../shared/plan', at('releases/5/plan'));
    await write(at('current/plan'));
    expect(readFileSync(at('releases/shared/plan'), 'utf8')).toBe('new text');
    expect(readFileSync(at('shared/plan'), 'utf8')).toBe('old');
    expect(readdirSync(at('releases/shared'))).toEqual(['plan']);
  });

  test('to itself is refused', async () => {
    symlinkSync('a', at('a'));
    expect(await problem(at('a'))).toBe(
      'FOLDER/a cannot be written: too many symbolic links, perhaps a loop; check the path',
    );
  });
});

describe('a path that is not a regular file', () => {
  test('may be a pipe, which is written and kept', async () => {
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

  test('may be a device, which is written and kept', async () => {
    const device = deviceOf('null', 3);
    await write(device);
    expect(statSync(device).isCharacterDevice()).toBe(true);
  });

  // some sandboxes have a file with that name that accepts everything
  (isFull('/dev/full') ? test : test.skip)(
    'may be a full device, which is refused with its error',
    async () => {
      expect(await problem(deviceOf('full', 7))).toMatch(
        /^(?:FOLDER|\/dev)\/full cannot be written: no space left on device; free space, or write to another path$/,
      );
    },
  );

  test('is refused if it is a directory, is in a missing directory, is below a file, or is empty', async () => {
    mkdirSync(at('d'));
    writeFileSync(at('f'), '');
    expect(await problem(at('d'))).toBe('FOLDER/d cannot be written: is a directory; name a file in it');
    expect(await problem(at('none/a'))).toBe(
      'FOLDER/none/a cannot be written: no such file or directory; check the path',
    );
    expect(await problem(at('f/a'))).toBe(
      'FOLDER/f/a cannot be written: no such file: a part of the path is not a directory; check the path',
    );
    expect(await problem('')).toBe('"" cannot be written: no such file or directory; check the path');
    expect(readdirSync(folder)).toEqual(['d', 'f']);
  });

  test.each(['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'])('leads to stdout: %s', async (name) => {
    await write(name);
    expect(printed).toBe('new text');
  });

  test('leads to an open file of the process by its descriptor', async () => {
    const descriptor = openSync(at('open'), 'w');
    try {
      await write(`/dev/fd/${descriptor}`, ['x'.repeat(100_000), 'y']);
      await write(`/proc/${process.pid}/fd/${descriptor}`, ['z']);
    } finally {
      closeSync(descriptor);
    }
    expect(readFileSync(at('open'), 'utf8')).toBe(`${'x'.repeat(100_000)}yz`);
    expect(printed).toBe('');
    expect(await problem('/dev/fd/9999')).toBe(
      '/dev/fd/9999 cannot be written: bad file descriptor; write to another path',
    );
  });

  test('leads to the stdout of another process by its process ID', async () => {
    const descriptor = openSync(at('theirs'), 'w');
    const other = spawn('cat', { stdio: ['pipe', descriptor, 'ignore'] });
    closeSync(descriptor);
    await write(`/proc/${other.pid}/fd/1`);
    const ended = new Promise((resolve) => other.on('close', resolve));
    other.stdin!.end();
    await ended;
    expect(printed).toBe('');
    expect(readFileSync(at('theirs'), 'utf8')).toBe('new text');
  });

  test.each(['/dev/fd/1/x', './dev/fd/1'])('does not lead to stdout: %s', async (name) => {
    await problem(name);
    expect(printed).toBe('');
  });

  test('leads to stdout through a link', async () => {
    symlinkSync('/dev/stdout', at('out'));
    await write(at('out'));
    expect(printed).toBe('new text');
    expect(readlinkSync(at('out'))).toBe('/dev/stdout');
  });
});

describe('a signal during a write', () => {
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
    '%s ends the process and keeps the existing file',
    async (signal) => {
      writeFileSync(at('a'), 'old');
      const { child, ended } = await begun(at('a'));
      expect(readdirSync(folder)).toHaveLength(2);
      child.kill(signal);
      expect(await ended).toBe(signal);
      expect(readdirSync(folder)).toEqual(['a']);
      expect(readFileSync(at('a'), 'utf8')).toBe('old');
    },
  );
});

describe('an incomplete file', () => {
  const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const EVENTS = [...SIGNALS, 'exit'];

  let folder: string;
  let file: string;
  let killed: unknown[][];
  let listening: number[];
  const listeners = () => EVENTS.map((event) => process.listenerCount(event));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'unfinished-'));
    file = join(folder, 'a');
    writeFileSync(file, '');
    killed = [];
    // the forwarded signal would end the tests
    jest.spyOn(process, 'kill').mockImplementation((...of) => {
      killed.push(of);
      return true;
    });
    listening = listeners();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  test.each(SIGNALS)('is removed on %s before the process ends with the signal', (signal) => {
    const finished = whileUnfinished(file);
    process.emit(signal, signal);
    expect(existsSync(file)).toBe(false);
    expect(killed).toEqual([[process.pid, signal]]);
    expect(process.listenerCount(signal)).toBe(listening[EVENTS.indexOf(signal)]);
    finished();
  });

  test('is removed at the exit of the process', () => {
    const finished = whileUnfinished(file);
    process.emit('exit', 1);
    expect(existsSync(file)).toBe(false);
    finished();
  });

  test('may already be removed when a signal arrives', () => {
    const finished = whileUnfinished(file);
    rmSync(file);
    process.emit('SIGTERM', 'SIGTERM');
    expect(killed).toHaveLength(1);
    finished();
  });

  test('is removed like every other incomplete file of the process', () => {
    const other = join(folder, 'b');
    writeFileSync(other, '');
    const finished = [file, other].map(whileUnfinished);
    process.emit('SIGINT', 'SIGINT');
    expect([file, other].map((one) => existsSync(one))).toEqual([false, false]);
    for (const end of finished) end();
  });

  test('is kept if another handler listens to the signal', () => {
    const stop = () => undefined;
    process.on('SIGINT', stop);
    const finished = whileUnfinished(file);
    process.emit('SIGINT', 'SIGINT');
    expect(existsSync(file)).toBe(true);
    expect(killed).toEqual([]);
    finished();
    process.off('SIGINT', stop);
  });

  test('is kept once it is complete, without signal handlers', () => {
    whileUnfinished(file)();
    expect(listeners()).toEqual(listening);
    process.emit('exit', 0);
    expect(existsSync(file)).toBe(true);
  });
});
