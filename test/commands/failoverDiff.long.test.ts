import { describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json, run } from './cli.ts';
import { breaches } from './schema.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const diff = ['failover', 'diff', '--state', 'examples/shop'];

interface Document {
  differs: boolean;
  items: { scenario: string; workload: { name: string }; kinds: string[]; from: never; to: never }[];
  settings: { name: string; from: unknown; to: unknown }[];
  defaultTolerations?: string;
}

function document(...more: string[]): { code: number | null; answer: Document } {
  const { code, stdout, stderr } = run([...diff, ...more, '-o', 'json']);
  if (stdout === '') throw new Error(stderr);
  return { code, answer: JSON.parse(stdout) as Document };
}

describe('failover diff', () => {
  test('finds no difference between equal sides, and exits with 0', () => {
    const { code, answer } = document();
    expect({ code, differs: answer.differs, items: answer.items }).toEqual({
      code: 0,
      differs: false,
      items: [],
    });
    expect(breaches('failover-diff', answer)).toBe('');
  });

  test('reports earlier moves, missing tolerations and unknown flags after an upgrade', () => {
    const { code, answer } = document('--from', 'v1.13', '--to', 'v1.18');
    expect(code).toBe(1);
    expect(breaches('failover-diff', answer)).toBe('');
    expect(
      answer.items.find(
        ({ scenario, workload }) => scenario === 'frankfurt fails' && workload.name === 'search',
      ),
    ).toMatchObject({
      kinds: ['sooner', 'misses less'],
      from: { outcome: 'moves' },
      to: { outcome: 'moves' },
    });
    expect(answer.defaultTolerations).toBe('no longer added');
    expect(answer.settings).toContainEqual(
      expect.objectContaining({ name: 'failover-eviction-timeout', from: '5m', to: null }),
    );
  });

  test('reports only workloads that wait for a changed flag, and how to keep its value', () => {
    const { code, answer } = document('--assume-to', 'graceful-eviction-timeout=3m', '--fail', 'frankfurt');
    expect(code).toBe(1);
    expect(answer.items.map(({ workload, kinds }) => [workload.name, kinds])).toEqual([
      ['session-cache', ['misses less']],
    ]);
    expect(answer.settings).toEqual([
      {
        name: 'graceful-eviction-timeout',
        component: 'karmada-controller-manager',
        from: '10m',
        to: '3m',
      },
    ]);
  });

  test('accepts a patch of failover explain', () => {
    const file = join(temporaryFolder('diff-'), 'patch.json');
    const target = { kind: 'PropagationPolicy', namespace: 'shop', name: 'search' };
    const merge = { spec: { placement: { clusterTolerations: [{ operator: 'Exists' }] } } };
    writeFileSync(file, JSON.stringify([{ target, merge }]));
    const { answer } = document('--apply-to', file, '--fail', 'frankfurt');
    expect(answer.items).toContainEqual(
      expect.objectContaining({
        workload: { kind: 'Deployment', namespace: 'shop', name: 'search' },
        to: expect.objectContaining({ outcome: 'tolerates' }),
      }),
    );
  });

  test.each([
    [
      'a patch',
      '[{"target":{"kind":"PropagationPolicy","namespace":"shop","name":"search"},"merge":{"spec":{"placement":{"clusterTolerations":[{"operator":"Exists"}]}}}}]',
    ],
    [
      'a manifest',
      '{"apiVersion":"policy.karmada.io/v1alpha1","kind":"PropagationPolicy","metadata":{"namespace":"shop","name":"search"},"spec":{"resourceSelectors":[{"apiVersion":"apps/v1","kind":"Deployment","name":"search"}],"placement":{"clusterTolerations":[{"operator":"Exists"}]}}}',
    ],
  ])('reads %s from stdin', (_, stdin) => {
    const { code, stderr } = run([...diff, '--apply-to', '-', '--fail', 'frankfurt', '-o', 'name'], {
      stdin,
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  test.each([
    [
      '{"target":{"kind":"PropagationPolicy","namespace":"shop","name":"search"},"merge":null}',
      'patch 1.merge: null',
    ],
    ['[{"target":{"kind":"Cluster","name":"dublin"},"patch":{"spec":{}}}]', 'patch 1.merge'],
    ['[{"target":{"kind":"Cluster","name":"dublin"},"merge":{"metadata":null}}]', 'metadata is missing'],
    [
      '{"target":{"kind":"Cluster","name":"dublin"},"merge":{"metadata":{"name":"x"}}}',
      'another object, Cluster x',
    ],
    [
      '{"target":{"kind":"Cluster","name":"dublin"},"merge":{"status":5}}',
      'Cluster dublin: status: 5 is a number',
    ],
    [
      '{"target":{"kind":"ResourceBinding","namespace":"shop","name":"search-deployment"},"merge":{"spec":null}}',
      'ResourceBinding shop/search-deployment: spec: is missing',
    ],
    ['{"target":{"merge":', 'not valid JSON'],
    ['[]', 'holds neither a manifest nor a patch'],
    [
      '{"kind":"Explanation","changes":{"items":[{"patches":[{"merge":{}}]}]}}',
      "-o jsonpath='{.changes.items[0].patches}'",
    ],
  ])('refuses the patch %s in one line with its file', (text, words) => {
    const file = join(temporaryFolder('diff-'), 'patch.json');
    writeFileSync(file, text);
    const { code, stdout, stderr } = run([...diff, '--apply-to', file, '--fail', 'frankfurt']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n').at(-1)).toContain(`--apply-to ${file}`);
    expect(stderr).toContain(words);
  });

  test('applies an assumption only to versions that have the setting, and reports that', () => {
    const { code, stdout, stderr } = run([
      ...diff,
      ...['--from', 'v1.13', '--to', 'v1.18', '--assume', 'failover-eviction-timeout=3m', '--fail', 'oregon'],
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/failover-eviction-timeout=3m .*cannot be kept: v1.18 does not know it/);
    expect(stderr).not.toContain('--assume failover-eviction-timeout=3m');
    const back = ['--from', 'v1.18', '--to', 'v1.13', '--assume', 'failover-eviction-timeout=3m'];
    expect(run([...diff, ...back, '--fail', 'oregon']).stderr).toContain(
      '--assume failover-eviction-timeout=3m: v1.18 does not know it',
    );
  });

  test('applies the assumptions of each scenario to its side', () => {
    const folder = temporaryFolder('diff-');
    const [on, off] = ['true', 'false'].map((failover) => {
      const file = join(folder, `${failover}.yaml`);
      writeFileSync(
        file,
        `assume: {featureGates: {Failover: ${failover}}}\nevents: [{at: 0s, fail: frankfurt}]\n`,
      );
      return file;
    });
    const { answer } = document('--scenario', on!, '--scenario-to', off!);
    expect(answer.items).toContainEqual(
      expect.objectContaining({
        workload: { kind: 'Deployment', namespace: 'shop', name: 'search' },
        from: expect.objectContaining({ outcome: 'moves' }),
        to: expect.objectContaining({ outcome: 'stays' }),
      }),
    );
    expect(run([...diff, '--scenario', on!, '--scenario-to', off!]).stdout).toContain(`with ${off}`);
    expect(document('--scenario', off!, '--to', 'v1.13').answer.items).toEqual([]);
  });

  test('applies an assumption of a scenario only to versions that have the setting, and reports that', () => {
    const file = join(temporaryFolder('diff-'), 'scenario.yaml');
    writeFileSync(
      file,
      'assume: {controllerManager: {resource-eviction-rate: 1}}\nevents: [{at: 0s, fail: oregon}]\n',
    );
    const { code, stdout } = run([...diff, '--scenario', file, '--to', 'v1.13']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/resource-eviction-rate=1 .*cannot be kept: v1.13 does not know it/);
  });

  test('names a scenario by the events of each side', () => {
    const file = join(temporaryFolder('diff-'), 'scenario.yaml');
    writeFileSync(file, 'events: [{at: 0s, fail: frankfurt}]\n');
    const title = (...more: string[]) =>
      (document(...more).answer as unknown as { scenarios: { title: string }[] }).scenarios.at(-1)!.title;
    expect(title('--scenario', file, '--to', 'v1.13')).toBe('frankfurt fails');
    expect(title('--scenario-to', file)).toBe('nothing happens → frankfurt fails');
    expect(title('--scenario-to', file, '--fail', 'dublin')).toBe(
      'dublin fails → frankfurt fails, dublin fails',
    );
  });

  test('simulates no event if a scenario has only an end', () => {
    const file = join(temporaryFolder('diff-'), 'scenario.yaml');
    writeFileSync(file, 'until: 1h\n');
    const { code, stdout } = run([...diff, '--scenario', file, '--to', 'v1.17']);
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(2, 5)).toEqual([
      expect.stringMatching(/^kubectl karmada-failover simulate --scenario=\S+ --karmada-version=v1.17 /),
      '',
      'No workload ends differently if nothing happens.',
    ]);
  });

  test('reports no difference in the first line', () => {
    const { stdout } = run([...diff, '--to', 'v1.18.2']);
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      'v1.18.2 → v1.18.2: no difference in 5 scenarios.',
      '',
      'kubectl karmada-failover audit --karmada-version=v1.18.2 --state=examples/shop',
      '',
      'No workload ends differently if nothing happens or one of 4 clusters fails.',
    ]);
  });

  test('names default tolerations in the first line if only they differ', () => {
    const { code, stdout } = run([...diff, '--from', 'v1.14.10', '--to', 'v1.15.0', '--until', '1s']);
    expect(code).toBe(1);
    expect(stdout.split('\n')[0]).toBe(
      'v1.14.10 → v1.15.0: no difference in 5 scenarios; default tolerations are no longer added.',
    );
  });

  test('converts the ClusterTaintPolicies for the proposal, and reports that', () => {
    const argv = [...diff, '--to', 'proposal', '--fail', 'frankfurt'];
    const { stdout, stderr } = run(argv);
    expect(stdout).toContain(
      'in the form of proposal, as taint-policy convert writes it: evict-when-not-ready,',
    );
    expect(stdout).toContain('nothing happens');
    expect(stdout).not.toContain('unknown [');
    expect(stderr).not.toContain('left out: evict-when-not-ready');
    const { answer } = document('--to', 'proposal', '--fail', 'frankfurt');
    expect(breaches('failover-diff', answer)).toBe('');
    // its policy has failover.cluster, so the design moves it, one after another
    expect(answer.items.find(({ workload }) => workload.name === 'storefront')).toMatchObject({
      kinds: ['later', 'misses more'],
      to: { outcome: 'moves', certainty: 'certain' },
    });
    expect(stdout).toMatch(/^shop\/deploy\/storefront +moves +39s → 52s .* 4 for 1m11s → 4 for 1m24s/m);
    expect(answer).toMatchObject({
      converted: [
        { side: 'to', policy: 'evict-when-not-ready', differs: ['removal'] },
        { side: 'to', policy: 'evict-when-unreachable', differs: ['removal'] },
      ],
    });
  });

  test('shows for the proposal what simulate, explain, status, audit and drain show for it', () => {
    const { answer } = document('--to', 'proposal', '--fail', 'frankfurt');
    const proposal = ['--karmada-version', 'proposal', '--state', 'examples/shop'];
    const simulated = json(['failover', 'simulate', '--fail', 'frankfurt', ...proposal]) as unknown as {
      workloads: { workload: { name: string }; outcome: string; certainty: string; after: object[] }[];
    };
    const items = answer.items as unknown as { scenario: string; workload: { name: string }; to: object }[];
    const ofDiff = items.filter(({ scenario }) => scenario !== 'nothing happens');
    expect(ofDiff.length).toBeGreaterThan(0);
    for (const { workload, to } of ofDiff) {
      const [one] = simulated.workloads.filter(({ workload: { name } }) => name === workload.name);
      const { outcome, certainty, after } = one!;
      expect(to).toMatchObject({ outcome, certainty, after });
    }
    for (const command of [
      'failover simulate --fail frankfurt',
      'failover explain shop/deploy/storefront --if-fails frankfurt',
      'failover status',
      'failover audit',
      'drain frankfurt --dry-run --allow-blocked',
      'doctor',
    ]) {
      const { stdout, stderr } = run([...command.split(' '), ...proposal]);
      expect(stdout).toContain('ClusterTaintPolicies=converted');
      expect(stderr).not.toContain('left out: evict-when-not-ready');
    }
  });

  test('marks uncertain results with their possible ends', () => {
    const { answer } = document('--from', 'v1.13', '--to', 'v1.18', '--fail', 'frankfurt');
    const of = (name: string) => answer.items.find(({ workload }) => workload.name === name)!;
    expect(of('cart').from).toMatchObject({
      certainty: 'estimate',
      dependsOn: expect.arrayContaining([expect.stringContaining('breaks a tie')]),
      possibleEnds: [expect.any(Array), expect.any(Array)],
    });
    expect(of('ledger').from).toMatchObject({ certainty: 'certain' });
    const { stdout } = run([...diff, '--from', 'v1.13', '--to', 'v1.18', '--fail', 'frankfurt']);
    expect(stdout).toMatch(/shop\/deploy\/cart +moves\? .* may end on .* or on .*estimate \[1\]/);
    expect(stdout).toContain('\n[1] depends on ');
  });

  test('lists the assumptions of the first side', () => {
    const { answer } = document('--to', 'v1.13', '--fail', 'oregon', '--ready-after', '0s');
    const { assumptions } = answer as unknown as { assumptions: object[] };
    expect(assumptions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'now', value: '2026-09-01T09:30:00Z' }),
        expect.objectContaining({ name: 'Failover', value: true }),
        { name: 'workloadReadyAfter', value: '0s', source: 'given', assumed: true },
      ]),
    );
  });

  test('ends each failure scenario at --until', () => {
    expect(document('--to', 'v1.13', '--until', '20s').answer.items).toEqual([]);
  });

  test('reports an unreadable scenario with its flag', () => {
    const { code, stderr } = run([...diff, '--scenario-to', 'nowhere.yaml']);
    expect(code).toBe(2);
    expect(stderr).toContain('--scenario-to nowhere.yaml: no such file');
  });

  test('lists settings that a downgrade cannot keep, without unknown gates that are off', () => {
    const { stdout } = run([...diff, '--to', 'v1.13', '--fail', 'oregon']);
    expect(stdout).toContain('cannot be kept: v1.13 does not know it');
    expect(stdout).not.toContain('WorkloadAffinity=false');
  });

  test('lists a gate that is on by default only in the second version', () => {
    const { answer } = document('--from', 'v1.11', '--to', 'v1.18', '--fail', 'oregon');
    expect(answer.settings).toContainEqual(
      expect.objectContaining({ name: 'StatefulFailoverInjection', from: false, to: true }),
    );
  });

  test('marks downtime that continues at the end of the simulation', () => {
    const { stdout } = run([
      ...diff,
      ...['--assume-to', 'Failover=false', '--fail', 'frankfurt', '--until', '50s'],
    ]);
    expect(stdout).toContain('6 at the end');
  });

  test('ignores differences of a few seconds, which are within the accuracy of a simulation', () => {
    const { answer } = document('--from', 'v1.18.1', '--to', 'v1.18.2', '--fail', 'frankfurt');
    expect(answer.items).toEqual([]);
  });

  test('warns if both sides are equal', () => {
    expect(run(diff).stderr).toContain('warning: both sides are the same; give the second one --to VERSION');
  });

  test.each([
    [['--assume', 'Failover=maybe'], '--assume: Failover: "maybe" is not true or false'],
    [['--assume', 'NoSuchGate=true'], '--assume: '],
    [['--assume-to', 'NoSuchGate=true'], '--assume-to: '],
    [['--from', 'banana'], '--from "banana" is not a version'],
    [['--to', 'banana'], '--to "banana" is not a version'],
    [['--assume-to', 'NoSuchGate=true'], 'NoSuchGate'],
    [['--apply-to', 'no-such-file.yaml'], '--apply-to no-such-file.yaml'],
    [['--from', 'v1.13', '--karmada-version', 'v1.14'], '--from and --karmada-version'],
    [['--fail', 'nowhere'], 'nowhere'],
  ])('refuses %j in one line', (more, words) => {
    const { code, stdout, stderr } = run([...diff, ...more]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n').at(-1)).toContain(words);
  });
});

test('failover diff reports a flag without effect in the second version', () => {
  const argv = ['failover', 'diff', '--state', 'examples/shop', '--from', 'v1.18', '--to', 'proposal'];
  const given = ['--assume', 'graceful-eviction-timeout=3m'];
  const { stdout, stderr } = run([...argv, ...given]);
  expect(stderr).not.toContain('graceful-eviction-timeout=3m');
  expect(stdout).toMatch(/graceful-eviction-timeout=3m .*cannot be kept: proposal accepts it without effect/);
  expect(stdout).toMatch(/enable-taint-manager=true .*cannot be kept: proposal does not know it/);
});
