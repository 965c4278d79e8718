import { describe, expect, test } from '@jest/globals';
import type { ReplicaGap } from '../../../src/simulator/verdicts/outcome.ts';
import { gapWords } from '../../../src/views/report/outcomeSummary.ts';

type Short = Parameters<typeof gapWords>[0][number];

const permanent: ReplicaGap = { replicas: 2, seconds: 60, open: true, permanent: true };

describe('the downtime in the headline of a report', () => {
  test('counts workloads without a ready replica as down, as `simulate` does, and the others separately', () => {
    const isDown: Short = { gap: permanent, down: true };
    const workloads = [isDown, isDown, { gap: permanent }, {}];
    expect(gapWords(workloads)).toBe('2 workloads are down and 1 lacks some replicas permanently');
    expect(gapWords(workloads.slice(0, 1))).toBe('1 workload is down permanently');
    expect(gapWords(workloads.slice(2))).toBe('1 workload lacks some replicas permanently');
  });

  test('is the longest gap, if all end', () => {
    const gap = { replicas: 1, seconds: 58, open: false };
    expect(gapWords([{ gap }])).toBe('1 workload has fewer ready replicas for a time, the longest for 58s');
    expect(gapWords([{}])).toBe('no ready replica is missing at any time');
  });
});
