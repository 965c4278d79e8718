import { describe, expect, test } from '@jest/globals';
import { run } from './cli.ts';

const state = ['--state', 'examples/incident'];
const ask = (...argv: string[]): string => {
  const { code, stdout, stderr } = run([...argv, ...state]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

describe('names of workloads and clusters', () => {
  const ledger = ask('failover', 'explain', 'statefulset/ledger', '-n', 'data');

  test.each([
    ['data/statefulset/ledger', 'in the form of drain'],
    ['StatefulSet data/ledger', 'in the form of explain'],
    ['sts ledger', 'in a form of kubectl'],
    ['statefulsets.v1.apps/ledger', 'in a form of kubectl'],
    ['ResourceBinding data/ledger-statefulset', 'in the form of timeline'],
    ['resourcebinding.work.karmada.io/ledger-statefulset', 'in the form of -o name'],
    ['data/rb/ledger-statefulset', 'in the short form for a binding'],
  ])('%s selects a workload, %s', (named) => {
    expect(ask('failover', 'explain', ...named.split(' '))).toBe(ledger);
  });

  test('timeline accepts a workload in two words, and a cluster', () => {
    expect(ask('timeline', 'StatefulSet', 'data/ledger')).toBe(ask('timeline', 'data/statefulset/ledger'));
    expect(ask('timeline', 'cluster', 'tokyo')).toBe(ask('timeline', 'tokyo'));
  });

  test.each(['cluster/tokyo', 'cluster tokyo', 'clusters.v1alpha1.cluster.karmada.io/tokyo'])(
    '%s selects a cluster',
    (named) => {
      expect(ask('failover', 'status', ...named.split(' '))).toBe(ask('failover', 'status', 'tokyo'));
    },
  );

  test('a flag accepts a cluster as -o name prints it', () => {
    const explained = ask('taint-policy', 'explain', '--cluster', 'cluster/tokyo');
    expect(explained).toMatch(/^tokyo {3}Ready=True/m);
    expect(explained).toBe(ask('taint-policy', 'explain', '--cluster', 'tokyo'));
  });
});

describe('the output of -o name is accepted by', () => {
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
    // next commands repeat the flags as given
    expect(ask(...argv, cluster).replaceAll(cluster, 'tokyo')).toBe(ask(...argv, 'tokyo'));
  });

  test('commands for bindings and policies', () => {
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

test('--help accepts true and false as any boolean flag', () => {
  expect(run(['failover', 'status', '--help=true'])).toEqual(run(['failover', 'status', '--help']));
  expect(ask('failover', 'status', '--help=false')).toBe(ask('failover', 'status'));
});

describe('patches of failover explain', () => {
  const dublin = ['failover', 'explain', 'statefulset/ledger', '-n', 'data', '--if-fails', 'dublin'];

  test('are accepted by simulate and diff, with the outcome that explain reports', () => {
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
  ])('are refused if the whole output of %j is given', (argv, message) => {
    const stdin = ask(...argv, '-o', 'json');
    const { code, stderr } = run(['failover', 'simulate', '--apply', '-', ...state], { stdin });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
