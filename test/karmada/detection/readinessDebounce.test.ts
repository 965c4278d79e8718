import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Condition } from '../../../src/karmada/api/meta.ts';
import { debounceReadiness, type ProbeMemory } from '../../../src/karmada/detection/readinessDebounce.ts';
import { probedReadiness, type ProbeResult } from '../../../src/karmada/detection/readiness.ts';

const thresholds = { failure: 30_000, success: 30_000 };

/** Probes every 10 s; returns the second and the status of each change of what is published. */
function probes(results: ProbeResult[], start?: Condition['status']): [number, string][] {
  let memory: ProbeMemory | undefined = start && { observed: start };
  let published: Condition | undefined = start && { type: 'Ready', status: start };
  const changes: [number, string][] = [];
  results.forEach((result, index) => {
    const debounced = debounceReadiness(
      memory,
      published,
      probedReadiness[result],
      index * 10_000,
      thresholds,
    );
    if (debounced.readiness.status !== published?.status)
      changes.push([index * 10, debounced.readiness.status]);
    memory = debounced.memory;
    published = { type: 'Ready', ...debounced.readiness };
  });
  return changes;
}
const down: ProbeResult = 'unreachable';
const up: ProbeResult = 'healthy';

describe('a probe result', () => {
  test('is published after it has lasted for the threshold', () => {
    expect(probes([down, down, down, down, down], 'True')).toEqual([[30, 'False']]);
    expect(probes([up, up, up, up], 'False')).toEqual([[30, 'True']]);
  });

  test('restarts its threshold after an opposite probe', () => {
    expect(probes([down, down, up, down, down, down, down], 'True')).toEqual([[60, 'False']]);
  });

  test('is published at once if it changes Unknown to False', () => {
    expect(probes([down], 'Unknown')).toEqual([[0, 'False']]);
  });

  test('is published at once by a new process', () => {
    expect(
      debounceReadiness(
        undefined,
        { type: 'Ready', status: 'True' },
        probedReadiness.unreachable,
        0,
        thresholds,
      ),
    ).toEqual({ memory: { observed: 'False' }, readiness: probedReadiness.unreachable });
  });

  test('is published at once for a cluster without a Ready condition', () => {
    expect(
      debounceReadiness({ observed: 'True' }, undefined, probedReadiness.unhealthy, 0, thresholds).readiness,
    ).toEqual(probedReadiness.unhealthy);
  });

  test('leaves the published reason and message unchanged until its threshold ends', () => {
    const published: Condition = { type: 'Ready', status: 'True', reason: 'R', message: 'M' };
    expect(
      debounceReadiness({ observed: 'True' }, published, probedReadiness.unreachable, 0, thresholds)
        .readiness,
    ).toEqual({ status: 'True', reason: 'R', message: 'M' });
  });

  test('is never published for a member that flaps faster than the threshold', () => {
    const flapping = fc.array(
      fc
        .tuple(fc.constantFrom(up, down), fc.integer({ min: 1, max: 3 }))
        .map(([result, times]) => Array.from({ length: times }, () => result)),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(flapping, (runs) => {
        const alternating = runs.map((run, index) => run.map(() => (index % 2 === 0 ? down : up))).flat();
        expect(probes(alternating, 'True')).toEqual([]);
      }),
    );
  });
});
