import { expect, test } from '@jest/globals';
import type {
  ClusterStatus,
  FailoverStatus,
  FailoverStatusChange,
} from '../../../src/analysis/explanation/failoverStatus.ts';
import { failoverStatusChanges } from '../../../src/views/status/failoverStatusChanges.ts';
import { answerText } from '../shownText.ts';
import { breaches } from '../../commands/schema.ts';

const NOW = Date.parse('2026-09-01T09:32:00Z');
const options = { wide: false, noHeaders: false };
const failover: FailoverStatus['failover'] = {
  state: 'on',
  certainty: 'certain',
  reasons: [],
  uncovered: [],
};

const cluster = (more: Partial<ClusterStatus> = {}): ClusterStatus => ({
  name: 'member1',
  ready: { status: 'True', since: '2026-09-01T09:00:00Z' },
  syncMode: 'Push',
  deleting: false,
  taints: [],
  headroom: [],
  workloads: 2,
  replicas: 5,
  evicting: 0,
  ifItFails: { moves: 2 },
  uncertainIfItFails: 0,
  costIfItFails: null,
  rank: null,
  ...more,
});
const added: FailoverStatusChange = { type: 'ADDED', failover, cluster: cluster() };
const modified = (more: Partial<ClusterStatus>): FailoverStatusChange => ({
  type: 'MODIFIED',
  failover,
  cluster: cluster(more),
});

function begin() {
  const status = { failover, trouble: [], taintRules: [], clusters: [cluster()] };
  return failoverStatusChanges({
    status,
    switches: [{ name: 'Failover', value: true, source: '--assume', assumed: true }],
    assumptions: [],
    karmadaVersion: 'v1.18',
    forecast: true,
  });
}

test('a watch first shows the whole status, then aligned table rows and changed verdicts', () => {
  const { answer } = begin();
  const text = (...changes: FailoverStatusChange[]) => answerText(answer(changes, NOW), options).split('\n');
  const first = text({ type: 'ADDED', failover, cluster: null }, added);
  expect(first[0]).toBe('Cluster failover is on: workloads leave a cluster that fails.');
  expect(first).toContainEqual(expect.stringMatching(/^--assume +Failover=true$/));
  expect(first.slice(-3)).toEqual([
    '',
    'CLUSTER   READY   WORKLOADS   REPLICAS   EVICTING   IF IT FAILS   TAINTS',
    'member1   True    2           5          0          2 move        -',
  ]);
  expect(text(modified({ ready: { status: 'False' }, evicting: 1 }))).toEqual([
    'member1   False   2           5          1          2 move        -',
  ]);
  const off: typeof failover = { ...failover, state: 'off', reasons: ['the gate is off'] };
  expect(
    text({ type: 'MODIFIED', failover: off, cluster: null }, { ...added, type: 'DELETED', failover: off }),
  ).toEqual([
    'Cluster failover is off: workloads stay on a cluster that fails.',
    '- the gate is off',
    'member1   gone    2           5          0          2 move        -',
  ]);
});

test('with --no-headers only rows of clusters are printed', () => {
  const { answer } = begin();
  const changes = [{ type: 'ADDED', failover, cluster: null } as const, added];
  expect(answerText(answer(changes, NOW), { ...options, noHeaders: true })).toBe(
    'member1   True   2   5   0   2 move   -',
  );
});

test('a table omits changes of fields without a column, and of the age', () => {
  const { visible } = begin();
  const shown = (change: FailoverStatusChange, wide = false) => visible([change], wide).length > 0;
  expect(shown(added)).toBe(true);
  expect(shown(modified({ ready: { status: 'True', message: 'is ready' } }))).toBe(false);
  expect(shown(modified({ region: 'europe' }))).toBe(false);
  expect(shown(modified({ region: 'europe' }), true)).toBe(true);
  expect(shown(modified({ ifItFails: { moves: 1, lost: 1 } }))).toBe(true);
  expect(shown({ ...added, type: 'DELETED' })).toBe(true);
  expect(shown(added)).toBe(true);
});

test('the document of a change matches its schema', () => {
  const { document, answer } = begin();
  const verdict: FailoverStatusChange = { type: 'ADDED', failover, cluster: null };
  expect(document(added, NOW)).toMatchObject({ kind: 'FailoverStatusChange', time: '2026-09-01T09:32:00Z' });
  expect(breaches('failover-status-change', document(added, NOW))).toBe('');
  expect(breaches('failover-status-change', document(verdict, NOW))).toBe('');
  expect(answer([verdict, added], NOW).names()).toEqual(['cluster.cluster.karmada.io/member1']);
});
