import { expect, test } from '@jest/globals';
import type { EvictionTaskExplanation } from '../../../src/analysis/explanation/tasks/evictionTask.ts';
import type { EvictionTaskChange } from '../../../src/analysis/explanation/tasks/evictionTaskChanges.ts';
import { evictionTaskChanges } from '../../../src/views/eviction/evictionChanges.ts';
import { breaches } from '../../commands/schema.ts';
import { answerText } from '../shownText.ts';

const NOW = Date.parse('2026-09-01T09:32:00Z');
const options = { wide: false, noHeaders: true };

const task = (more: Partial<EvictionTaskExplanation> = {}): EvictionTaskExplanation => ({
  binding: { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' },
  workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'cart' },
  fromCluster: 'member1',
  toClusters: [{ name: 'member2', replicas: 3, health: 'Unhealthy', stale: false }],
  replicas: 3,
  purgeMode: 'Gracefully',
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
  createdAt: '2026-09-01T09:31:00Z',
  ageSeconds: 60,
  deadline: '2026-09-01T09:41:00Z',
  waitingFor: 'member2 to be Healthy (Unhealthy)',
  atDeadline: 'moved',
  outcome: 'moves',
  endsAt: null,
  after: [],
  certainty: 'certain',
  dependsOn: [],
  consequence: 'the copy on member1 is deleted; member2 keeps running',
  verdict: 'waiting',
  fromHealth: 'Healthy',
  staleHealth: [],
  evidence: [],
  ...more,
});

test('a change is a row of the task table', () => {
  const { answer } = evictionTaskChanges('v1.18');
  expect(answerText(answer([{ type: 'ADDED', task: task() }], NOW), { ...options, noHeaders: false })).toBe(
    [
      'WORKLOAD           FROM      TO          MODE         AGE   DEADLINE   OUTCOME   VERDICT',
      'shop/deploy/cart   member1   member2×3   Gracefully   1m    in 9m      moves     waits for member2 to be Healthy (Unhealthy)',
    ].join('\n'),
  );
});

test.each([
  ['let-go', 'ended, the old copy on member1 is deleted'],
  ['returned', 'ended, it is back on member1'],
  ['deleted', 'ended, the binding is gone'],
] as const)('the last row of a task shows its end: %s', (ended, text) => {
  const { answer } = evictionTaskChanges('v1.18');
  expect(answerText(answer([{ type: 'DELETED', task: task(), ended }], NOW + 30_000), options)).toBe(
    `shop/deploy/cart   member1   member2×3   Gracefully   1m30s   -   -   ${text}`,
  );
});

test('a table omits changes that affect only the age', () => {
  const { visible } = evictionTaskChanges('v1.18');
  const shown = (change: EvictionTaskChange) => visible([change], false).length > 0;
  expect(shown({ type: 'ADDED', task: task() })).toBe(true);
  expect(shown({ type: 'MODIFIED', task: task({ ageSeconds: 90, fromHealth: 'Unknown' }) })).toBe(false);
  expect(shown({ type: 'MODIFIED', task: task({ deadline: '2026-09-01T09:51:00Z' }) })).toBe(true);
  expect(shown({ type: 'DELETED', task: task(), ended: 'let-go' })).toBe(true);
  expect(shown({ type: 'ADDED', task: task() })).toBe(true);
});

test('the document of a change matches its schema', () => {
  const { document } = evictionTaskChanges('v1.18');
  const change: EvictionTaskChange = { type: 'DELETED', task: task(), ended: 'returned' };
  expect(document(change, NOW)).toMatchObject({ kind: 'EvictionTaskChange', time: '2026-09-01T09:32:00Z' });
  expect(breaches('eviction-task-change', document(change, NOW))).toBe('');
  expect(breaches('eviction-task-change', document({ type: 'ADDED', task: task() }, NOW))).toBe('');
});
