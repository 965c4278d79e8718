import { expect, test } from '@jest/globals';
import type { EvictionTimes, History } from '../../../src/analysis/history/history.ts';
import { historyVerdict } from '../../../src/views/report/historyReport.ts';

const verdictOf = (...evictions: Partial<EvictionTimes>[]) => verdict(true, evictions);

function verdict(seen: boolean, evictions: Partial<EvictionTimes>[]): string {
  const history: History = {
    seen,
    start: 0,
    end: 60_000,
    events: [],
    doubts: [],
    spans: [],
    workloads: [],
    clusters: [],
    evictions: evictions.map((one, at) => ({
      workload: { kind: 'Deployment', namespace: 'shop', name: `w${at}` },
      from: 'east',
      to: [],
      evicted: 1000,
      ...one,
    })),
  };
  return historyVerdict(history);
}

test('an eviction is over once its task has ended or the old copy is deleted', () => {
  expect(verdictOf({ ended: 5000 }, { gone: 5000 }, {})).toBe(
    'What happened: 3 evictions of 3 workloads from east, 1 of them not over yet.',
  );
});

test('an eviction with purge mode Directly is over once it has a replacement', () => {
  const purged = { purgeMode: 'Directly', gone: 2000 } as const;
  expect(verdictOf({ ...purged, scheduled: 3000 }, purged)).toBe(
    'What happened: 2 evictions of 2 workloads from east, 1 of them not over yet.',
  );
});

test('a single state shows only evictions on record, and does not claim that there were no others', () => {
  expect(verdictOf()).toBe('What happened: nothing was evicted.');
  expect(verdict(false, [])).toBe('What happened: no eviction is on record.');
  expect(verdict(false, [{}])).toBe('What happened: 1 eviction of 1 workload from east is still on record.');
});
