import { expect, test } from '@jest/globals';
import { stoppedAfter, TimeLimitExceeded } from '../../src/state/stoppedAfter.ts';

test('code above its CPU time limit is stopped', () => {
  const endless = () => {
    for (;;);
  };
  expect(() => stoppedAfter(50, endless)).toThrow(TimeLimitExceeded);
});

test('waiting time does not count as CPU time', () => {
  // Other threads of the process, such as the garbage collector's, count in its CPU time: so the test sets it.
  const idle = () => ({ user: 0, system: 0 });
  const waiting = new Int32Array(new SharedArrayBuffer(4));
  const wait = () => {
    Atomics.wait(waiting, 0, 0, 200);
    return 'computed';
  };
  const computed = stoppedAfter(20, wait, idle);
  expect(computed).toBe('computed');
});

test('an error in the code is rethrown', () => {
  const failing = () => {
    throw new TypeError('no such method');
  };
  expect(() => stoppedAfter(50, failing)).toThrow('no such method');
});
