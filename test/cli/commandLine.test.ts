import { describe, expect, test } from '@jest/globals';
import { commandLine, connectionWords, kubectlLine } from '../../src/cli/commandLine.ts';

test('can be pasted into a shell', () => {
  expect(commandLine(['drain', 'frankfurt', '-l', 'app in (cart)', "--out=it's.json"])).toBe(
    String.raw`kubectl karmada-failover drain frankfurt -l 'app in (cart)' '--out=it'\''s.json'`,
  );
});

test('reveals no token', () => {
  expect(commandLine(['drain', '--token', 'secret', '--token=secret', 'x'])).toBe(
    'kubectl karmada-failover drain --token … --token=… x',
  );
});

test('names the same control plane', () => {
  const known = { context: {}, 'as-group': {}, 'insecure-skip-tls-verify': {}, token: {} };
  const flags = { context: 'karmada', 'as-group': ['a', 'b'], 'insecure-skip-tls-verify': true };
  expect(connectionWords({ ...flags, token: undefined }, known)).toEqual([
    '--context=karmada',
    '--as-group=a',
    '--as-group=b',
    '--insecure-skip-tls-verify',
  ]);
});

describe('a command of kubectl', () => {
  const source = [
    '--karmada-context=karmada',
    '--kubeconfig=k.yaml',
    '--host-context=host',
    '--v=6',
    '--assume=a=b',
  ];

  test('is for the control plane that the answer is about', () => {
    expect(kubectlLine(['kubectl', 'get', 'work', '-n', 'shop'], source)).toBe(
      'kubectl get work -n shop --context=karmada --kubeconfig=k.yaml',
    );
  });

  test('that names the namespace of the components is for the cluster that they run in', () => {
    const describe = ['kubectl', '-n', 'karmada-system', 'describe', 'deployment', 'karmada-webhook'];
    expect(kubectlLine(describe, source)).toBe(
      'kubectl -n karmada-system describe deployment karmada-webhook --context=host',
    );
    expect(kubectlLine(describe, [...source, '--host-namespace=other'])).toContain('--context=karmada');
  });

  test('of files has no connection', () => {
    expect(kubectlLine(['kubectl', 'get', 'work'], ['--state=dump/', '--at=2026-09-01T09:30:00Z'])).toBe(
      'kubectl get work',
    );
  });

  test('karmadactl has a name of its own for the context', () => {
    expect(kubectlLine(['karmadactl', 'taint', 'clusters', 'a', 'b:NoSchedule-'], source)).toBe(
      'karmadactl taint clusters a b:NoSchedule- --karmada-context=karmada --kubeconfig=k.yaml',
    );
  });

  test('reveals no token', () => {
    expect(kubectlLine(['kubectl', 'get', 'work'], ['--token=secret'])).toBe('kubectl get work --token=…');
  });
});
