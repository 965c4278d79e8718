import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { relistTime } from '../../../src/karmada/detection/relist.ts';

// client-go's reflectors: 800 ms doubling up to 30 s, plus up to 100% jitter
describe('an informer after an outage of its API server', () => {
  test.each([
    [500, 800, 1_600],
    [2_000, 2_400, 3_200],
    [25_000, 50_400, 30_000],
    [90_000, 110_400, 30_000],
  ])(
    'resumes its watch or relists at the next attempt: outage %i ms, watch at %i ms, relist %i ms later',
    (back, at, more) => {
      expect(relistTime(0, back, () => 0).at).toBe(at);
      expect(relistTime(0, back, (what) => (what === 'watch' ? 1 : 0)).at).toBe(at + more);
    },
  );

  test('relists between the recovery and two minutes after it', () => {
    const chance = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.nat(10_000_000), chance, (back, place) => {
        const { at } = relistTime(0, back, () => place);
        expect(at).toBeGreaterThanOrEqual(back);
        expect(at - back).toBeLessThanOrEqual(120_000);
      }),
    );
  });

  test('computes only the last delays of a long outage', () => {
    const year = 365 * 24 * 3600_000;
    let draws = 0;
    const half = () => (draws++, 0.5);
    const { at } = relistTime(0, year, half);
    expect(draws).toBeLessThan(200);
    // 45 s per wait, once they have grown
    expect((at - relistTime(0, 3 * 3600_000, () => 0.5).at) % 45_000).toBe(0);
  });

  describe('in a second outage', () => {
    const first = relistTime(0, 25_000, () => 0);

    test('continues with the increased delays if the last failure is less than two minutes old', () => {
      expect(first.grown).toEqual({ failedAt: 24_800, wait: 30_000 });
      expect(relistTime(140_000, 145_000, () => 0, first.grown).at).toBe(170_000);
    });

    test('restarts its delays after two minutes', () => {
      expect(relistTime(150_000, 155_000, () => 0, first.grown).at).toBe(155_600);
    });
  });
});
