import { describe, expect, test } from '@jest/globals';
import { createWorkerQueue } from '../../../src/karmada/queues/workerQueue.ts';
import { createRatedQueue } from '../../../src/karmada/queues/ratedQueue.ts';

const read = <Saved>(saved: Saved) => JSON.parse(JSON.stringify(saved)) as Saved;

describe('a saved worker queue', () => {
  const queueOf = (...keys: string[]) => {
    const queue = createWorkerQueue({ rate: 0.5, workers: 2 });
    for (const key of keys) queue.add(key, 0);
    return queue;
  };

  test('is empty with a full token bucket before its first use', () => {
    const queue = createWorkerQueue({ rate: 0.5, workers: 2 });
    expect(queue.save()).toStrictEqual({
      waiting: [],
      delayed: [],
      processing: [],
      sleepers: [],
      addedAgain: [],
      limiter: { failures: {}, asleep: 0, tokens: 100 },
    });
  });

  test('is plain JSON with separate lists of keys in processing and sleeping workers', () => {
    const queue = queueOf('slept', 'in progress', 'waits');
    queue.take(0);
    queue.take(0);
    queue.done('slept', 10, 'succeeded');
    queue.add('slept', 20);
    queue.addAfter('later', 500);
    const saved = queue.save();
    expect(saved).toStrictEqual({
      time: 20,
      waiting: ['waits'],
      delayed: [['later', 500]],
      processing: ['in progress'],
      sleepers: [{ key: 'slept', until: 2010 }],
      addedAgain: ['slept'],
      limiter: { failures: {}, asleep: 1, tokens: 99, filledAt: 10 },
    });
    expect(read(saved)).toStrictEqual(saved);
  });
});

describe('a saved rate-limited queue', () => {
  const queueOf = (...keys: string[]) => {
    const queue = createRatedQueue({ rate: () => 0.5 });
    for (const key of keys) queue.add(key, 0);
    return queue;
  };

  test('is empty before its first use', () => {
    expect(createRatedQueue({ rate: () => 0.5 }).save()).toStrictEqual({
      waiting: [],
      since: [],
      delayed: [],
      processing: [],
      addedAgain: [],
      failures: {},
    });
  });

  test('is plain JSON with the time of the last turn', () => {
    const queue = queueOf('a', 'b');
    queue.take(0);
    queue.done('a', 10, 'failed');
    const saved = queue.save();
    expect(saved).toStrictEqual({
      time: 10,
      waiting: ['b'],
      since: [0],
      delayed: [['a', 15]],
      processing: [],
      addedAgain: [],
      lastTurn: 0,
      failures: { a: 1 },
    });
    expect(read(saved)).toStrictEqual(saved);
  });

  test('does not give a key in processing to a second worker', () => {
    const queue = queueOf('a');
    queue.take(0);
    const again = createRatedQueue({ rate: () => 0.5 }, read(queue.save()));
    again.add('a', 5000);
    expect(again.take(5000)).toBeUndefined();
    again.done('a', 6000, 'succeeded');
    expect(again.take(6000)).toBe('a');
  });
});
