import { describe, expect, test } from '@jest/globals';
import { json, run } from './cli.ts';
import { breaches } from './schema.ts';

const state = [
  '--state',
  'test/fixtures/taint-policy-world.yaml',
  '--at',
  '2026-09-01T09:00:00Z',
  '--assume',
  'Failover=true',
];
const policy = (command: string, ...argv: string[]) => run(['taint-policy', command, ...state, ...argv]);

describe('taint-policy list', () => {
  test('lists policies in the order in which they act, clusters with their taints, and orphaned taints', () => {
    const { code, stdout, stderr } = policy('list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').slice(0, 14)).toEqual([
      '2 ClusterTaintPolicies, 2 taints in force; 1 taint that no policy explains.',
      '',
      'kubectl karmada-failover taint-policy explain --state=test/fixtures/taint-policy-world.yaml --at=2026-09-01T09:00:00Z --assume=Failover=true',
      '',
      'NAME       AGE      TARGETS       TAINT                                 IN FORCE',
      'optimist   212d9h   alpha, beta   example.com/network:NoSchedule        alpha 1h',
      'network    92d9h    all 4         example.com/network=down:NoSchedule   alpha 1h',
      '',
      'Taints that no policy explains',
      '  CLUSTER   TAINT                              SINCE    SET BY',
      '  beta      example.com/forgotten:NoSchedule   123d9h   an operator, or a changed or deleted policy',
      '  To remove one that is not needed:',
      '  karmadactl taint clusters beta example.com/forgotten:NoSchedule-',
      '',
    ]);
  });

  test('warns of an instant before the state, and prints no negative age', () => {
    const argv = ['--state', 'test/fixtures/taint-policy-world.yaml', '--at', '2020-01-01T00:00:00Z'];
    const { stdout, stderr } = run(['taint-policy', 'list', ...argv]);
    expect(stdout).toMatch(/^optimist +in the future /m);
    expect(stdout).not.toMatch(/ -\d/);
    expect(stderr).toMatch(
      /^warning: 2020-01-01T00:00:00Z is used as the current time, but the newest time in the state is 2026-\S+Z, of .*; give that time or a later one$/m,
    );
  });

  test('prints a document, names and columns', () => {
    const document = json(['taint-policy', 'list', ...state]) as unknown as {
      orphans: object[];
      others: object[];
    };
    expect(breaches('taint-policy-list', document)).toBe('');
    expect(document.orphans).toMatchObject([{ cluster: 'beta', taint: { key: 'example.com/forgotten' } }]);
    expect(document.others).toMatchObject([
      { cluster: 'alpha', taint: { key: 'example.com/maintenance' }, ownership: { owner: 'person' } },
    ]);
    expect(policy('list', '-o', 'name').stdout).toBe(
      'clustertaintpolicy.policy.karmada.io/optimist\nclustertaintpolicy.policy.karmada.io/network\n',
    );
    expect(policy('list', '--sort-by', '.name', '-o', 'custom-columns=N:.name', '--no-headers').stdout).toBe(
      'network\noptimist\n',
    );
  });
});

test('taint-policy list reports that policies have no effect if the gate Failover is off, as explain does', () => {
  const argv = ['--state', 'test/fixtures/taint-policy-world.yaml', '--at', '2026-09-01T09:00:00Z'];
  const { stdout } = run(['taint-policy', 'list', ...argv]);
  const [first] = run(['taint-policy', 'explain', ...argv]).stdout.split('\n');
  expect(first).toMatch(/^No policy does anything: the feature gate Failover .* is assumed to be off; /);
  expect(stdout.split('\n')[0]).toBe(first);
  const document = json(['taint-policy', 'list', ...argv]);
  expect(document).toMatchObject({ dead: 'Failover', deadAssumed: true });
  expect(breaches('taint-policy-list', document)).toBe('');
});

describe('taint-policy explain', () => {
  test('accepts one policy, in the forms of kubectl', () => {
    const reported = policy('explain', 'network');
    expect(policy('explain', 'clustertaintpolicy', 'network')).toEqual(reported);
    expect(policy('explain', 'clustertaintpolicies.policy.karmada.io/network')).toEqual(reported);
    expect(policy('explain', 'network', 'optimist')).toMatchObject({
      code: 2,
      stderr: 'error: explain takes one policy, not also optimist; leave POLICY out for all\n',
    });
  });

  test('lists the policies for each taint, the start of their conditions, and the policy that decides', () => {
    const { stdout } = policy('explain', '--cluster', 'alpha');
    expect(stdout.split('\n').slice(0, 13)).toEqual([
      '2 taints on 1 of 1 cluster; the next reconcile changes alpha.',
      '',
      'kubectl karmada-failover status alpha --state=test/fixtures/taint-policy-world.yaml --at=2026-09-01T09:00:00Z --assume=Failover=true',
      '',
      'alpha   Ready=True for 31d9h, NetworkAvailable=False for 1h',
      '  example.com/network=down:NoSchedule: set for 1h, policy network (estimate)',
      '    optimist never adds it: it names no conditions for that',
      '    optimist removes it once Ready=True: holds for 31d9h',
      '    network is newer and takes precedence over optimist',
      '    network adds it while NetworkAvailable=False: holds for 1h',
      '    network removes it once NetworkAvailable=True: waits for NetworkAvailable=True (False for 1h)',
      '    a policy adds what an older one removes: its timer restarts with every change of a condition',
      '  example.com/maintenance:NoSchedule: set, since an unknown time, an operator',
    ]);
    expect(stdout).toContain(
      '  at the next reconcile: renews example.com/network=down:NoSchedule (network)\n',
    );
  });

  test('shows the effect of a changed condition', () => {
    const asked = (...argv: string[]) =>
      policy('explain', ...argv)
        .stdout.split('\n')
        .filter((line) => line.startsWith('  if '));
    expect(asked('network', '--cluster', 'alpha', '--if', 'NetworkAvailable=True')).toEqual([
      '  if NetworkAvailable=True: loses example.com/network=down:NoSchedule (optimist, another policy)',
    ]);
    expect(asked('network', '--cluster', 'gamma', '--if', 'Ready=True')).toEqual([
      '  if Ready=True: it has that status already; nothing changes',
    ]);
    expect(asked('--cluster', 'gamma')).toEqual([
      '  if NetworkAvailable=False: gains example.com/network=down:NoSchedule (network)',
    ]);
  });

  test('prints a document that is valid against its schema', () => {
    for (const argv of [[], ['network'], ['--if', 'Ready=False']])
      expect(breaches('taint-policy-explanation', json(['taint-policy', 'explain', ...argv, ...state]))).toBe(
        '',
      );
  });

  test('reports that no policy has an effect', () => {
    const { stdout } = run(['taint-policy', 'explain', ...state.slice(0, 2), '--assume', 'Failover=false']);
    expect(stdout).toMatch(/^No policy does anything: the feature gate Failover .* is off\.\n/);
  });

  test.each([
    [['netwrk'], 'there is no ClusterTaintPolicy "netwrk", did you mean network?'],
    [['--cluster', 'alpa'], '--cluster: there is no cluster "alpa" in the state, did you mean alpha?'],
    [
      ['--if', 'Ready=no'],
      '--if "Ready=no" is not CONDITION=STATUS with True, False or Unknown, such as Ready=False',
    ],
  ])('refuses %j with a suggestion', (argv, message) => {
    expect(policy('explain', ...argv)).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` });
  });
});
