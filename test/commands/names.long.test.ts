import { describe, expect, test } from '@jest/globals';
import { run } from './cli.ts';

const state = ['--state', 'examples/incident'];
const ask = (...argv: string[]): string => {
  const { code, stdout, stderr } = run([...argv, ...state]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

describe('names that one command prints are accepted by others, in the forms of kubectl, too', () => {
  const ledger = ask('failover', 'explain', 'statefulset/ledger', '-n', 'data');

  test.each([
    ['data/statefulset/ledger', 'as drain prints it'],
    ['StatefulSet data/ledger', 'as explain prints it'],
    ['sts ledger', 'as kubectl takes it'],
    ['statefulsets.v1.apps/ledger', 'as kubectl takes it'],
    ['ResourceBinding data/ledger-statefulset', 'as timeline prints it'],
    ['resourcebinding.work.karmada.io/ledger-statefulset', 'as kubectl prints it'],
    ['data/rb/ledger-statefulset', 'as commands of kubectl name a binding'],
  ])('%s is a workload, %s', (named) => {
    expect(ask('failover', 'explain', ...named.split(' '))).toBe(ledger);
  });

  test('timeline takes a workload in two words, and a cluster', () => {
    expect(ask('timeline', 'StatefulSet', 'data/ledger')).toBe(ask('timeline', 'data/statefulset/ledger'));
    expect(ask('timeline', 'cluster', 'tokyo')).toBe(ask('timeline', 'tokyo'));
  });

  test.each(['cluster/tokyo', 'cluster tokyo', 'clusters.v1alpha1.cluster.karmada.io/tokyo'])(
    '%s is a cluster',
    (named) => {
      expect(ask('failover', 'status', ...named.split(' '))).toBe(ask('failover', 'status', 'tokyo'));
    },
  );

  test('a flag takes a cluster as -o name prints it', () => {
    const explained = ask('taint-policy', 'explain', '--cluster', 'cluster/tokyo');
    expect(explained).toMatch(/^tokyo {3}Ready=True/m);
    expect(explained).toBe(ask('taint-policy', 'explain', '--cluster', 'tokyo'));
  });
});

describe('a name printed by -o name is accepted by', () => {
  const cluster = ask('failover', 'status', 'tokyo', '-o', 'name').trim();

  test.each([
    ['failover status', ['failover', 'status']],
    ['failover simulate --fail', ['failover', 'simulate', '--fail']],
    ['failover diff --fail', ['failover', 'diff', '--to', 'v1.17', '--fail']],
    ['failover explain --if-fails', ['failover', 'explain', 'data/statefulset/ledger', '--if-fails']],
    ['taint-policy explain --cluster', ['taint-policy', 'explain', '--cluster']],
    ['timeline', ['timeline']],
    ['drain --dry-run', ['drain', '--dry-run']],
  ])('%s', (_, argv) => {
    expect(cluster).toBe('cluster.cluster.karmada.io/tokyo');
    expect(ask(...argv, cluster)).toBe(ask(...argv, 'tokyo'));
  });

  test('commands about bindings and policies', () => {
    const [binding] = ask('eviction', 'inspect', '-o', 'name').split('\n');
    expect(binding).toBe('resourcebinding.work.karmada.io/checkout-deployment');
    expect(ask('failover', 'explain', binding!)).toContain('Deployment shop/checkout');
    expect(ask('eviction', 'inspect', binding!)).toBe(ask('eviction', 'inspect', 'shop/deployment/checkout'));
    const [policy] = ask('taint-policy', 'list', '-o', 'name').split('\n');
    expect(policy).toMatch(/^clustertaintpolicy\.policy\.karmada\.io\//);
    expect(ask('taint-policy', 'explain', policy!)).toBe(
      ask('taint-policy', 'explain', policy!.split('/')[1]!),
    );
  });
});

test('help can be said to be wanted or not, as any boolean', () => {
  expect(run(['failover', 'status', '--help=true'])).toEqual(run(['failover', 'status', '--help']));
  expect(ask('failover', 'status', '--help=false')).toBe(ask('failover', 'status'));
});

describe('patches that explain prints', () => {
  const dublin = ['failover', 'explain', 'statefulset/ledger', '-n', 'data', '--if-fails', 'dublin'];

  test('are taken by simulate and diff, and do what explain says', () => {
    const stdin = ask(...dublin, '-o', 'jsonpath={.changes.items[0].patches}');
    const simulated = ['failover', 'simulate', '--fail', 'dublin', ...state];
    const outcome = ['-o', 'jsonpath={.workloads[?(@.name=="ledger")].outcome}'];
    expect(run([...simulated, ...outcome]).stdout).toBe('lost');
    expect(run([...simulated, '--apply', '-', ...outcome], { stdin }).stdout).toBe('moves');
    const compared = ['failover', 'diff', '--fail', 'dublin', '--apply-to', '-', ...state];
    // once if nothing happens, because frankfurt is already down, and once if dublin fails
    const { code, stdout } = run([...compared, '-o', 'jsonpath={.items[*].workload.name}'], { stdin });
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'ledger ledger' });
  });

  test.each([
    [dublin, 'is a whole explanation, whose changes are alternatives; give the patches of one of them'],
    [['failover', 'explain', 'deployment/search', '-n', 'shop'], 'is an explanation without patches'],
  ])('are read from the output of %j: all of it is refused', (argv, message) => {
    const stdin = ask(...argv, '-o', 'json');
    const { code, stderr } = run(['failover', 'simulate', '--apply', '-', ...state], { stdin });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
