import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRecording } from '../../src/state/recording/recording.ts';
import { shop } from '../state/recording/recorded.ts';
import { run } from './cli.ts';
import { liveServer, runLive, type LiveServer } from './liveServer.ts';

let server: LiveServer;
let folder: string;
beforeAll(async () => {
  server = await liveServer(shop());
  folder = mkdtempSync(join(tmpdir(), 'record-'));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
const at = (name: string) => join(folder, name);
const live = (...argv: string[]) => runLive(argv, server);

describe('record', () => {
  test('records for the given time into a file that is a state', async () => {
    const file = at('timed.rec');
    const ran = await live('record', file, '--for', '1s');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain('Recording 5 clusters');
    expect(ran.stdout).toMatch(/timed\.rec: 0 changes in \d+s, \d+ (bytes|kB)\n/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await openRecording([file])).ended).toBe('its duration has elapsed');
    const { code, stdout, stderr } = run(['failover', 'status', '--state', file]);
    expect(code).toBe(0);
    expect(stdout).toContain('frankfurt');
    expect(stderr).toMatch(/State at .*, the end of the recording; earlier: --at TIME/);
  });

  test('records while a command runs, and exits with its exit code', async () => {
    const file = at('command.rec');
    const script = 'console.log("done"); process.exit(7)';
    const { code, stdout, stderr } = await live('record', file, '--', process.execPath, '-e', script);
    expect([code, stdout]).toEqual([7, 'done\n']);
    expect(stderr).toMatch(/command\.rec: 0 changes/);
    expect((await openRecording([file])).ended).toMatch(/ended with exit code 7$/);
  });

  test('exits with 127 if the command does not exist', async () => {
    const ran = await live('record', at('none.rec'), '--', 'no-such-program-anywhere');
    expect(ran.code).toBe(127);
    expect(ran.stderr).toContain('no-such-program-anywhere is not found');
  });

  test.each([
    ['', '"" is not found', 127],
    [join(import.meta.filename, 'no'), 'cannot be run', 126],
  ])('exits like a shell if the command %j cannot run', async (command, expected, code) => {
    const ran = await live('record', at(`ends-with-${code}.rec`), '--', command);
    expect(ran.stderr).toContain(`${expected}; check the command after --`);
    expect(ran.code).toBe(code);
  });

  test.each([
    [['record', 'FILE', 'ls'], '"ls" is one name too many; give a command to run meanwhile after --'],
    [['record', '--', 'ls'], 'the file is missing; name it before --'],
    [['record', 'FILE', '--for', 'x'], '--for: "x" is not a duration'],
    [['record', 'FILE', '--for', '1s', '--', 'ls'], '--for and the command both limit the recording'],
    [['record', 'FILE', '--max-size', '1'], '--max-size "1" is not a size of 64Ki or more'],
    [['record', 'FILE', '--max-size', 'big'], '--max-size "big" is not a size'],
    [['record', '.', '--for', '1s'], 'is a directory'],
    [['record', '/dev/null', '--for', '1s'], 'is not a regular file'],
    [['record', '-', '--for', '1s'], 'needs a regular file'],
  ])('%j is rejected', async (words, expected) => {
    const argv = words.map((word) => (word === 'FILE' ? at('refused.rec') : word));
    const { code, stdout, stderr } = await live(...argv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(expected);
    expect(existsSync(at('refused.rec'))).toBe(false);
  });

  test('does not overwrite a file', async () => {
    const file = at('twice.rec');
    await live('record', file, '--for', '1s');
    const { code, stderr } = await live('record', file, '--for', '1s');
    expect(code).toBe(2);
    expect(stderr).toContain('exists and is not overwritten; name another file, or remove it');
  });

  test('reports the range of a recording for an instant outside of it', async () => {
    const file = at('outside.rec');
    await live('record', file, '--for', '1s');
    const { code, stderr } = run(['failover', 'status', '--state', file, '--at', '2020-01-01T00:00:00Z']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/recorded from .* to .*, without 2020-01-01T00:00:00.000Z; give a time/);
  });

  test('suggests the command that resumes a drain without --record, because the file exists', async () => {
    const [drained, file] = [
      ['drain', 'frankfurt', '--yes', '--allow-blocked', '--allow-loss'],
      at('on.rec'),
    ];
    const { code, stderr } = await live(...drained, '--timeout', '1s', '--record', file);
    expect(code).toBe(3);
    expect(stderr).toMatch(/To resume:.* drain frankfurt --yes/);
    expect(stderr.split('\n').find((line) => line.startsWith('To resume:'))).not.toContain('record');
  });

  test('records a drain with --record', async () => {
    const file = at('drain.rec');
    const { code, stderr } = await live(
      'drain',
      'oregon',
      '--yes',
      '--no-wait',
      '--allow-blocked',
      '--allow-loss',
      '--record',
      file,
    );
    expect([0, 3]).toContain(code);
    expect(stderr).toMatch(/drain\.rec: \d+ changes? in/);
    const recording = await openRecording([file]);
    expect(recording.ended).toBe('the recorded command has ended');
    const marked = recording
      .worldAt(recording.to)
      .clusters.find(({ metadata }) => metadata.name === 'oregon')!;
    expect(marked.spec?.taints?.some(({ key }) => key === 'cluster.karmada.io/unschedulable')).toBe(true);
  });
});
