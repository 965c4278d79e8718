import { expect, test } from '@jest/globals';
import type { History } from '../../../src/analysis/history/history.ts';
import { timelineMarkdown } from '../../../src/views/timeline/timelineMarkdown.ts';
import { stepTimes } from '../../../src/views/timeline/timelineWords.ts';

test('the end of a task is separate from the deletion of the old copy', () => {
  const workload = { kind: 'Deployment', namespace: 'shop', name: 'cart' };
  const course = { workload, from: 'east', to: [], evicted: 1000, ended: 4000 };
  const took = (more: object) =>
    Object.fromEntries(stepTimes({ ...course, ...more }, { seen: true, start: 0 }));
  expect(took({})).toMatchObject({ 'TO END OF TASK': '3s', 'TO OLD COPY GONE': '' });
  expect(took({ gone: 61_000 })).toMatchObject({ 'TO END OF TASK': '3s', 'TO OLD COPY GONE': '1m' });
});

test('the duration of a step is unknown, or a lower bound, if its start was not observed', () => {
  const workload = { kind: 'Deployment', namespace: 'shop', name: 'cart' };
  const course = { workload, from: 'east', reason: 'TaintUntolerated', to: [], ended: 64_000 };
  const recorded = (more: object) =>
    Object.fromEntries(stepTimes({ ...course, ...more }, { seen: true, start: 2000 }));
  expect(recorded({})).toMatchObject({ 'TAINT TO EVICTION': 'unknown', 'TO END OF TASK': '>1m2s' });
  expect(recorded({ evicted: 5000 })).toMatchObject({ 'TAINT TO EVICTION': '>3s', 'TO END OF TASK': '59s' });
  // by an operator: no taint preceded it
  expect(recorded({ reason: 'Drain', evicted: 5000 })).toMatchObject({ 'TAINT TO EVICTION': '' });
  const placed = { to: [{ name: 'west' }], placedNow: [{ name: 'west' }] };
  expect(Object.fromEntries(stepTimes({ ...course, ...placed }, { seen: false, start: 0 }))).toMatchObject({
    'TO PLACEMENT': 'unknown',
  });
});

const workload = { kind: 'Deployment', namespace: 'shop', name: 'web' };
const gap = { replicas: 6, seconds: 600, open: true, atEnd: 3 };
const history: History = {
  seen: true,
  start: 0,
  end: 600_000,
  events: [],
  evictions: [],
  spans: [],
  doubts: [],
  workloads: [{ workload, missingReplicaMinutes: 33, gap, returns: 0 }],
  clusters: [{ name: 'east', flaps: 2 }],
};

test('a post-mortem lists downtime, flapping clusters, and assumptions', () => {
  const assumptions = [
    { name: 'karmadaVersion', value: 'v1.18', source: 'nothing says so', assumed: true },
    { name: 'Failover', value: true, source: 'given', assumed: false },
  ];
  const text = timelineMarkdown({ history, karmadaVersion: 'v1.18', single: false, assumptions });
  expect(text).toContain('| shop/deployment/web | up to 6, 3 at the end | 33 | 0 |');
  expect(text).toContain('- east became not Ready 2 times');
  expect(text).toContain('Assumed: karmadaVersion=v1.18.\n');
});
