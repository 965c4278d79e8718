import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createRatedQueue, type SavedRatedQueue } from '../../../src/karmada/queues/ratedQueue.ts';

/** A queue that is not empty after this many looks never will be. */
const MAX_LOOKS = 100_000;

/** A queue with an adjustable rate, and what it releases. */
function queueAt(rate: number, saved?: SavedRatedQueue, lastTurn?: number) {
  const queue = createRatedQueue({ rate: () => rate, lastTurn }, saved);
  const pace = {
    get rate() {
      return rate;
    },
    set rate(to: number) {
      rate = to;
      queue.paceChanged!();
    },
  };
  let now = 0;
  /** Processes the queue until an instant (milliseconds); returns what had its turn when. */
  const work = (
    until: number,
    outcome: (key: string) => Parameters<typeof queue.done>[2] = () => 'succeeded',
    turn: (key: string) => Parameters<typeof queue.done>[3] = () => 'used',
  ): [string, number][] => {
    const taken: [string, number][] = [];
    let looks = 0;
    for (let wake = queue.nextWake(); wake !== undefined && wake <= until; wake = queue.nextWake()) {
      now = Math.max(now, wake);
      if (looks++ > MAX_LOOKS) throw new Error('the queue has no end');
      for (let key = queue.take(now); key !== undefined; key = queue.take(now)) {
        if (looks++ > MAX_LOOKS) throw new Error('the queue has no end');
        taken.push([key, now]);
        queue.done(key, now, outcome(key), turn(key));
      }
    }
    now = Math.max(now, until);
    return taken;
  };
  return { queue, pace, work };
}

describe('a rate-limited queue', () => {
  test('admits one key every two seconds at the rate 0.5, first in, first out', () => {
    const { queue, work } = queueAt(0.5);
    for (const key of ['a', 'b', 'c']) queue.add(key, 0);
    expect(work(60_000)).toEqual([
      ['a', 0],
      ['b', 2000],
      ['c', 4000],
    ]);
  });

  test('inserts a late key at the position of its own timestamp', () => {
    const { queue, work } = queueAt(0.5);
    queue.add('a', 1000);
    queue.add('late', 2000, 500);
    queue.add('same', 2000, 1000);
    queue.add('ahead', 2000, 9000);
    queue.add('b', 2000);
    expect(work(60_000).map(([key]) => key)).toEqual(['late', 'a', 'same', 'ahead', 'b']);
  });

  test('uses the current rate for each turn', () => {
    const { queue, pace, work } = queueAt(0.5);
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key, 0);
    expect(work(1000)).toEqual([['a', 0]]);
    pace.rate = 0.1;
    expect(work(12_000)).toEqual([['b', 10_000]]);
    pace.rate = 0.5;
    expect(work(12_500)).toEqual([['c', 12_000]]);
    expect(work(60_000)).toEqual([['d', 14_000]]);
  });

  test('stops at rate 0 and continues when the rate changes', () => {
    const { queue, pace, work } = queueAt(0);
    queue.add('a', 0);
    queue.addAfter('b', 5000);
    expect(queue.nextWake()).toBeUndefined();
    expect(work(3600_000)).toEqual([]);
    pace.rate = 0.5;
    expect(work(3_700_000)).toEqual([
      ['a', 3600_000],
      ['b', 3602_000],
    ]);
  });

  test('passes an unused turn to the next key', () => {
    const { queue, work } = queueAt(0.5);
    for (const key of ['a', 'gone', 'b']) queue.add(key, 0);
    const turns = work(
      60_000,
      () => 'succeeded',
      (key) => (key === 'gone' ? 'unused' : 'used'),
    );
    expect(turns).toEqual([
      ['a', 0],
      ['gone', 2000],
      ['b', 2000],
    ]);
  });

  test('requeues a failed key behind the other keys', () => {
    const { queue, work } = queueAt(0.5);
    for (const key of ['bad', 'a', 'b']) queue.add(key, 0);
    let failures = 0;
    expect(work(60_000, (key) => (key === 'bad' && failures++ < 1 ? 'failed' : 'succeeded'))).toEqual([
      ['bad', 0],
      ['a', 2000],
      ['b', 4000],
      ['bad', 6000],
    ]);
  });

  test('doubles the delay after each failure of a key', () => {
    const { queue, work } = queueAt(1000);
    queue.add('bad', 0);
    const at = work(200, () => 'failed').map(([, time]) => time);
    expect(at).toEqual([0, 5, 15, 35, 75, 155]);
  });

  test('processes several keys at a time, but no key twice', () => {
    const { queue } = queueAt(1000);
    queue.add('a', 0);
    queue.add('b', 0);
    expect([queue.take(0), queue.take(0), queue.take(1)]).toEqual(['a', undefined, 'b']);
    queue.add('a', 2);
    expect(queue.take(10)).toBeUndefined();
    queue.done('a', 20, 'succeeded');
    expect(queue.take(20)).toBe('a');
  });

  test('skips a dropped key and appends it if it is added again', () => {
    const { queue, work } = queueAt(0.5);
    for (const key of ['a', 'b', 'c']) queue.add(key, 0);
    queue.addAfter('later', 1000);
    for (const key of ['a', 'later', 'nobody']) queue.drop!(key);
    queue.add('a', 0);
    expect(queue.length()).toBe(3);
    expect(work(60_000).map(([key]) => key)).toEqual(['b', 'c', 'a']);
  });

  test('does not keep dropped keys', () => {
    const { queue, work } = queueAt(0);
    queue.add('stays', 0);
    for (let i = 0; i < 5000; i++) {
      queue.add(`k${i}`, 0);
      queue.drop!(`k${i}`);
    }
    expect(queue.save()).toMatchObject({ waiting: ['stays'] });
    expect(work(1000)).toEqual([]);
  });

  test('starts with a full interval if another process may have used the last turn', () => {
    const { queue, work } = queueAt(0.5, undefined, 0);
    queue.add('a', 0);
    expect(work(60_000)).toEqual([['a', 2000]]);
  });

  test('saves a key that is in processing', () => {
    const { queue } = queueAt(0.5);
    queue.add('a', 0);
    queue.take(0);
    queue.add('a', 10);
    const { queue: again, work } = queueAt(0.5, JSON.parse(JSON.stringify(queue.save())) as SavedRatedQueue);
    expect(again.take(5000)).toBeUndefined();
    again.done('a', 5000, 'succeeded');
    expect(work(5000)).toEqual([['a', 5000]]);
  });
});

type Deed =
  | { at: number; add: string; after: number; since: number }
  | { at: number; drop: string }
  | { at: number; rate: number };

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const deeds = fc
  .array(
    fc.oneof<fc.Arbitrary<Deed>[]>(
      fc.record({
        at: fc.nat(60_000),
        add: key,
        after: fc.oneof(fc.constant(0), fc.nat(9000)),
        since: fc.oneof(fc.constant(0), fc.nat(9000)),
      }),
      fc.record({ at: fc.nat(60_000), drop: key }),
      fc.record({ at: fc.nat(60_000), rate: fc.constantFrom(0, 0.1, 0.5, 2, 100) }),
    ),
    { maxLength: 40 },
  )
  .map((list) => list.toSorted((a, b) => a.at - b.at));

/** All turns of a story, and the rate at each of them; then the queue continues at 0.5 per second until it is empty. */
function story(list: readonly Deed[], fails: (key: string) => boolean, savedAt = Infinity) {
  let { queue, pace, work } = queueAt(0.5);
  const turns: { key: string; at: number; rate: number }[] = [];
  const outcome = (one: string) => (fails(one) ? 'failed' : 'succeeded');
  const workUntil = (until: number) => {
    for (const [one, at] of work(until, outcome)) turns.push({ key: one, at, rate: pace.rate });
  };
  let saved = false;
  for (const deed of [...list, { at: 61_000, rate: 0.5 }]) {
    if (!saved && deed.at >= savedAt) {
      workUntil(savedAt);
      const text = JSON.stringify(queue.save());
      ({ queue, pace, work } = queueAt(pace.rate, JSON.parse(text) as SavedRatedQueue));
      work(savedAt);
      saved = true;
    }
    workUntil(deed.at);
    if ('rate' in deed) pace.rate = deed.rate;
    else if ('drop' in deed) queue.drop!(deed.drop);
    else if (deed.after === 0) queue.add(deed.add, deed.at, deed.at - deed.since);
    else queue.addAfter(deed.add, deed.at + deed.after);
  }
  workUntil(10_000_000);
  return turns;
}

describe('a rate-limited queue with any changes', () => {
  test('keeps the interval of the rate between two turns', () => {
    fc.assert(
      fc.property(deeds, fc.nat(3), (list, faulty) => {
        let count = 0;
        const turns = story(list, () => ++count % (faulty + 2) === 0);
        turns.slice(1).forEach(({ at, rate }, index) => {
          expect(at - turns[index]!.at).toBeGreaterThanOrEqual(1000 / rate - 1e-6);
        });
      }),
    );
  });

  test('gives a turn to every key that is added and not dropped later', () => {
    fc.assert(
      fc.property(deeds, (list) => {
        const turns = story(list, () => false);
        const last = new Map<string, Deed>();
        for (const deed of list)
          if ('add' in deed) last.set(deed.add, deed);
          else if ('drop' in deed) last.set(deed.drop, deed);
        for (const [one, deed] of last)
          if ('add' in deed) expect(turns.some((turn) => turn.key === one && turn.at >= deed.at)).toBe(true);
      }),
    );
  });

  test('continues in the same way after it is saved and restored', () => {
    fc.assert(
      fc.property(deeds, fc.nat(60_000), (list, savedAt) => {
        const fails = (one: string) => one === 'f' && savedAt % 2 === 0;
        const bounded = (turns: ReturnType<typeof story>) => turns.slice(0, 60);
        expect(bounded(story(list, fails, savedAt))).toEqual(bounded(story(list, fails)));
      }),
    );
  });
});
