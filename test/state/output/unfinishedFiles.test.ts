import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whileUnfinished } from '../../../src/state/output/unfinishedFiles.ts';

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
  // the signal that is sent on would end the tests
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

test.each(SIGNALS)('%s removes the file and then ends the process as it would have', (signal) => {
  const finished = whileUnfinished(file);
  process.emit(signal, signal);
  expect(existsSync(file)).toBe(false);
  expect(killed).toEqual([[process.pid, signal]]);
  expect(process.listenerCount(signal)).toBe(listening[EVENTS.indexOf(signal)]);
  finished();
});

test('the end of the process removes the file', () => {
  const finished = whileUnfinished(file);
  process.emit('exit', 1);
  expect(existsSync(file)).toBe(false);
  finished();
});

test('a file that is gone already is no matter', () => {
  const finished = whileUnfinished(file);
  rmSync(file);
  process.emit('SIGTERM', 'SIGTERM');
  expect(killed).toHaveLength(1);
  finished();
});

test('of several files each is removed', () => {
  const other = join(folder, 'b');
  writeFileSync(other, '');
  const finished = [file, other].map(whileUnfinished);
  process.emit('SIGINT', 'SIGINT');
  expect([file, other].map((one) => existsSync(one))).toEqual([false, false]);
  for (const end of finished) end();
});

test('a signal that somebody else listens to is left to them', () => {
  const stop = () => undefined;
  process.on('SIGINT', stop);
  const finished = whileUnfinished(file);
  process.emit('SIGINT', 'SIGINT');
  expect(existsSync(file)).toBe(true);
  expect(killed).toEqual([]);
  finished();
  process.off('SIGINT', stop);
});

test('what is finished stays, and nobody listens any more', () => {
  whileUnfinished(file)();
  expect(listeners()).toEqual(listening);
  process.emit('exit', 0);
  expect(existsSync(file)).toBe(true);
});
