import { describe, expect, test } from '@jest/globals';
import { json, run } from './cli.ts';
import { breaches } from './schema.ts';

const incident = ['--state', 'examples/incident'];

test('taint-policy delete --with-taints plans the removal of taints with its effect on workloads', () => {
  const argv = ['taint-policy', 'delete', 'evict-when-not-ready', '--with-taints', ...incident];
  const { code, stdout } = run(argv);
  expect(code).toBe(0);
  expect(stdout).toContain(
    'At once\n  frankfurt   loses cluster.karmada.io/not-ready:NoExecute (--with-taints)\n',
  );
  expect(stdout).not.toContain('untolerated taint {cluster.karmada.io/not-ready:NoExecute}');
  const document = json(argv);
  expect(breaches('taint-policy-change', document)).toBe('');
  const { clusters } = document as unknown as { clusters: { name: string; removed: object[] }[] };
  expect(clusters.find(({ name }) => name === 'frankfurt')!.removed).toEqual([
    { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' },
  ]);
});

test('taint-policy delete counts workloads that change only after a condition changes', () => {
  const { stdout } = run([
    'taint-policy',
    'delete',
    'evict-when-not-ready',
    '--dry-run',
    '--state',
    'examples/shop',
  ]);
  expect(stdout.split('\n')[0]).toBe(
    'Plan: 1 policy to be deleted, 0 of 5 clusters change taints at once, 0 workloads end differently, 14 once a condition changes.',
  );
});

test('taint-policy apply reports only the effects of a condition that the policy changes', () => {
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
  const [, later] = /\nOnce a condition changes\n(.*?)\n\n/s.exec(stdout)!;
  expect(later).toMatch(/^ {2}Ready=False +\S.*\S {3}also loses evict=now:NoExecute \(evict-now\)$/m);
  expect(later).not.toContain('not-ready');
  expect(later).not.toContain('No longer');
});

describe('an unknown feature gate', () => {
  // without the Deployments of Karmada, and without evictions and taints that prove it
  const state = ['--state', 'examples/shop/control-plane.json'];
  const wrong = 'is assumed to be off; if it is on, give --assume Failover=true';

  test('is an assumption in taint-policy apply', () => {
    const stdin = `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata: {name: mark}
spec:
  addOnConditions: [{conditionType: Ready, operator: In, statusValues: ["False"]}]
  removeOnConditions: [{conditionType: Ready, operator: In, statusValues: ["True"]}]
  taints: [{key: mark, effect: NoSchedule}]
`;
    const apply = (...argv: string[]) =>
      run(['taint-policy', 'apply', '-f', '-', ...state, ...argv], { stdin }).stdout;
    const text = apply();
    expect(text).toMatch(/^ {2}policies-dead {3}no policy does anything: the feature gate Failover .*$/m);
    expect(text).toContain(wrong);
    expect(text).toMatch(/^Assumed: .*\bFailover=false, \d+ other defaults of v1\.18/m);
    const document = JSON.parse(apply('-o', 'json')) as { risks: object[] };
    expect(breaches('taint-policy-change', document)).toBe('');
    expect(document.risks).toMatchObject([{ code: 'policies-dead', assumed: ['Failover'] }]);
    const known = apply('--assume', 'Failover=false');
    expect(known).toContain('the feature gate Failover of karmada-controller-manager is off\n');
    expect(known).not.toContain(wrong);
  });

  test('is an assumption in taint-policy explain', () => {
    const argv = ['taint-policy', 'explain', ...state];
    expect(run(argv).stdout).toContain(wrong);
    const document = json(argv);
    expect(breaches('taint-policy-explanation', document)).toBe('');
    expect(document).toMatchObject({ dead: 'Failover', deadAssumed: true });
    expect(json([...argv, '--assume', 'Failover=false'])).not.toHaveProperty('deadAssumed');
  });
});

describe('taint-policy explain', () => {
  const explain = (...argv: string[]) => run(['taint-policy', 'explain', ...argv, ...incident]);
  const world = ['--state', 'test/fixtures/taint-policy-world.yaml', '--assume', 'Failover=true'];

  test('lists the target clusters of a policy that does not target the requested cluster', () => {
    const argv = ['taint-policy', 'explain', 'optimist', '--cluster', 'gamma', ...world];
    expect(run(argv).stdout).toContain('optimist does not select gamma; it selects alpha, beta.\n');
    const document = json(argv);
    expect(breaches('taint-policy-explanation', document)).toBe('');
    expect(document).toMatchObject({ targets: ['alpha', 'beta'], clusters: [] });
  });

  test('accepts a status in any case with --if, and warns of an unknown condition', () => {
    const right = explain('--cluster', 'frankfurt', '--if', 'Ready=True');
    expect(right.stderr).toBe('');
    expect(explain('--cluster', 'frankfurt', '--if', 'Ready=true')).toEqual(right);
    expect(explain('--if', 'Redy=False')).toMatchObject({
      code: 0,
      stderr:
        'warning: --if: no cluster reports a condition Redy, and no ClusterTaintPolicy names it, did you mean Ready?\n',
    });
  });

  test('includes the taints that Karmada removes from a Ready cluster', () => {
    const argv = ['--cluster', 'frankfurt', '--if', 'Ready=True'];
    expect(explain(...argv).stdout).toContain(
      '  if Ready=True: loses cluster.karmada.io/not-ready:NoExecute (evict-when-not-ready); loses cluster.karmada.io/not-ready:NoSchedule (Karmada itself)\n',
    );
    const document = json(['taint-policy', 'explain', ...argv, ...incident]);
    expect(breaches('taint-policy-explanation', document)).toBe('');
  });
});

test('taint-policy validate and apply report a policy that never adds its taints, without refusing it', () => {
  const stdin = `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata: {name: idle}
spec:
  removeOnConditions: [{conditionType: Ready, operator: In, statusValues: ["True"]}]
  taints: [{key: idle, effect: NoSchedule}]
`;
  const reported = 'it never adds idle:NoSchedule: it has no addOnConditions, and no other policy adds it';
  const validated = run(['taint-policy', 'validate', '-f', '-', '--fail-on', 'warning'], { stdin });
  expect(validated.code).toBe(1);
  expect(validated.stdout).toMatch(
    new RegExp(`^stdin:\\d+:\\d+: warning: ${reported} \\[never-added\\]$`, 'm'),
  );
  const applied = run(['taint-policy', 'apply', '-f', '-', ...incident], { stdin });
  expect(applied.code).toBe(0);
  expect(applied.stdout).toMatch(new RegExp(`^ {2}never-added {3}stdin:\\d+:\\d+: idle: ${reported}$`, 'm'));
});
