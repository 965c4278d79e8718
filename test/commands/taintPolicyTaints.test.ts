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
