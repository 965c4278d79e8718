import { describe, expect, test } from '@jest/globals';
import type { Certainty } from '../../../src/karmada/evidence.ts';
import { asBad } from '../../../src/presentation/words.ts';
import type { Outcome } from '../../../src/simulator/verdicts/outcome.ts';
import type { Span } from '../../../src/simulator/timeline/span.ts';
import { gapOfSpans } from '../../../src/simulator/verdicts/readinessCourse.ts';
import {
  costTexts,
  evictionLosses,
  gapText,
  possibleEndsText,
} from '../../../src/views/words/outcomeWords.ts';

const possibleEnds = [[{ name: 'sgp1', replicas: 4 }], [{ name: 'tok1', replicas: 4 }], []];

test('possible final placements are listed; for a flapping workload, as placements that it may settle on', () => {
  expect(possibleEndsText({ outcome: 'moves', possibleEnds })).toEqual([
    'may end on sgp1×4 or on tok1×4 or on no cluster',
  ]);
  expect(possibleEndsText({ outcome: 'flaps', possibleEnds: possibleEnds.slice(0, 1) })).toEqual([
    'may settle on sgp1×4',
  ]);
  expect(possibleEndsText({ outcome: 'moves' })).toEqual([]);
});

const workload = { kind: 'Deployment', namespace: 'shop', name: 'web' };
const gap = (from: number, to: number | undefined, replicas: number): Span => ({
  workload,
  phase: 'gap',
  from: from * 1000,
  replicas,
  certainty: 'estimate',
  evidence: [],
  ...(to === undefined ? {} : { to: to * 1000 }),
});
const said = (...spans: Span[]) => gapText({ gap: gapOfSpans(spans, 100_000) });

describe('the downtime of a workload', () => {
  test('has a duration, or is open at the end', () => {
    expect(said(gap(10, 79, 3))).toBe('3 for 1m9s');
    expect(said(gap(10, undefined, 3))).toBe('3 at the end');
    expect(said()).toBe('');
  });

  test('shows both the maximum and the final number if they differ', () => {
    expect(said(gap(10, 40, 6), gap(40, undefined, 3))).toBe('up to 6, 3 at the end');
    const open = gapOfSpans([gap(10, 40, 6), gap(40, undefined, 3)], 100_000);
    expect(gapText({ gap: open }, ' replicas down')).toBe('up to 6 replicas down, 3 at the end');
    const permanent = { replicas: 1, seconds: 60, open: true, permanent: true } as const;
    expect(gapText({ gap: permanent }, ' replicas down')).toBe('1 replica down permanently');
    expect(gapText({ gap: open, outcome: 'flaps' })).toBe('6, again and again');
  });
});

test('the downtime of a contingency is permanent only if none of its replicas would be restored', () => {
  const cost = { lost: 1, down: 1, blocked: 0, moves: 1, missingForGood: 3, missingReplicaMinutes: 1 };
  expect(costTexts({ ...cost, missingPermanently: 3 })).toEqual([
    '',
    '3 replicas down permanently',
    '1 replica-minute of downtime',
  ]);
  expect(costTexts({ ...cost, missingPermanently: 2 })[1]).toBe('3 replicas down at the end');
  expect(costTexts({ ...cost, down: 2, missingPermanently: 3 })[0]).toBe('2 workloads down');
});

test('losses of evictions count each workload once, and include those without a ready replica', () => {
  const task = (name: string, outcome: Outcome, more: { down?: true; certainty?: Certainty } = {}) => ({
    binding: { kind: 'ResourceBinding', namespace: 'shop', name },
    outcome,
    certainty: 'certain' as const,
    ...more,
  });
  const lost = task('web', 'lost', { certainty: 'estimate', down: true });
  const tasks = [lost, lost, task('cart', 'blocked', { down: true }), task('api', 'blocked')];
  expect(evictionLosses(tasks)).toEqual([asBad('1 lost (1 uncertain)'), asBad('1 down')]);
});
