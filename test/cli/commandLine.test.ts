import { describe, expect, test } from '@jest/globals';
import { commandLine, connectionWords, kubectlLine } from '../../src/cli/commandLine.ts';

test('a printed command is quoted for a shell', () => {
  expect(commandLine(['drain', 'frankfurt', '-l', 'app in (cart)', "--out=it's.json"])).toBe(
    String.raw`kubectl karmada-failover drain frankfurt -l 'app in (cart)' '--out=it'\''s.json'`,
  );
});

test('a printed command hides the token', () => {
  expect(commandLine(['drain', '--token', 'secret', '--token=secret', 'x'])).toBe(
    'kubectl karmada-failover drain --token … --token=… x',
  );
});

test('a printed command names a file instead of stdin, which is read only once', () => {
  expect(commandLine(['explain', 'deploy/cart', '--state=-'])).toBe(
    'kubectl karmada-failover explain deploy/cart --state=FILE',
  );
});

test('a printed command repeats the connection flags of the current command', () => {
  const known = { context: {}, 'as-group': {}, 'insecure-skip-tls-verify': {}, token: {} };
  const flags = { context: 'karmada', 'as-group': ['a', 'b'], 'insecure-skip-tls-verify': true };
  expect(connectionWords({ ...flags, token: undefined }, known)).toEqual([
    '--context=karmada',
    '--as-group=a',
    '--as-group=b',
    '--insecure-skip-tls-verify',
  ]);
});

describe('a printed kubectl command', () => {
  const source = [
    '--karmada-context=karmada',
    '--kubeconfig=k.yaml',
    '--host-context=host',
    '--v=6',
    '--assume=a=b',
  ];

  test('targets the control plane of the answer', () => {
    expect(kubectlLine(['kubectl', 'get', 'work', '-n', 'shop'], source)).toBe(
      'kubectl get work -n shop --context=karmada --kubeconfig=k.yaml',
    );
  });

  test('targets the host cluster if its namespace is that of the Karmada components', () => {
    const describe = ['kubectl', '-n', 'karmada-system', 'describe', 'deployment', 'karmada-webhook'];
    expect(kubectlLine(describe, source)).toBe(
      'kubectl -n karmada-system describe deployment karmada-webhook --context=host',
    );
    expect(kubectlLine(describe, [...source, '--host-namespace=other'])).toContain('--context=karmada');
  });

  test('has no connection flags for a state from files', () => {
    expect(kubectlLine(['kubectl', 'get', 'work'], ['--state=dump/', '--at=2026-09-01T09:30:00Z'])).toBe(
      'kubectl get work',
    );
  });

  test('passes the context to karmadactl as --karmada-context', () => {
    expect(kubectlLine(['karmadactl', 'taint', 'clusters', 'a', 'b:NoSchedule-'], source)).toBe(
      'karmadactl taint clusters a b:NoSchedule- --karmada-context=karmada --kubeconfig=k.yaml',
    );
  });

  test('hides the token', () => {
    expect(kubectlLine(['kubectl', 'get', 'work'], ['--token=secret'])).toBe('kubectl get work --token=…');
  });
});
