import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, run } from './cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'saved-'));
afterAll(() => rmSync(folder, { recursive: true }));
const saved = join(folder, 'saved.json');
const scenario = join(folder, 'scenario.yaml');
writeFileSync(
  scenario,
  `start: 2026-09-01T09:31:00Z
assume:
  featureGates: { Failover: true }
  controllerManager: { enable-no-execute-taint-eviction: true, resource-eviction-rate: 0.2 }
  workloadReadyAfter: 12s
events:
  - at: 10s
    fail: frankfurt
  - at: 5m
    recover: frankfurt
`,
);

/** session-cache moves back and forth forever: its tolerance for Unhealthy is shorter than its start. */
const flapping = join(folder, 'flapping.yaml');
writeFileSync(
  flapping,
  `events:
  - at: 0s
    patch:
      kind: ResourceBinding
      namespace: data
      name: session-cache-statefulset
      merge: {spec: {propagateDeps: true, failover: {application: {decisionConditions: {tolerationSeconds: 3}, purgeMode: Gracefully, gracePeriodSeconds: 2}}}}
  - at: 2s
    health: {kind: StatefulSet, namespace: data, name: session-cache, cluster: frankfurt, status: Unhealthy}
`,
);

interface Answer {
  start: string;
  end: string;
  events: { time: string; offsetSeconds: number }[];
  workloads: { name: string; after: unknown; evicting: unknown }[];
}

function simulate(...args: string[]): Answer {
  const { stdout, stderr, code } = run(['failover', 'simulate', ...args, '--timeline', '-o', 'json']);
  expect({ stderr: stderr.replaceAll(/^warning: .*\n/gm, ''), code }).toEqual({ stderr: '', code: 0 });
  return JSON.parse(stdout) as Answer;
}

const ends = ({ workloads }: Answer) =>
  workloads.map(({ name, after, evicting }) => ({ name, after, evicting }));
/** Offsets are from the start of each. */
const steps = ({ events }: Answer) => events.map(({ offsetSeconds: _, ...event }) => event);
const begun = ['--state', 'examples/shop', '--scenario', scenario, '--karmada-version', 'v1.17.3'];

describe('a state saved in the middle of a simulation', () => {
  const whole = simulate(...begun);
  const first = simulate(...begun, '--until', '90s', '--save-state', saved);

  test('continues with the same steps as one simulation, with the same assumptions', () => {
    const second = simulate('--state', saved);
    expect(second.start).toBe(first.end);
    expect([...steps(first), ...steps(second)]).toEqual(steps(whole));
    expect(ends(second)).toEqual(ends(whole));
  });

  test('ignores past events if the scenario is given again', () => {
    expect(simulate('--state', saved, '--scenario', scenario).events).toEqual(
      simulate('--state', saved).events,
    );
  });

  test.each([
    [['failover', 'status', '-o', 'json']],
    [['failover', 'status', 'frankfurt']],
    [['failover', 'explain', 'deployment/cart', '-n', 'shop']],
    [['eviction', 'inspect', '-o', 'json']],
    [['drain', 'dublin', '--dry-run', '-o', 'json']],
  ])('is accepted by %p', (command) => {
    const { stdout, stderr, code } = run([...command, '--state', saved]);
    expect({ stderr, known: [0, 1].includes(code ?? -1) }).toEqual({ stderr: '', known: true });
    expect(stdout.length).toBeGreaterThan(100);
  });

  test('is titled as a continued simulation', () => {
    const { stdout } = run(['failover', 'simulate', '--state', saved]);
    expect(stdout).toMatch(/^The saved simulation, continued: /);
    expect(stdout).toContain('frankfurt recovers');
  });

  test('has the same outcomes in eviction inspect as in failover simulate', () => {
    const inspected = json(['eviction', 'inspect', 'sts/ledger', '--state', saved]);
    const { workloads } = json(['failover', 'simulate', '--state', saved]) as unknown as {
      workloads: Record<'name' | 'outcome' | 'after' | 'certainty' | 'deletedReady', unknown>[];
    };
    const ledger = workloads.find(({ name }) => name === 'ledger')!;
    const { outcome, after, certainty, deletedReady } = ledger;
    expect(outcome).toBe('restarted');
    expect(inspected).toMatchObject({
      items: [{ outcome, after, certainty, deletedReady, atDeadline: 'restarted' }],
    });
  });

  test('is refused if a quantity of a member is invalid', () => {
    const broken = join(folder, 'broken.json');
    const state = JSON.parse(readFileSync(saved, 'utf8')) as {
      simulation: { members: { dublin: { allocated: object } } };
    };
    state.simulation.members.dublin.allocated = { cpu: 'much' };
    writeFileSync(broken, JSON.stringify(state));
    const { stderr, code } = run(['failover', 'simulate', '--state', broken]);
    expect(stderr).toContain('simulation.members["dublin"].allocated["cpu"]: "much" is not a quantity');
    expect(code).toBe(2);
  });

  test('is refused with --at', () => {
    const { stderr, code } = run(['failover', 'simulate', '--state', saved, '--at', '2026-09-01T12:00:00Z']);
    expect(stderr).toMatch(
      /^error: --at 2026-09-01T12:00:00Z: a simulation saved this state at .*remove --at/,
    );
    expect(code).toBe(2);
  });
});

describe('a saved state with only a flapping workload', () => {
  const flaps = join(folder, 'flaps.json');
  const { stdout: reported } = run([
    ...['failover', 'simulate', '--state', 'examples/shop', '--scenario', flapping],
    ...['--until', '60s', '--save-state', flaps],
  ]);

  test('continues to flap: another round is simulated, with its downtime', () => {
    expect(reported).toMatch(/flaps\?? +data\/sts\/session-cache /);
    const { events, workloads } = simulate('--state', flaps) as unknown as {
      events: { type: string }[];
      workloads: Record<string, unknown>[];
    };
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['Evicted', 'Scheduled', 'TaskEnded']),
    );
    expect(workloads.find(({ name }) => name === 'session-cache')).toMatchObject({
      outcome: 'flaps',
      flapping: { cause: 'ApplicationFailure' },
      gap: { replicas: 3, open: true },
    });
  });

  test('is simulated to the end if another event happens', () => {
    const { stdout } = run(['failover', 'simulate', '--state', flaps, '--fail', 'virginia']);
    expect(stdout).toContain('virginia Ready=False');
    expect(stdout).toMatch(/moves\?? +shop\/deploy\/pricing /);
    const status = run(['failover', 'status', '--state', flaps, '-o', 'wide']);
    expect(status.stdout).toMatch(/virginia .* 3 move; /);
  });

  test('has repeated downtime in a drain plan, without a duration', () => {
    const { stdout } = run(['drain', 'frankfurt', '--dry-run', '--state', flaps]);
    expect(stdout).toContain('data/statefulset/session-cache (3, again and again)');
    expect(stdout).not.toContain('for 1d');
  });

  test('has repeated downtime in an explanation', () => {
    const { stdout } = run(['failover', 'explain', 'sts/session-cache', '--state', flaps]);
    expect(stdout).toContain(': flaps');
    expect(stdout).not.toContain('keep running.');
  });
});

test('a failure long after a workload begins to flap is simulated to its end', () => {
  const { stdout } = run([
    ...['failover', 'simulate', '--state', 'examples/shop', '--scenario', flapping],
    ...['--fail', 'virginia@5m'],
  ]);
  expect(stdout).toContain('virginia Ready=False');
  expect(stdout).toMatch(/flaps\?? +data\/sts\/session-cache .*3, again and again/);
  expect(stdout).toMatch(/moves\?? +shop\/deploy\/pricing /);
});

test.each([
  [
    '/nowhere/at/all.json',
    '/nowhere/at/all.json cannot be written: no such file or directory; check the path',
  ],
  [folder, `${folder} cannot be written: is a directory; name a file in it`],
  ['-', '--save-state -: name a file; the answer goes to stdout'],
])('a state that cannot be saved in %s causes a one-line error', (file, words) => {
  const { stdout, stderr, code } = run([
    ...['failover', 'simulate', '--state', 'examples/shop', '--fail', 'dublin', '--save-state', file],
  ]);
  expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: `error: ${words}\n`, code: 2 });
});
