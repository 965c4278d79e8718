import { expect, test } from '@jest/globals';
import type { HistoryEvent } from '../../../src/analysis/history/history.ts';
import { timelineRows } from '../../../src/views/timeline/timelineRows.ts';

const object = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart' };
const failed = (time: number, message = 'work is being deleted'): HistoryEvent => ({
  time,
  type: 'WorksFailed',
  controller: 'binding-controller',
  object,
  message,
});
const placed = (time: number): HistoryEvent => ({
  time,
  type: 'Scheduled',
  controller: 'scheduler',
  object,
  clusters: [{ name: 'east', replicas: 1 }],
});

test('repeated identical failures share a row until another event', () => {
  const events = [
    failed(1000),
    failed(2000),
    failed(9000),
    failed(9500, 'no space'),
    placed(10_000),
    failed(11_000),
  ];
  const lines = timelineRows(events, true);
  expect(lines.map(({ time, until, words }) => [time, until, /\d+ times/.exec(words)?.[0]])).toEqual([
    [1000, 9000, '3 times'],
    [9500, 9500, undefined],
    [10_000, 10_000, undefined],
    [11_000, 11_000, undefined],
  ]);
});

test('repeated successes have a row each', () => {
  expect(timelineRows([placed(1000), placed(2000)], true)).toHaveLength(2);
});
