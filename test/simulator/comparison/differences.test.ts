import { expect, test } from '@jest/globals';
import { differenceOf, type SimulatedWorkload } from '../../../src/simulator/comparison/differences.ts';
import type { WorkloadOutcome } from '../../../src/simulator/verdicts/outcome.ts';

const binding = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' };

/** Its evictions come every so many seconds; the simulation ends some seconds after the last one. */
function flapping(period: number, seconds: number, replicas = 2): SimulatedWorkload {
  const outcome = {
    ...{ kind: 'Deployment', namespace: 'shop', name: 'cart', binding },
    ...{ outcome: 'flaps', before: [], after: [], evicting: [], certainty: 'estimate' },
    flapping: { period: period * 1000, cause: 'ApplicationFailure' },
    gap: { replicas, seconds, open: seconds > 60, atEnd: seconds > 60 ? 1 : replicas },
  } as unknown as WorkloadOutcome;
  return { outcome, created: '' };
}

test('flapping workloads differ by the replicas down and the length of each cycle, whenever the simulation ends', () => {
  const kinds = (from: SimulatedWorkload, to: SimulatedWorkload) => differenceOf({ from, to })?.kinds;
  expect(kinds(flapping(60, 30), flapping(60, 90))).toBeUndefined();
  expect(kinds(flapping(60, 30), flapping(600, 30))).toEqual(['later']);
  expect(kinds(flapping(60, 90, 2), flapping(60, 30, 3))).toEqual(['misses more']);
});
