import { expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './cli.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const simulate = ['failover', 'simulate', '--state', 'examples/shop', '--fail', 'frankfurt'];

/** The lines of the steps. */
function steps(...more: string[]): string[] {
  return run([...simulate, ...more])
    .stdout.split('\n')
    .filter((line) => /^ {2}T\+/.test(line) || /^ {20}/.test(line));
}

test.each([
  [['--recover', 'frankfurt@3m'], 'at T+3m frankfurt recovers, but has not failed by then'],
  [['--fail', 'frankfurt', '--fail', 'frankfurt@2m'], 'at T+2m frankfurt fails, but is down already'],
])('an event without effect causes a warning: %p', (flags, words) => {
  const { stderr, code } = run(['failover', 'simulate', '--state', 'examples/shop', ...flags]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: `warning: ${words}: no effect\n` });
});

test.each([
  [['--fail', 'frankfurt@1h'], 'at T+1h frankfurt fails'],
  [['--fail', 'frankfurt', '--recover', 'frankfurt@1h'], 'at T+1h frankfurt recovers'],
  [['--taint', 'frankfurt:a:NoExecute@1h'], 'at T+1h the taint of frankfurt is due'],
])('an event after --until causes a warning: %p', (flags, words) => {
  const argv = ['failover', 'simulate', '--state', 'examples/shop', ...flags, '--until', '1m'];
  expect(run(argv).stderr).toBe(`warning: ${words}, but the simulation ends at T+1m: no effect\n`);
});

test('the suggested explain command has the same failures and recoveries at the same times', () => {
  const { stdout } = run([
    ...['failover', 'simulate', '--state', 'examples/shop', '--fail', 'frankfurt@90s'],
    ...['--recover', 'frankfurt@1h'],
  ]);
  const command = stdout.split('\n').find((line) => line.startsWith('kubectl karmada-failover explain '));
  expect(command).toBe(
    'kubectl karmada-failover explain shop/deployment/recommendations --if-fails=frankfurt@1m30s --recover=frankfurt@1h --state=examples/shop',
  );
  const [verdict] = run(command!.split(' ').slice(2)).stdout.split('\n');
  expect(verdict).toMatch(
    /^Deployment shop\/recommendations, if frankfurt fails in 1m30s and frankfurt recovers in 1h: /,
  );
  const row = stdout.split('\n').find((line) => line.includes('shop/deploy/recommendations'))!;
  expect(verdict).toContain(`: ${row.split('?')[0]}`);
});

test.each([
  [[], ' --timeline -o=wide'],
  [['--timeline'], ' -o=wide'],
])('the suggested command has the same events if explain has no flags for them: %p', (given, added) => {
  const words = ['--state', 'examples/shop', '--taint', 'frankfurt:maintenance=network:NoExecute', ...given];
  const { stdout } = run(['simulate', ...words]);
  expect(stdout.split('\n')[2]).toBe(`kubectl karmada-failover simulate ${words.join(' ')}${added}`);
});

test('the suggested command fails the same group of clusters', () => {
  const next = (...line: string[]) =>
    run([...line, '--state', 'examples/shop'])
      .stdout.split('\n')
      .find((text) => text.startsWith('kubectl karmada-failover '));
  const events = ['--fail-provider', 'aws', '--fail', 'oregon@1m'];
  expect(next('simulate', ...events)).toContain(' --fail-provider=aws --if-fails=oregon@1m --state=');
  const explained = next('explain', 'shop/deploy/cart', '--fail-provider', 'aws', '--recover=dublin@1h');
  expect(explained).toContain(' simulate --fail-provider=aws --recover=dublin@1h --state=');
  expect(next('audit', '--only', 'provider')).toMatch(/ explain \S+ --fail-provider=\w+ --state=/);
});

test('events at --until are simulated', () => {
  expect(run([...simulate, '--recover', 'frankfurt@90s', '--until', '90s']).stderr).toBe('');
});

test('a partly replaced copy is reported with the clusters that replace it', () => {
  const { stdout } = run([...simulate, '--taint', 'virginia:a:NoExecute', '--until', '100s']);
  expect(stdout).toMatch(/storefront.*only oregon replaces the copies on frankfurt, virginia/);
});

test('the headline lists events in order of time', () => {
  const { stdout } = run([
    ...['failover', 'simulate', '--state', 'examples/shop'],
    ...['--fail', 'dublin@5m', '--taint', 'oregon:a:NoSchedule@1m', '--recover', 'dublin@20m'],
  ]);
  expect(stdout).toMatch(/^oregon is tainted a:NoSchedule, dublin fails, dublin recovers: /);
});

test('a workload without a ready replica at the end is down, whatever its outcome', () => {
  const both = [
    'failover',
    'simulate',
    '--state',
    'examples/shop',
    '--fail',
    'frankfurt',
    '--fail',
    'dublin',
  ];
  const { workloads } = JSON.parse(run([...both, '-o', 'json']).stdout) as {
    workloads: { name: string; outcome: string; down?: true }[];
  };
  const down = workloads.filter((one) => one.down);
  expect(down.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
    'archive tolerates',
    'ledger lost',
    'session-cache lost',
    'recommendations lost',
    'search lost',
  ]);
  const { stdout } = run(both);
  expect(stdout).toMatch(/^frankfurt fails, dublin fails: 4 lost, .* of 14 workloads; 5 down permanently\./);
  const region = run([...both.slice(0, 4), '--fail-region', 'europe', '--recover', 'dublin@1h']).stdout;
  expect(region).toMatch(/^region europe fails \(dublin, frankfurt\), dublin recovers: /);
  expect(stdout).toMatch(/tolerates .*archive .* down: tolerates, so Karmada will not move it; tolerates/);
});

test('a workload with a temporary toleration is reported as not moved yet', () => {
  const { stdout } = run([...simulate, '--until', '60s']);
  expect(stdout).toMatch(/checkout .* down: tolerates, so Karmada does not move it yet; /);
});

test('the headline reports a selection without workloads', () => {
  expect(run([...simulate, '-l', 'app=none']).stdout).toMatch(
    /^frankfurt fails: no workload matches the selection; clusters count all\.\n/,
  );
});

test('the headline omits unaffected workloads', () => {
  const shop = ['failover', 'simulate', '--state', 'examples/shop'];
  expect(run([...shop, '--recover', 'dublin@10m']).stdout).toMatch(/^With no further failures: 14 stay /);
  expect(run([...shop, '--fail', 'dublin', '--fail', 'dublin']).stdout).toMatch(/^dublin fails: /);
});

test('the headline describes a scenario file by its events', () => {
  const file = join(temporaryFolder('scenario-'), 'scenario.yaml');
  writeFileSync(
    file,
    `events:
- {at: 5m, delete: {kind: Deployment, namespace: shop, name: cart}}
- {at: 0s, fail: dublin}
- {at: 1m, patch: {kind: PropagationPolicy, namespace: shop, name: search, merge: {metadata: {labels: {a: b}}}}}
`,
  );
  const { stdout } = run(['failover', 'simulate', '--state', 'examples/shop', '--scenario', file]);
  expect(stdout).toMatch(
    /^dublin fails, PropagationPolicy shop\/search is patched, Deployment shop\/cart is deleted: /,
  );
});

test.each([
  ['file without anything', '\n', 'is empty; give manifests, or patches'],
  ['List', 'apiVersion: v1\nkind: List\nitems: []\n', 'holds neither a manifest nor a patch'],
  [
    'policy',
    'apiVersion: policy.karmada.io/v1alpha1\nkind: PropagationPolicy\nmetadata: {name: x, namespace: shop}\nspec: {resourceSelectors: [{apiVersion: v1, kind: Pod}], placement: {spreadConstraints: [{minGroups: -1}]}}\n',
    'Karmada would refuse PropagationPolicy shop/x',
  ],
])('a %s that cannot be applied is reported with its file', (_, text, words) => {
  const file = join(temporaryFolder('apply-'), 'policy.yaml');
  writeFileSync(file, text);
  for (const [command, flag] of [
    ['simulate', '--apply'],
    ['diff', '--apply-to'],
  ] as const) {
    const { code, stderr } = run(['failover', command, '--state', 'examples/shop', flag, file]);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${flag} ${file}: `);
    if (command === 'simulate') expect(stderr).toContain(words);
  }
});

test('the timeline lists steps of clusters one by one, and steps of workloads together', () => {
  expect(steps().slice(0, 6)).toEqual([
    '  T+0s      scenario                          frankfurt fails',
    '  T+35s     cluster-status                    frankfurt Ready=False (ClusterNotReachable)',
    '  T+35.1s   cluster-controller                frankfurt gets taint cluster.karmada.io/not-ready:NoSchedule',
    '  T+35.1s   cluster-taint-policy-controller   frankfurt gets taint cluster.karmada.io/not-ready:NoExecute',
    '  T+35.1s   taint-manager                     1 workload tolerating the taint for a time',
    '  T+35.1s   taint-manager                     11 workloads evicted, the last at T+1m35s',
  ]);
});

test('the timeline prints messages in the last column, so that no line is too wide', () => {
  const lines = steps('--timeline', '-o', 'wide');
  expect(lines.length).toBeGreaterThan(100);
  const words = 2 + 'T+10m35.1s'.length + 3 + 'cluster-taint-policy-controller'.length + 3;
  for (const line of lines) expect(line.slice(words)).not.toMatch(/ {4}/);
});

test('an unplaced workload is listed with the clusters that still run its old copy', () => {
  const { stdout } = run([
    ...['failover', 'simulate', '--state', 'examples/shop', '--fail', 'frankfurt', '--until', '90s'],
  ]);
  expect(stdout).toMatch(/blocked\?? +data\/sts\/ledger +frankfurt×3 +nowhere, evicting frankfurt /);
});

test('an end before the start is refused with both times', () => {
  const { code, stderr } = run([
    ...['failover', 'simulate', '--state', 'examples/shop', '--fail', 'frankfurt', '--until', '-5m'],
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain('--until -5m is before the start of the simulation, 2026-09-01T09:30:00Z');
});

test('only one flag may read stdin, which the headline calls stdin', () => {
  const state = ['--state', 'examples/shop'];
  const policy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name: 'a' },
    spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] },
  };
  const piped = { stdin: JSON.stringify(policy) };
  expect(run(['failover', 'simulate', ...state, '--apply', '-'], piped).stdout).toMatch(
    /^stdin is applied: /,
  );
  expect(run(['failover', 'simulate', '--state', '-', '--apply', '-'], piped)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: --apply - and --state -: stdin can be read only once/),
  });
});

test.each([
  ['failover', 'simulate', '--apply'],
  ['failover', 'diff', '--apply-to'],
])('%s %s warns of an unknown API field, which may be a typo', (...argv) => {
  const policy = `apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: new, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: none}]
  failover: {cluster: {pureMode: Directly}}
`;
  const { stderr, code } = run([...argv, '-', '--state', 'examples/shop', '--karmada-version', 'v1.18'], {
    stdin: policy,
  });
  expect(code).toBe(0);
  expect(stderr).toContain(
    'PropagationPolicy shop/new: v1.18 has no field spec.failover.cluster.pureMode; dropped here, and refused by kubectl apply',
  );
});

test('an invalid assumption of a scenario is reported with its position', () => {
  const stdin = 'assume:\n  agent: {cluster-lease-duration: 40}\n';
  expect(run(['failover', 'simulate', '--state', 'examples/shop', '--scenario', '-'], { stdin })).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: --scenario -:2:11: assume.agent: agent.cluster-lease-duration: 40 is not a duration such as 30s or 3m, 0 or more\n',
  });
});

test('--taint and scenarios accept PreferNoExecute only in the proposal', () => {
  const state = ['--state', 'examples/shop'];
  const taint = ['failover', 'simulate', ...state, '--taint', 'frankfurt:fault:PreferNoExecute'];
  const proposal = ['--karmada-version', 'proposal', '--assume', 'Failover=true'];
  expect(run([...taint, ...proposal]).stdout).toContain('frankfurt gets taint fault:PreferNoExecute');
  const refused = run([...taint, '--karmada-version', 'v1.18']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('Unsupported value: "PreferNoExecute"');
  const scenario = 'events: [{at: 0s, taint: {cluster: frankfurt, key: fault, effect: PreferNoExecute}}]';
  const played = run(['failover', 'simulate', ...state, '--scenario', '-', ...proposal], { stdin: scenario });
  expect(played.stdout).toContain('frankfurt gets taint fault:PreferNoExecute');
});
