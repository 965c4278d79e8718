import { describe, expect, test } from '@jest/globals';
import { trackGap } from '../../../src/simulator/verdicts/readinessCourse.ts';
import { nextRetry } from '../../../src/karmada/queues/retryBackoff.ts';

describe('the gap in ready replicas', () => {
  test('counts the time below the initial replicas, and the largest number of replicas down', () => {
    const gap = trackGap();
    gap.observe(1000, 6, 4);
    gap.observe(2000, 6, 1);
    gap.observe(5000, 6, 6);
    gap.observe(8000, 6, 5);
    gap.observe(9000, 6, 6);
    expect(gap.result(20_000)).toEqual({ replicas: 5, seconds: 5, open: false });
  });

  test('stays open if replicas are still down at the end', () => {
    const gap = trackGap();
    gap.observe(1000, 2, 0);
    expect(gap.result(61_000)).toEqual({ replicas: 2, seconds: 60, open: true, atEnd: 2 });
  });

  test('reports the replicas down at the end if these are fewer than the maximum', () => {
    const gap = trackGap();
    gap.observe(1000, 6, 0);
    gap.observe(2000, 6, 3);
    expect(gap.result(61_000)).toEqual({ replicas: 6, seconds: 60, open: true, atEnd: 3 });
  });

  test('is absent if no replica was down, or if more replicas run than before', () => {
    const gap = trackGap();
    gap.observe(1000, 2, 2);
    gap.observe(2000, 2, 5);
    expect(gap.result(3000)).toBeUndefined();
  });

  test('ends when the desired replicas decrease to the ready replicas', () => {
    const gap = trackGap();
    gap.observe(1000, 6, 2);
    gap.observe(3000, 2, 2);
    expect(gap.result(9000)).toEqual({ replicas: 4, seconds: 2, open: false });
  });
});

describe('retries of a controller', () => {
  test('start after 5 ms, and the delay doubles up to 1000 s', () => {
    expect(nextRetry(0, 0)).toBe(0);
    expect(nextRetry(0, 1)).toBe(5);
    expect(nextRetry(0, 6)).toBe(15);
    expect(nextRetry(0, 1000)).toBe(1275);
    // 5 ms × (2^18 − 1) = 1310.7 s; the next step would be 1310.72 s and is cut to 1000 s
    expect(nextRetry(0, 1_310_716)).toBe(1_310_715 + 1_000_000);
  });
});
