import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { placedIn, stepChange, withoutWriteBacks } from '../../../src/analysis/history/replay/writtenBack.ts';
import { placementText } from '../../../src/analysis/history/replay/steps.ts';

const steps = (...rows: [number, string][]) => rows.map(([time, placement]) => ({ time, placement }));

describe('a write-back by the scheduler', () => {
  test('is removed from the steps until the next eviction', () => {
    // given a workload that is evicted from a, put back there by the scheduler together with b, and evicted again
    const seen = steps(
      [0, 'a×1 c×1 | evicting -'],
      [10, 'c×1 | evicting a'],
      [11, 'a×1 b×1 c×1 | evicting a'],
      [20, 'b×1 c×1 | evicting a'],
      [30, 'b×1 c×1 | evicting -'],
    );
    expect(withoutWriteBacks(seen)).toEqual({
      steps: steps(
        [0, 'a×1 c×1 | evicting -'],
        [10, 'c×1 | evicting a'],
        [11, 'b×1 c×1 | evicting a'],
        [30, 'b×1 c×1 | evicting -'],
      ),
      writeBacks: [{ cluster: 'a', evicted: 10, back: 11 }],
    });
  });

  test('is neither a placement from before the eviction nor a return after it', () => {
    // a capture may begin with a cluster both placed and evicted
    const seen = steps(
      [0, 'a×1 | evicting a'],
      [10, '- | evicting a'],
      [20, '- | evicting -'],
      [30, 'a×1 | evicting -'],
    );
    expect(withoutWriteBacks(seen)).toEqual({ steps: seen, writeBacks: [] });
  });

  test('leaves no cluster both placed and evicted, unless the first step has one', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'));
    const way = fc.array(fc.record({ on: names, evicting: names }), { maxLength: 12 });
    fc.assert(
      fc.property(way, (placements) => {
        const seen = placements.map(({ on, evicting }, i) => ({
          time: i,
          placement: placementText(
            on.map((name) => ({ name, replicas: 1 })),
            i === 0 ? evicting.filter((name) => !on.includes(name)) : evicting,
          ),
        }));
        const { steps: meant, writeBacks } = withoutWriteBacks(seen);
        for (const { cluster, evicted, back } of writeBacks) {
          expect(evicted).toBeLessThan(back);
          const { on, evicting } = placedIn(meant.findLast(({ time }) => time <= back)!.placement);
          expect([on.has(cluster), evicting.includes(cluster)]).toEqual([false, true]);
        }
        if (writeBacks.length === 0) expect(meant.length).toBeLessThanOrEqual(seen.length);
      }),
    );
  });
});

describe('the change of a step', () => {
  test('is read from the placement texts', () => {
    const [before, after] = steps([0, 'a×1 b×2 | evicting d'], [1, 'b×3 c×1 | evicting a']);
    expect(stepChange(before, after)).toEqual({
      evicted: ['a'],
      ended: ['d'],
      gained: ['b', 'c'],
      lost: ['a'],
    });
  });
});
