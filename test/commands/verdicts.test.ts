import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './cli.ts';

// What an operator reads: the five commands run one after another on the same state in the middle of an incident.

interface Verdict {
  name: string;
  outcome: string;
  after: { name: string; replicas?: number }[];
  certainty: string;
}

const folder = mkdtempSync(join(tmpdir(), 'verdicts-'));
const saved = join(folder, 'after-100s.json');
beforeAll(() => {
  const story = ['--state', 'examples/shop', '--fail', 'frankfurt', '--recover', 'frankfurt@40s'];
  const { code } = run(['failover', 'simulate', ...story, '--until', '100s', '--save-state', saved]);
  expect(code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The document of a command, whatever its exit code. */
const answer = (argv: string[]) => JSON.parse(run([...argv, '-o', 'json']).stdout) as Record<string, unknown>;

const placed = (after: Verdict['after']) =>
  after.map(({ name, replicas = 0 }) => `${name}×${replicas}`).sort();
const verdict = ({ outcome, after }: Pick<Verdict, 'outcome' | 'after'>) => [outcome, ...placed(after)];

describe.each([
  ['examples/incident', () => 'examples/incident'],
  ['a saved state after a recovery', () => saved],
])('commands about %s', (_, state) => {
  const reported = () =>
    new Map(
      (answer(['failover', 'simulate', '--state', state()])['workloads'] as Verdict[]).map((one) => [
        one.name,
        one,
      ]),
    );

  test('inspect and simulate agree on the outcome and its deadline', () => {
    const workloads = reported();
    const items = answer(['eviction', 'inspect', '--state', state()])['items'] as (Verdict & {
      workload: { name: string };
      verdict: string;
      deadline: string | null;
    })[];
    expect(items.length).toBeGreaterThan(3);
    const { events } = answer(['failover', 'simulate', '--state', state()]) as unknown as {
      events: { type: string; time: string; object: { name: string } }[];
    };
    for (const { workload, verdict: stands, deadline, ...item } of items) {
      expect([workload.name, ...verdict(item)]).toEqual([
        workload.name,
        ...verdict(workloads.get(workload.name)!),
      ]);
      const ended = events.find(
        ({ type, object }) => type === 'TaskEnded' && object.name.startsWith(`${workload.name}-`),
      );
      if (stands === 'held') expect([deadline, ended]).toEqual([null, undefined]);
      else expect(Date.parse(ended!.time)).toBeLessThanOrEqual(Date.parse(deadline!) + 3000);
    }
  });

  test.each(['pricing', 'ledger'])(
    'explain and simulate agree on the outcome and certainty of %s',
    (name) => {
      const kind = name === 'ledger' ? 'statefulset' : 'deployment';
      const explained = answer(['failover', 'explain', `${kind}/${name}`, '--state', state()]);
      const one = explained['verdict'] as Verdict;
      const simulated = reported().get(name)!;
      expect([...verdict(one), one.certainty]).toEqual([...verdict(simulated), simulated.certainty]);
    },
  );

  test('status and simulate agree on the outcomes of a failed cluster', () => {
    const status = answer(['failover', 'status', '--state', state()])['clusters'] as {
      name: string;
      ifItFails: Record<string, number>;
    }[];
    const failed = answer(['failover', 'simulate', '--fail', 'dublin', '--state', state()]);
    const counts: Record<string, number> = {};
    for (const { before, outcome } of failed['workloads'] as (Verdict & { before: Verdict['after'] })[])
      if (before.some(({ name }) => name === 'dublin')) counts[outcome] = (counts[outcome] ?? 0) + 1;
    expect(status.find(({ name }) => name === 'dublin')!.ifItFails).toEqual(counts);
  });
});

test.each(['evict', 'taint'])('drain --method=%s and simulate agree on evictions in flight', (method) => {
  const state = ['--state', 'examples/incident'];
  const plan = answer(['drain', 'frankfurt', '--dry-run', '--method', method, ...state]);
  const planned = (plan['workloads'] as (Verdict & { fate: string; before: Verdict['after'] })[]).filter(
    ({ before }) => !before.some(({ name }) => name === 'frankfurt'),
  );
  const simulated = answer(['failover', 'simulate', ...state])['workloads'] as Verdict[];
  expect(planned.map(({ name, ...one }) => [name, ...verdict(one), one.certainty])).toEqual(
    planned.map(({ name }) => {
      const one = simulated.find((other) => other.name === name)!;
      return [name, ...verdict(one), one.certainty];
    }),
  );
  expect(planned.map(({ name, fate }) => [name, fate])).toEqual([
    ['ledger', 'lost'],
    ['recommendations', 'lost'],
    ['session-cache', 'moves'],
    ['checkout', 'moves'],
    ['pricing', 'partly-moves'],
  ]);
});

test('an old copy on a cluster that is not Ready does not count as running', () => {
  const plan = (method: string, ...more: string[]) => {
    const argv = [
      'drain',
      'dublin',
      '--dry-run',
      '--method',
      method,
      '--state',
      'examples/incident',
      ...more,
    ];
    const { workloads } = JSON.parse(run([...argv, '-o', 'json']).stdout) as {
      workloads: { name: string; fate: string; outcome?: string; readyAt?: string }[];
    };
    return workloads.find(({ name }) => name === 'archive')!;
  };
  expect(plan('evict').fate).toBe('blocked');
  const tainted = plan('taint');
  expect(tainted).toMatchObject({ fate: 'lost', outcome: 'lost' });
  expect(tainted).not.toHaveProperty('readyAt');
});
