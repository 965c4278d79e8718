import { expect, test } from '@jest/globals';
import { stoppedAfter, TimeLimitExceeded } from '../../src/state/stoppedAfter.ts';

test('code above its CPU time limit is stopped', () => {
  const endless = () => {
    for (;;);
  };
  expect(() => stoppedAfter(50, endless)).toThrow(TimeLimitExceeded);
});

test('waiting time does not count as CPU time', () => {
  const waiting = new Int32Array(new SharedArrayBuffer(4));
  const computed = stoppedAfter(20, () => {
    Atomics.wait(waiting, 0, 0, 200);
    return 'computed';
  });
  expect(computed).toBe('computed');
});

test('an error in the code is rethrown', () => {
  const failing = () => {
    throw new TypeError('no such method');
  };
  expect(() => stoppedAfter(50, failing)).toThrow('no such method');
});
