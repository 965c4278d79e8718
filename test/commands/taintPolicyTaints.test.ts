import { expect, test } from '@jest/globals';
import { json, run } from './cli.ts';
import { breaches } from './schema.ts';

const incident = ['--state', 'examples/incident'];

test('taint-policy delete --with-taints plans with the taints gone: at once, and in what becomes of workloads', () => {
  const argv = ['taint-policy', 'delete', 'evict-when-not-ready', '--with-taints', ...incident];
  const { code, stdout } = run(argv);
  expect(code).toBe(0);
  expect(stdout).toContain(
    'At once\n  frankfurt   loses cluster.karmada.io/not-ready:NoExecute (--with-taints)\n',
  );
  expect(stdout).not.toContain('No taint changes at once.');
  expect(stdout).not.toContain('untolerated taint {cluster.karmada.io/not-ready:NoExecute}');
  const document = json(argv);
  expect(breaches('taint-policy-change', document)).toBe('');
  const { clusters } = document as unknown as { clusters: { name: string; removed: object[] }[] };
  expect(clusters.find(({ name }) => name === 'frankfurt')!.removed).toEqual([
    { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' },
  ]);
});

test('taint-policy apply tells of a change of a condition only what differs, not what happens anyway', () => {
  const stdin = `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata: {name: evict-now}
spec:
  addOnConditions: [{conditionType: Ready, operator: In, statusValues: ["True"]}]
  removeOnConditions: [{conditionType: Ready, operator: In, statusValues: ["False"]}]
  taints: [{key: evict, value: now, effect: NoExecute}]
`;
  const { stdout } = run(['taint-policy', 'apply', '-f', '-', ...incident], { stdin });
  const later = stdout.slice(stdout.indexOf('Once a condition changes'), stdout.indexOf('\nWorkloads'));
  expect(later).toMatch(/^ {2}Ready=False +\S.*\S {3}also loses evict=now:NoExecute \(evict-now\)$/m);
  expect(later).not.toContain('not-ready');
  expect(later).not.toContain('No longer');
});
