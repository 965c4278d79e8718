import { expect, test } from '@jest/globals';
import { eventWords } from '../../../src/views/words/timelineEvent.ts';

test('a placement is shown with its clusters, as "nowhere" without clusters, and as a reschedule if they are unknown', () => {
  const object = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };
  const placed = { time: 0, controller: 'scheduler', type: 'Scheduled' as const, object, evidence: [] };
  const words = (clusters?: { name: string; replicas?: number }[]) =>
    eventWords({ ...placed, ...(clusters ? { clusters } : {}) });
  expect(words([{ name: 'west', replicas: 2 }])).toBe('placed on west×2');
  expect(words([])).toBe('placed on no cluster');
  expect(words()).toBe('rescheduled');
});
