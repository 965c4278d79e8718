import { describe, expect, test } from '@jest/globals';
import { json, run } from './cli.ts';

// Small states made from reports of Karmada users (numbers are karmada-io/karmada); the expected results are what its maintainers found,
// and what its source does.

const at = ['--at', '2026-05-04T10:00:00Z'];
const state = (name: string) => ['--state', `test/fixtures/reports/${name}.json`, ...at];

/** The output of a command, with runs of whitespace collapsed. */
function says(name: string, ...argv: string[]): string {
  return run([...argv, ...state(name)]).stdout.replace(/\s+/g, ' ');
}

interface Change {
  kinds: string[];
  text: string;
  leadsTo?: string;
}

interface Explained {
  verdict: { outcome: string; certainty: string };
  changes: { items: Change[] } | null;
  leftBehind: { workload: { kind: string; name: string }; clusters: string[] }[];
  ifItFails?: { cluster: string; outcome: string; changes?: { items: Change[] } }[];
}

const explain = (name: string, ...argv: string[]) =>
  json(['failover', 'explain', ...argv, ...state(name)]) as unknown as Explained;
const kinds = (changes: { items: Change[] } | null | undefined) =>
  (changes?.items ?? []).map((change) => change.kinds.join('+'));

describe('an eviction task of a binding with an unscheduled spec (5803, 5782)', () => {
  const task = 'task-of-unscheduled-spec';
  const inspect = ['eviction', 'inspect', 'deploy/api', '--karmada-version', 'v1.12.1'];

  test('is stuck in a version with the bug, and the fixed versions are listed', () => {
    const text = says(task, ...inspect);
    expect(text).toContain('verdict stuck');
    expect(text).toContain('fixed from v1.11.8, v1.12.5, v1.13.1 and v1.14.0 on');
  });

  test('may be ended by a timer if it is stamped, which is an estimate', () => {
    const text = says(`${task}-stamped`, ...inspect);
    expect(text).toContain('verdict stuck');
    expect(text).toContain('whether the graceful eviction controller still has a timer');
  });

  test('is ended by an upgrade, which restarts the healthy copy', () => {
    const text = says(task, 'failover', 'diff', '--from', 'v1.12.1', '--to', 'v1.12.5');
    expect(text).toMatch(/default\/deploy\/api blocked → restarted\? - nowhere → m1×2/);
  });
});

test('evictions from every cluster are stuck, and no single change ends them (4480)', () => {
  const text = says('evicted-everywhere', 'eviction', 'inspect');
  expect(text).toContain('2 evictions: 2 stuck.');
  expect(text).not.toContain('ends now');
  const why = says('evicted-everywhere', 'failover', 'explain', 'deploy/rps');
  expect(why).toContain('evicted from member1, member2, where it was not Healthy within 2m');
  expect(why).toContain('the scheduler does not return');
  expect(kinds(explain('evicted-everywhere', 'deploy/rps').changes)).toEqual(
    expect.arrayContaining([expect.stringContaining('end-eviction')]),
  );
});

test('an upgrade is compared for a cluster that is already down (6951)', () => {
  const text = says(
    'cluster-down-before-upgrade',
    ...['failover', 'diff', '--from', 'v1.13.10', '--to', 'v1.14.10'],
  );
  expect(text).toMatch(/nothing happens default\/deploy\/svc moves\? → stays 5m2s → - gy1×4 → gy1×2, gy2×2/);
});

test('a workload that stays on a failed cluster is down permanently in failover status (6951)', () => {
  const text = says('cluster-down-before-upgrade', 'failover', 'status', '--karmada-version', 'v1.18.2');
  expect(text).toContain('1 stays; 1 down; 4 replicas down permanently');
});

describe('a workload that flaps under an assumed readiness time (7324, 6205, 4285)', () => {
  const stack = explain('flaps-by-a-guess', 'deploy/stack');

  test('is reported with that assumption, and a longer toleration as the remedy', () => {
    expect(stack.verdict).toMatchObject({ outcome: 'flaps', certainty: 'estimate' });
    expect(kinds(stack.changes)).toEqual(['longer-toleration']);
    expect(says('flaps-by-a-guess', 'failover', 'explain', 'deploy/stack')).toContain(
      'the assumed 30s until replicas are ready equals the toleration of 30s',
    );
  });

  test('gets one toleration from explain and from all findings of doctor', () => {
    const { stdout } = run(['doctor', ...state('flaps-by-a-guess'), '-o', 'json']);
    const seconds = (text: string) =>
      new Set(text.match(/"tolerationSeconds\W+\d+/g)!.map((one) => /\d+/.exec(one)![0]));
    const { findings } = JSON.parse(stdout) as { findings: { remedy?: { commands?: string[] } }[] };
    const remedies = JSON.stringify(findings.map(({ remedy }) => remedy?.commands));
    expect([seconds(remedies), seconds(JSON.stringify(stack.changes))]).toEqual([
      new Set(['60']),
      new Set(['60']),
    ]);
  });

  test('leaves behind the Service of the same policy', () => {
    expect(stack.leftBehind).toEqual([
      { workload: { kind: 'Service', namespace: 'default', name: 'stack' }, clusters: ['east'] },
    ]);
  });
});

describe('components without capacity (7554, 7550)', () => {
  const room =
    'free cpu 26 on y, enough for 1 jobmanager (cpu 2, memory 2.048) and 4 taskmanager (cpu 8, memory 2.048 each)';
  const fl = ['flinkdeployment/fl', '--karmada-version', 'v1.17.3'];

  test('need more capacity on a cluster, which is the only suggested change', () => {
    const { verdict, changes } = explain('components-without-room', ...fl, '--if-fails', 'x');
    expect(verdict.outcome).toBe('lost');
    expect(changes?.items.map(({ text }) => text)).toEqual([room]);
    expect(says('components-without-room', 'failover', 'explain', ...fl, '--if-fails', 'x')).toMatch(
      /SETS FIT COPY/,
    );
  });

  test('get the same suggestion before the cluster fails', () => {
    const [loss] = explain('components-without-room', ...fl).ifItFails ?? [];
    expect(loss?.changes?.items.map(({ text }) => text)).toEqual([room]);
  });
});

interface Broken {
  check: string;
  message: string;
  remedy?: { refuted?: string };
}

test.each([
  ['evicted-everywhere', 'deploy/rps'],
  ['flaps-by-a-guess', 'deploy/stack'],
])('in %s, explain refutes the remedies that doctor refutes', (name, workload) => {
  const { findings } = json(['doctor', ...state(name)]) as unknown as { findings: Broken[] };
  const { brokenLinks } = explain(name, workload) as unknown as { brokenLinks: Broken[] };
  const both = brokenLinks.flatMap((link) => {
    const found = findings.find(({ check, message }) => check === link.check && message === link.message);
    return found ? { check: link.check, doctor: found.remedy?.refuted, explain: link.remedy?.refuted } : [];
  });
  expect(both).not.toEqual([]);
  for (const { doctor, ...link } of both) expect(link).toEqual({ ...link, explain: doctor });
});

test('a full affinity group does not make a Duplicated workload use the next group (4569)', () => {
  const text = says('group-full-next-not-tried', 'failover', 'explain', 'deploy/ng');
  expect(text).toContain('not needed: local was chosen, and Duplicated ignores capacity');
});

test('a pinned workload can tolerate taints forever, or Failover can be disabled (5150)', () => {
  const { changes } = explain('pinned-config', 'cm/cfg', '--if-fails', 'only');
  expect(kinds(changes)).toEqual([
    'fallback-group',
    'endless-toleration',
    'cluster-affinity',
    'failover-off',
  ]);
  expect(changes?.items.map(({ leadsTo }) => leadsTo)).toEqual(['moves', 'tolerates', 'moves', 'stays']);
  expect(changes?.items.at(-1)?.text).toContain('its default from v1.10.8, v1.11.4 and v1.12.0 on');
  const [loss] = explain('pinned-config', 'cm/cfg').ifItFails ?? [];
  expect(kinds(loss?.changes)).toEqual(kinds(changes));
});

test('a quota refuses replicas beyond its limit, and the placement is unchanged (6467, 6937)', () => {
  const scenario = ['--scenario', 'test/fixtures/reports/quota-refuses.yaml'];
  const text = says('quota-refuses', 'failover', 'simulate', ...scenario);
  expect(text).toMatch(/blocked\?? team\/deploy\/pay m1×3, m2×3 m1×3, m2×3/);
  expect(text).toContain(
    'FederatedResourceQuota(team/q) exceeded for resource cpu: requested sum 8, limit 6',
  );
});

describe('a cluster in deletion (1847, 3740)', () => {
  test('loses its workloads with or without a drain', () => {
    const text = says('cluster-being-deleted', 'drain', 'pull1', '--dry-run');
    expect(text).toContain('It is being deleted: the scheduler moves what is there, with or without a drain');
    expect(text).toContain('1 moves to push2 +2 replicas');
  });

  test('waits for a Work and its finalizer', () => {
    const text = says('cluster-being-deleted', 'failover', 'status', 'pull1');
    expect(text).toMatch(/waits for Work karmada-es-pull1\/job-766cf4b64d, not deleted yet/);
    expect(text).toContain('pull1 is Ready and being deleted: 1 workload, 2 replicas.');
  });
});

describe('recordings of the end-to-end suite of Karmada match their predictions', () => {
  const started = ['--assume', 'Failover=true', '--assume', 'enable-no-execute-taint-eviction=true'];
  const check = (name: string) =>
    run(['replay', 'check', `test/fixtures/reports/recordings/${name}.rec`, ...started]);

  test.each([
    ['a policy that is created and then changed', 'policy-created-then-changed'],
    ['a rebalancer that Karmada deletes after its ttl', 'rebalancer-with-ttl'],
  ])('for %s', (_, name) => {
    expect(check(name)).toMatchObject({ code: 0 });
  });

  test('for a binding that the taint manager evicts at its next reconcile, within a second', () => {
    const { code, stdout } = check('placed-on-a-tainted-cluster');
    expect(code).toBe(0);
    expect(stdout).toMatch(/agree +late\/deployment\/late/);
    expect(Number(/off by ([\d.]+)s/.exec(stdout)?.[1])).toBeLessThan(1);
  });
});

describe('incidents on real Karmada v1.18.2', () => {
  interface Simulated {
    workloads: {
      kind: string;
      namespace: string;
      name: string;
      outcome: string;
      certainty: string;
      gap?: object;
    }[];
  }
  const incident = (name: string) => `test/fixtures/reports/incidents/${name}`;
  const scenario = (name: string) => [
    ...['failover', 'simulate', '--state', `${incident(name)}.json.gz`],
    ...['--scenario', `${incident(name)}.yaml`],
  ];
  const simulated = (name: string) => {
    const { workloads } = json(scenario(name)) as unknown as Simulated;
    return (workload: string) =>
      workloads.find((one) => `${one.namespace}/${one.kind}/${one.name}` === workload);
  };

  test('a deleted namespace deletes only its own workloads', () => {
    const { workloads } = json(scenario('namespace')) as unknown as Simulated;
    const deleted = workloads.filter(({ outcome }) => outcome === 'deleted');
    expect(new Set(deleted.map(({ namespace }) => namespace))).toEqual(new Set(['ns-b']));
    expect(
      workloads.filter(({ namespace, outcome }) => namespace === 'ns-b' && outcome !== 'deleted'),
    ).toEqual([]);
  });

  test('a deleted workload is not lost and deletes its dependents, except shared ones', () => {
    const of = simulated('delete-parent');
    expect(of('ns-a/Deployment/w05')?.outcome).toBe('deleted');
    expect(of('ns-a/ConfigMap/w05-cfg')?.outcome).toBe('deleted');
    expect(of('ns-a/ConfigMap/common2')?.outcome).toBe('stays');
  });

  test('a failure before a restart is retried at an unknown time', () => {
    expect(simulated('restart')('ns-a/Deployment/w04')?.certainty).toBe('estimate');
  });

  test('an outcome is unknown if it depends on a health interpreter that the state lacks', () => {
    expect(simulated('no-interpreter')('ns-b/Widget/w08')?.certainty).toBe('unknown');
  });

  test('a workload limited to one region has no downtime if one region is the maximum', () => {
    const { workloads } = json([
      'failover',
      'simulate',
      '--state',
      `${incident('region-limit')}.json`,
    ]) as unknown as Simulated;
    expect(workloads).toMatchObject([{ name: 'web', outcome: 'moves' }]);
    expect(workloads[0]).not.toHaveProperty('gap');
  });

  test('estimates of unchanged workloads are counted without a row', () => {
    expect(run(scenario('delete-parent')).stdout).toContain('3 uncertain among those that stay (-o wide)');
  });
});
