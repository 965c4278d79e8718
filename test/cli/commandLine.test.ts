import { expect, test } from '@jest/globals';
import { commandLine, connectionWords } from '../../src/cli/commandLine.ts';

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
