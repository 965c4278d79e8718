import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { whileRecorded } from '../../../src/cli/recording/whileRecording.ts';
import { emptyWorld } from '../../../src/karmada/world.ts';
import { endMessages } from '../../../src/terminal/messages.ts';
import type { RunningRecording } from '../../../src/useCases/recording/startRecording.ts';

let said: string[];
beforeEach(() => {
  said = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(() => {
  // a line that a test repeats is its own
  endMessages();
  jest.restoreAllMocks();
});

function recording(stop: RunningRecording['stop'], ended: Promise<void> = Promise.resolve()) {
  return { world: emptyWorld(), ended, stop };
}
const summary = { changes: 3, bytes: 100, took: 2000 };
const full = new Error('a.rec: no space left on the device');
const why = (code: number) => `it ended with ${code}`;

describe('a command during a recording', () => {
  test('ends the recording with the exit code as the reason', async () => {
    const reasons: string[] = [];
    const running = recording((reason) => {
      reasons.push(reason);
      return Promise.resolve(summary);
    });
    expect(await whileRecorded(running, 'a.rec', () => Promise.resolve(7), why)).toBe(7);
    expect(reasons).toEqual(['it ended with 7']);
    expect(said).toEqual(['a.rec: 3 changes in 2s, 100 bytes\n']);
  });

  test('ends the recording if the command fails', async () => {
    const reasons: string[] = [];
    const running = recording((reason) => {
      reasons.push(reason);
      return Promise.resolve(summary);
    });
    const failing = () => Promise.reject(new Error('no such thing'));
    await expect(whileRecorded(running, 'a.rec', failing, why)).rejects.toThrow('no such thing');
    expect(reasons).toEqual(['the recorded command failed']);
  });

  test('reports an error if the end of the recording cannot be written', async () => {
    const running = recording(() => Promise.reject(full));
    expect(await whileRecorded(running, 'a.rec', () => Promise.resolve(0), why)).toBe(0);
    expect(said).toEqual([`error: the recording has ended: ${full.message}\n`]);
  });

  test('prints a failure of the recording once', async () => {
    const ended = Promise.reject(full);
    const running = recording(() => ended.then(() => summary), ended);
    expect(await whileRecorded(running, 'a.rec', () => Promise.resolve(0), why)).toBe(0);
    expect(said).toEqual([`error: the recording has ended: ${full.message}\n`]);
  });
});
