import { expect, test } from '@jest/globals';
import { stepTimes } from '../../../src/views/timeline/timelineWords.ts';

test('the end of a task is not the end of the old copy, which may be there still', () => {
  const workload = { kind: 'Deployment', namespace: 'shop', name: 'cart' };
  const course = { workload, from: 'east', to: [], evicted: 1000, ended: 4000 };
  const took = (more: object) => Object.fromEntries(stepTimes({ ...course, ...more }));
  expect(took({})).toMatchObject({ 'TO END OF TASK': '3s', 'TO OLD COPY GONE': '' });
  expect(took({ gone: 61_000 })).toMatchObject({ 'TO END OF TASK': '3s', 'TO OLD COPY GONE': '1m' });
});
