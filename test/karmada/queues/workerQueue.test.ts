import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDelayedKeys } from '../../../src/karmada/queues/delayedKeys.ts';
import {
  createWorkerQueue,
  type KeyQueue,
  type SavedWorkerQueue,
} from '../../../src/karmada/queues/workerQueue.ts';

/** A queue that is not empty after this many looks never will be. */
const MAX_LOOKS = 100_000;

/** Processes the queue; returns what was taken when. */
function drain(
  queue: KeyQueue,
  from: number,
  until = Infinity,
  outcome: (key: string, at: number) => 'succeeded' | 'failed' = () => 'succeeded',
): [string, number][] {
  const taken: [string, number][] = [];
  let now = from;
  let looks = 0;
  for (;;) {
    const wake = queue.nextWake();
    if (wake === undefined || wake > until) return taken;
    now = Math.max(now, wake);
    if (looks++ > MAX_LOOKS) throw new Error('the queue has no end');
    for (let key = queue.take(now); key !== undefined; key = queue.take(now)) {
      if (looks++ > MAX_LOOKS) throw new Error('the queue has no end');
      taken.push([key, now]);
      queue.done(key, now, outcome(key, now));
    }
  }
}

const queueAt = (rate: number | undefined, workers = 3) => createWorkerQueue({ rate, workers });

describe('the eviction queue', () => {
  test('admits three keys every two seconds at the default rate, first in, first out', () => {
    const queue = queueAt(0.5);
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) queue.add(key, 0);
    expect(drain(queue, 0)).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 0],
      ['d', 2000],
      ['e', 2000],
      ['f', 2000],
      ['g', 4000],
    ]);
  });

  test('admits three keys at rate 0, and the next one after half an hour', () => {
    const queue = queueAt(0);
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key, 0);
    expect(drain(queue, 0).at(-1)).toEqual(['d', 1_800_000]);
  });

  test('contains a key only once', () => {
    const queue = queueAt(0.5);
    queue.add('a', 0);
    queue.add('a', 0);
    expect(queue.length()).toBe(1);
    expect(drain(queue, 0)).toEqual([['a', 0]]);
  });

  test('requeues a key that is added during its processing after the worker has slept', () => {
    const queue = queueAt(0.5);
    queue.add('a', 0);
    expect(queue.take(0)).toBe('a');
    queue.add('a', 10);
    expect(queue.take(10)).toBeUndefined();
    queue.done('a', 20, 'succeeded');
    queue.add('a', 500);
    expect(drain(queue, 500)).toEqual([['a', 2020]]);
  });

  test('keeps a worker busy until it has slept', () => {
    const queue = queueAt(0.5, 1);
    queue.add('a', 0);
    queue.add('b', 0);
    expect(queue.take(0)).toBe('a');
    expect(queue.take(100)).toBeUndefined();
    expect(queue.nextWake()).toBeUndefined();
    queue.done('a', 100, 'succeeded');
    expect(queue.nextWake()).toBe(2100);
    expect(queue.take(2099)).toBeUndefined();
    expect(queue.take(2100)).toBe('b');
  });

  test('keeps the earliest due time of a delayed key and appends the key then', () => {
    const queue = queueAt(0.5, 1);
    queue.addAfter('late', 1000);
    queue.addAfter('late', 5000);
    queue.addAfter('late', 800);
    queue.add('a', 0);
    queue.add('b', 0);
    expect(drain(queue, 0)).toEqual([
      ['a', 0],
      ['b', 2000],
      ['late', 4000],
    ]);
  });

  test('accepts a key that is delayed and queued at the same time', () => {
    const queue = queueAt(0.5);
    queue.addAfter('a', 10_000);
    queue.add('a', 0);
    expect(drain(queue, 0)).toEqual([
      ['a', 0],
      ['a', 10_000],
    ]);
  });

  test('retries a failed key after the longer of rate and back-off, without sleep of the worker', () => {
    const queue = queueAt(0.5, 1);
    queue.add('bad', 0);
    queue.add('good', 0);
    const taken = drain(queue, 0, 60_000, (key) => (key === 'bad' ? 'failed' : 'succeeded'));
    expect(taken.slice(0, 4)).toEqual([
      ['bad', 0],
      ['good', 0],
      ['bad', 2000],
      ['bad', 4000],
    ]);
    // 5 ms doubled nine times is more than the two seconds of the rate
    expect(taken.slice(-3).map(([, at]) => at)).toEqual([18_000, 20_560, 25_680, 35_920, 56_400].slice(-3));
  });

  test('resets the failures of a key after a success', () => {
    const queue = queueAt(100, 1);
    queue.add('a', 0);
    let failures = 6;
    const taken = drain(queue, 0, Infinity, () => (failures-- > 0 ? 'failed' : 'succeeded'));
    expect(taken.map(([, at]) => at)).toEqual([0, 10, 20, 40, 80, 160, 320]);
    queue.add('a', 1000);
    failures = 1;
    expect(drain(queue, 1000, Infinity, () => (failures-- > 0 ? 'failed' : 'succeeded'))).toEqual([
      ['a', 1000],
      ['a', 1010],
    ]);
  });

  test('admits a hundred keys and then ten per second at any high rate', () => {
    const queue = queueAt(1000);
    for (let i = 0; i < 300; i++) queue.add(`k${i}`, 0);
    const taken = drain(queue, 0);
    expect(taken[100]![1]).toBeLessThan(1000);
    expect(taken.at(-1)![1]).toBeGreaterThan(18_000);
    expect(taken.at(-1)![1]).toBeLessThan(21_000);
  });

  test('uses a 32-bit float as its rate', () => {
    const queue = queueAt(0.3, 1);
    queue.add('a', 0);
    queue.add('b', 0);
    expect(drain(queue, 0).at(-1)![1]).toBe(3333.333_248);
  });

  test('without a rate, retries failures only with the back-off and never pauses a worker', () => {
    const queue = queueAt(undefined, 1);
    for (const key of ['bad', 'a', 'b']) queue.add(key, 0);
    let failures = 3;
    const taken = drain(queue, 0, Infinity, (key) =>
      key === 'bad' && failures-- > 0 ? 'failed' : 'succeeded',
    );
    expect(taken).toEqual([
      ['bad', 0],
      ['a', 0],
      ['b', 0],
      ['bad', 5],
      ['bad', 15],
      ['bad', 35],
    ]);
  });

  test('continues unchanged after it is saved and restored', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    const fails = (one: string, at: number) => (one < 'c' && at < 9000 ? 'failed' : 'succeeded');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, fc.nat(20_000), fc.boolean()), { maxLength: 40 }),
        fc.constantFrom(0.5, 20, 0, undefined),
        fc.nat(20_000),
        (adds, rate, savedAt) => {
          const ordered = [...adds].sort((a, b) => a[1] - b[1]);
          const story = (saving: boolean) => {
            let queue = queueAt(rate);
            const taken: [string, number][] = [];
            let now = 0;
            const workUntil = (until: number) => {
              taken.push(...drain(queue, now, until, fails));
              now = until;
            };
            for (const [one, at, delayed] of [...ordered, ['a', 30_000, false] as const]) {
              if (now < savedAt && at >= savedAt) {
                workUntil(savedAt);
                if (saving)
                  queue = createWorkerQueue(
                    { rate, workers: 3 },
                    JSON.parse(JSON.stringify(queue.save())) as SavedWorkerQueue,
                  );
              }
              workUntil(at);
              if (delayed) queue.addAfter(one, at + 700);
              else queue.add(one, at);
            }
            workUntil(Infinity);
            return taken;
          };
          expect(story(true)).toEqual(story(false));
        },
      ),
    );
  });

  test('saves a key that a worker is processing', () => {
    const queue = queueAt(0.5, 1);
    queue.add('a', 0);
    queue.add('b', 0);
    queue.take(0);
    queue.add('a', 10);
    const again = createWorkerQueue({ rate: 0.5, workers: 1 }, queue.save());
    expect(again.take(20)).toBeUndefined();
    again.done('a', 20, 'succeeded');
    expect(drain(again, 20)).toEqual([
      ['b', 2020],
      ['a', 4020],
    ]);
  });

  test('admits every added key within the rate, for any additions', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, fc.nat(20_000), fc.boolean()), { maxLength: 30 }),
        fc.constantFrom(0.5, 2, 0),
        (adds, rate) => {
          const queue = queueAt(rate);
          const ordered = [...adds].sort((a, b) => a[1] - b[1]);
          const taken: [string, number][] = [];
          let now = 0;
          const workUntil = (until: number) => {
            taken.push(...drain(queue, now, until));
            now = until;
          };
          for (const [one, at, delayed] of ordered) {
            workUntil(at);
            if (delayed) queue.addAfter(one, at + 700);
            else queue.add(one, at);
          }
          workUntil(Infinity);
          for (const [one, at] of ordered) expect(taken.some(([k, t]) => k === one && t >= at)).toBe(true);
          expect(taken.length).toBeLessThanOrEqual(adds.length);
          const times = taken.map(([, at]) => at);
          expect(times).toEqual([...times].sort((a, b) => a - b));
          // each worker processes at most one per pause
          const pause = rate === 0 ? 1_800_000 : 1000 / rate;
          taken.forEach(([, at], index) => {
            if (index >= 3) expect(at - taken[index - 3]![1]).toBeGreaterThanOrEqual(pause);
          });
        },
      ),
    );
  });
});

test('delayed keys become due at their earliest time, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...'abcdefgh'), fc.nat(50))), (adds) => {
      const delayed = createDelayedKeys();
      const earliest = new Map<string, number>();
      for (const [key, at] of adds) {
        delayed.add(key, at);
        earliest.set(key, Math.min(at, earliest.get(key) ?? Infinity));
      }
      const out: [string, number][] = [];
      for (let at = delayed.next(); at !== undefined && out.length < adds.length; at = delayed.next())
        out.push([delayed.take()!, at]);
      expect(new Map(out)).toEqual(earliest);
      expect(out).toHaveLength(earliest.size);
      expect(out.map(([, at]) => at)).toEqual([...earliest.values()].sort((a, b) => a - b));
    }),
  );
});
