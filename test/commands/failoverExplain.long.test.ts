import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { cluster, deployment } from '../simulator/simulation/controlPlane.ts';
import { onOneOf } from '../proposal/underDesign.ts';
import { json, run } from './cli.ts';
import { breaches } from './schema.ts';

const explain = (...argv: string[]) => ['failover', 'explain', ...argv];
const shop = ['--state', 'examples/shop'];
const incident = ['--state', 'examples/incident'];
const screen = (argv: string[]) => run(argv).stdout.trimEnd().split('\n');
const cartIfFrankfurtFails = explain('deploy/cart', '-n', 'shop', ...shop, '--if-fails', 'frankfurt');

describe('failover explain', () => {
  test('explains the outcome of a failure, and why another cluster is rejected', () => {
    expect(screen([...cartIfFrankfurtFails, '--cluster', 'tokyo'])).toEqual([
      'Why not tokyo? It does not pass the filters.',
      '  ✗   TaintToleration   taint maintenance=kernel-upgrade:NoSchedule is not tolerated [spec.taints[0]]',
      '  ✗   ClusterAffinity   not named in clusterNames [spec.placement.clusterAffinity.clusterNames]',
      '  ✓   filters           APIEnablement, SpreadConstraint, ClusterEviction let it pass',
      '',
      'Deployment shop/cart, if frankfurt fails now: moves from frankfurt×3 to dublin +1, oregon +1, virginia +1 (estimate). 6 of 9 replicas keep running; 3 are missing for 1m9s.',
      '',
      'kubectl karmada-failover simulate --fail=frankfurt --state=examples/shop',
      '',
      'Clusters as the scheduler sees them at T+37.2s (replicas changed):',
      '  CLUSTER     API   AFFINITY         EVICTION     SPREAD   TAINTS                                    CAPACITY   REPLICAS',
      '  dublin      ✓     ✓                ✓            ✓        ✓                                         66         2 → 3',
      '  frankfurt   ✓     ✓                ✗ evicting   ✓        ✗ not-ready:NoSchedule,NoExecute          96         -',
      '  oregon      ✓     ✓                ✓            ✓        ✓                                         66         2 → 3',
      '  tokyo       ✓     ✗ clusterNames   ✓            ✓        ✗ maintenance=kernel-upgrade:NoSchedule   24         -',
      '  virginia    ✓     ✓                ✓            ✓        ✓                                         98         2 → 3',
      '  filters    3 of 5 clusters pass',
      '  spread     no constraints, all of them are taken',
      '  division   keeps dublin×2, oregon×2, virginia×2; 3 replicas by capacity virginia 96, dublin 64, oregon 64 → dublin×3, oregon×3, virginia×3',
      '',
      'Deployment shop/cart   PropagationPolicy shop/cart   9 replicas divided by capacity (dynamic weight)',
      '  on   dublin×2, frankfurt×3, oregon×2, virginia×2',
      '',
      'If frankfurt fails now:',
      '  T+0s      scenario                          frankfurt fails',
      '  T+35s     cluster-status                    frankfurt Ready=False (ClusterNotReachable)',
      '  T+35.1s   cluster-controller                frankfurt gets taint cluster.karmada.io/not-ready:NoSchedule',
      '  T+35.1s   cluster-taint-policy-controller   frankfurt gets taint cluster.karmada.io/not-ready:NoExecute',
      '                                                by ClusterTaintPolicy evict-when-not-ready',
      '  T+37.1s   taint-manager                     evicted from frankfurt, Gracefully',
      '                                                no toleration for the taint cluster.karmada.io/not-ready:NoExecute',
      '  T+37.2s   scheduler                         placed on dublin×3, oregon×3, virginia×3',
      '  T+37.2s   binding-controller                Work for dublin, oregon, virginia written, 3 replicas',
      '  T+1m9s    binding-status                    Healthy on dublin, oregon, virginia',
      '  T+1m9s    graceful-eviction                 the old copy on frankfurt is deleted',
      '                                                the current spec has been scheduled; every cluster of the result reports Healthy',
      '  T+1m9s    binding-controller                Work for frankfurt deleted',
      '',
      'Estimate: reported capacity, followed from the capture: pod-to-node placement is not in the state',
      'Estimate: whether Karmada uses stale health, from before the scale-up: it would delete the old copy at once',
      'Estimate: the cluster is probed every 10s, and Ready changes after its probes have agreed for 30s: the exact time is unknown',
      '',
      'Assumed: now=2026-09-01T09:30:00Z, workloadReadyAfter=30s (-o wide)',
    ]);
  });

  test('names the recovering cluster in the title', () => {
    const [title] = screen(explain('deploy/pricing', ...incident, '--recover', 'frankfurt@10m'));
    expect(title).toMatch(/^Deployment shop\/pricing, if frankfurt recovers in 10m: restarted/);
  });

  test('prints an estimate shared by several steps once', () => {
    const { stdout } = run([...cartIfFrankfurtFails, '--recover', 'frankfurt@5m']);
    expect(stdout.match(/^Estimate: the cluster is probed every 10s/gm)).toHaveLength(1);
  });

  test('gives the reason for zero ready replicas instead of only the count', () => {
    const [verdict] = screen(explain('sts/session-cache', ...incident));
    expect(verdict).toMatch(
      /\. 0 of 3 .* But purge mode Directly starts no new copy .* \[purge-directly-waits\]\./,
    );
    const [calm] = screen(explain('deploy/checkout', ...incident));
    expect(calm).toMatch(
      /: moves from frankfurt×6 to virginia×6\. 0 of 6 replicas run now; 6 from T\+8s on\.$/,
    );
  });

  test('explains a workload blocked during a failover, with the changes that help', () => {
    expect(screen(explain('deploy/pricing', ...incident))).toEqual([
      'Deployment shop/pricing, with no further failures: blocked, frankfurt×2 cannot be rescheduled (estimate): fewer regions have a suitable cluster than minGroups requires (SchedulerError: failed to select clusters: the number of feasible region is less than spreadConstraint.MinGroups) [scheduling-failed]. 2 of 4 replicas run now. Karmada deletes the copy on frankfurt at T+8m37s (estimate).',
      '',
      'If virginia fails:   lost (estimate), 4 replicas down permanently.',
      '',
      'What would help: any one of these',
      '  - add dublin to clusterNames of clusterAffinity: it moves to virginia×2, dublin×2',
      '      kubectl patch propagationpolicy pricing -n shop --type merge -p \'{"spec":{"placement":{"clusterAffinity":{"clusterNames":["frankfurt","virginia","oregon","dublin"]}}}}\'',
      '  - lower minGroups of the region constraint from 2 to 1: it moves to virginia×2, oregon×2',
      '      kubectl patch propagationpolicy pricing -n shop --type merge -p \'{"spec":{"placement":{"spreadConstraints":[{"spreadByField":"region","minGroups":1,"maxGroups":2},{"spreadByField":"cluster","minGroups":2,"maxGroups":2}]}}}\'',
      '  - drop the spread constraints: it moves to virginia×2, oregon×2',
      '      kubectl patch propagationpolicy pricing -n shop --type merge -p \'{"spec":{"placement":{"spreadConstraints":null}}}\'',
      '',
      'Requirements for it to leave a cluster that fails:',
      '  ✓ Failover=true',
      '  ✓ enable-taint-manager=true',
      '  ✓ enable-no-execute-taint-eviction=true',
      '  ✓ virginia would get cluster.karmada.io/not-ready:NoExecute when it fails',
      '  ✓ the scheduler has written the applied placement',
      '  ✓ no toleration keeps it there: cluster.karmada.io/not-ready evicts at once',
      '  ✗ not scheduled yet: SchedulerError',
      '',
      'Clusters as the scheduler sees them at T+1m21s (always rescheduled):',
      '  CLUSTER     API   AFFINITY         EVICTION     SPREAD   TAINTS                                    CAPACITY   REPLICAS',
      '  dublin      ✓     ✗ clusterNames   ✓            ✓        ✓                                         64         -',
      '  frankfurt   ✓     ✓                ✗ evicting   ✓        ✗ not-ready:NoSchedule,NoExecute          96         -',
      '  oregon      ✓     ✓                ✓            ✓        ✓                                         64         -',
      '  tokyo       ✓     ✗ clusterNames   ✓            ✓        ✗ maintenance=kernel-upgrade:NoSchedule   24         -',
      '  virginia    ✓     ✓                ✓            ✓        ✓                                         98         2',
      '  filters   2 of 5 clusters pass',
      '  spread    region 2..2 (of 1), cluster 2..2 (of 2): the number of feasible region is less than spreadConstraint.MinGroups',
      '  result    failed to select clusters: the number of feasible region is less than spreadConstraint.MinGroups',
      '',
      'Deployment shop/pricing   PropagationPolicy shop/pricing   2 replicas on each cluster (Duplicated)',
      '  on          virginia×2',
      '  leaves      frankfurt×2, stuck, waits for a cluster to move to: SchedulerError; at the latest in 8m37s: the copy on frankfurt is deleted once frankfurt is Ready again; it is not replaced, virginia keeps running',
      '  scheduler   SchedulerError: failed to select clusters: the number of feasible region is less than spreadConstraint.MinGroups',
      '',
      'With no further failures:',
      '  T+8m37s   graceful-eviction    the old copy on frankfurt is deleted',
      '                                   the time limit of 10m ended at 2026-09-01T09:40:37Z (graceful-eviction-timeout)',
      '  T+8m37s   binding-controller   Work for frankfurt deleted',
      '',
      'Estimate: when the scheduler retries: exponential back-off, retry time unknown',
      '',
      'Assumed: now=2026-09-01T09:32:00Z, workloadReadyAfter=30s (-o wide)',
    ]);
  });

  test('lists the random results of Karmada before v1.16', () => {
    const argv = [...cartIfFrankfurtFails, '--karmada-version'];
    const drawn = (version: string) =>
      screen([...argv, version]).filter((line) => line.startsWith('  at random'));
    expect(drawn('v1.15')).toEqual(['  at random   or virginia×4, oregon×3, dublin×2']);
    expect(drawn('v1.16')).toEqual([]);
    const document = json([...argv, 'v1.15']);
    expect(document).toMatchObject({ decision: { drawn: { among: [{}, {}], complete: true } } });
    expect(breaches('explanation', document)).toBe('');
  });

  test('explains several failures at their times', () => {
    const document = json(
      explain(
        'deploy/cart',
        ...shop,
        '--if-fails',
        'frankfurt',
        '--if-fails',
        'dublin@10m',
        '--ready-after',
        '1m',
      ),
    );
    expect(document).toMatchObject({
      failures: [
        { cluster: 'frankfurt', time: '2026-09-01T09:30:00.000Z', offsetSeconds: 0 },
        { cluster: 'dublin', time: '2026-09-01T09:40:00.000Z', offsetSeconds: 600 },
      ],
      verdict: { outcome: 'moves', before: expect.any(Array), replicas: { wanted: 9, readyAtEnd: 9 } },
      decision: { before: [{ name: 'oregon' }, { name: 'virginia' }] },
    });
    const evicted = (document['chain'] as unknown as { type: string; cluster: string }[]).filter(
      ({ type }) => type === 'Evicted',
    );
    expect(evicted.map(({ cluster }) => cluster)).toEqual(['frankfurt', 'dublin']);
  });

  test('reports that failover is off and the flag that turns it on', () => {
    const off = [...shop, '--assume', 'Failover=false'];
    const lines = screen(explain('deploy/cart', ...off, '--if-fails', 'frankfurt'));
    expect(lines.slice(0, 6)).toEqual([
      'Deployment shop/cart, if frankfurt fails now: stays on dublin×2, frankfurt×3, oregon×2, virginia×2: failover is off: gate Failover=false on karmada-controller-manager v1.18.2, the default from v1.10.8, v1.11.4 and v1.12.0 on; NoExecute taints evict nothing [failover-gate-off]. 6 of 9 replicas keep running; 3 are missing permanently.',
      '',
      'kubectl karmada-failover simulate --fail=frankfurt --state=examples/shop --assume=Failover=false',
      '',
      'to do: start karmada-controller-manager with --feature-gates=Failover=true',
      expect.stringContaining('kubectl -n karmada-system patch deployment karmada-controller-manager'),
    ]);
    expect(lines.join('\n')).toContain(
      [
        'Note:',
        '  ✗ Failover=false: NoExecute taints evict nothing',
        '      → start karmada-controller-manager with --feature-gates=Failover=true',
      ].join('\n'),
    );
  });

  test('prints every step with all evidence for -o wide, and only the matrix for --no-headers', () => {
    const wide = screen(explain('deploy/checkout', ...shop, '--if-fails', 'frankfurt', '-o', 'wide'));
    expect(wide.filter((line) => line.startsWith('  affinity group '))).toEqual([
      '  affinity group primary',
      '  affinity group backup',
    ]);
    expect(wide.join('\n')).toMatch(
      /eviction task gets its creationTimestamp, evicting frankfurt\n .*creationTimestamp\]/,
    );
    expect(screen(explain('deploy/cart', ...shop, '--no-headers'))[0]).toBe(
      'dublin      ✓   ✓                ✓   ✓   ✓                                         66   2',
    );
  });
});

describe.each([
  ['a failure', explain('deploy/cart', ...shop, '--if-fails', 'frankfurt', '--cluster', 'tokyo')],
  ['a workload that is lost', explain('sts/ledger', ...shop, '--if-fails', 'frankfurt')],
  ['affinity groups', explain('deploy/checkout', ...shop, '--if-fails', 'frankfurt', '--cluster', 'oregon')],
  ['the current placement', explain('deploy/storefront', ...shop, '--cluster', 'oregon')],
  ['an eviction in flight', explain('sts/session-cache', ...incident)],
  [
    'an object without replicas and namespace',
    explain('clusterrole/support-readonly', ...shop, '--if-fails', 'virginia'),
  ],
])('the explanation of %s', (_, argv) => {
  const document = json(argv);

  test('is valid against its schema', () => {
    expect(document).toMatchObject({ kind: 'Explanation', schemaVersion: 'v1', karmadaVersion: 'v1.18.2' });
    expect(breaches('explanation', document)).toBe('');
  });

  test('has the same content in YAML', () => {
    expect(load(run([...argv, '-o', 'yaml']).stdout)).toEqual(document);
  });

  test('has no colour and no trailing spaces in text', () => {
    for (const format of [[], ['-o', 'wide'], ['--no-headers']]) {
      const { code, stdout, stderr } = run([...argv, ...format]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      // eslint-disable-next-line no-control-regex
      expect(stdout).not.toMatch(/\u001b| $/m);
    }
  });
});

test('failover explain prints the workload with -o name', () => {
  expect(run(explain('rb/cart-deployment', ...shop, '-o', 'name')).stdout).toBe('deployment/cart\n');
  expect(run(explain('shop/deployment/cart', ...shop, '-o', 'name')).stdout).toBe('deployment/cart\n');
  expect(run(explain('shop/deployment/cart', ...shop, '-n', 'data'))).toMatchObject({
    code: 2,
    stderr: 'error: shop/deployment/cart and --namespace data name two namespaces; give one\n',
  });
});

describe('failover explain reports wrong usage in one line with exit code 2', () => {
  test.each([
    [explain(...shop), 'missing argument KIND/NAME; see kubectl karmada-failover failover explain --help'],
    [explain('deploy/crat', ...shop), 'no binding for deploy/crat in the state, did you mean deploy/cart?'],
    [
      explain('deploy/cart', '-n', 'data', ...shop),
      'no binding for deploy/cart in namespace data; there is one in shop',
    ],
    [
      explain('deploy/cart', ...shop, '--if-fails', 'frankfrut'),
      '--if-fails: there is no cluster "frankfrut" in the state, did you mean frankfurt?',
    ],
    [
      explain('deploy/cart', ...shop, '--if-fails', 'frankfurt@soon'),
      '--if-fails frankfurt@soon: "soon" is not a duration such as 90s or 5m',
    ],
    [
      explain('deploy/cart', ...shop, '--cluster', 'mars'),
      '--cluster: there is no cluster "mars" in the state; it has frankfurt, dublin, virginia, oregon, tokyo',
    ],
    [
      explain('deploy/cart', ...shop, '--ready-after', 'soon'),
      '--ready-after: "soon" is not a duration such as',
    ],
  ])('%j', (argv, message) => {
    const { code, stdout, stderr } = run(argv);
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      code: 2,
      stdout: '',
      lines: 1,
    });
    expect(stderr).toContain(`error: ${message}`);
  });

  test('for a name in several namespaces', () => {
    const binding = (namespace: string) => ({
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: { namespace, name: 'cart-deployment', creationTimestamp: '2026-09-01T09:30:00Z' },
      spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'cart' } },
    });
    const cluster = {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'tokyo' },
    };
    const stdin = JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [...['shop', 'test'].map(binding), cluster],
    });
    expect(run(explain('deploy/cart', '--state', '-'), { stdin })).toMatchObject({
      code: 2,
      stderr: 'error: deploy/cart exists in the namespaces shop, test; choose one with -n NAMESPACE\n',
    });
    expect(run(explain('deploy/cart', '-n', 'test', '--state', '-'), { stdin })).toMatchObject({ code: 0 });
  });
});

test('failover explain without events shows the outcome of the failure of each cluster', () => {
  const cart = run(['failover', 'explain', 'deploy/cart', '--state', 'examples/shop']).stdout;
  for (const cluster of ['dublin', 'frankfurt', 'oregon', 'virginia'])
    expect(cart).toMatch(
      new RegExp(
        `^If ${cluster} fails: +moves \\(estimate\\), \\d replicas down for 1m\\d+s; then on .*\\.$`,
        'm',
      ),
    );
  const ledger = run(['failover', 'explain', 'sts/ledger', '--state', 'examples/shop']).stdout;
  expect(ledger).toContain('If frankfurt fails:   lost, 3 replicas down permanently.');
});

test('failover explain simulates a recovery of a cluster', () => {
  const ledger = ['failover', 'explain', 'sts/ledger', '--state', 'examples/shop', '--if-fails', 'frankfurt'];
  const outcome = ['-o', 'jsonpath={.verdict.outcome}'];
  expect(run([...ledger, ...outcome]).stdout).toBe('lost');
  expect(run([...ledger, '--recover', 'cluster/frankfurt@5m', ...outcome]).stdout).toBe('restarted');
  expect(run([...ledger, '--recover', 'frankfurt'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--recover frankfurt: say when, as in frankfurt@10m'),
  });
});

test('failover explain suggests smaller requests', () => {
  const help = run([
    ...[
      'failover',
      'explain',
      'deploy/recommendations',
      '--if-fails',
      'frankfurt',
      '--state',
      'examples/shop',
    ],
    ...['-o', 'jsonpath={.changes.items[?(@.kinds[0]=="smaller-requests")].text}'],
  ]);
  expect(help.stdout).toBe(
    'request cpu 1980m and memory 6758Mi per replica instead of cpu 6 and memory 20Gi',
  );
});

test.each([
  [{ failover: { cluster: {} } }, 'PreferNoExecute'],
  [{}, 'NoExecute'],
])(
  'failover explain of the proposal suggests for a workload with %j the taint %s, which moves it',
  (spec, effect) => {
    const binding = deployment('api', {
      placement: onOneOf('member1', 'member2'),
      clusters: [{ name: 'member1', replicas: 1 }],
      replicas: 1,
      spec,
    });
    const items = [cluster('member1'), cluster('member2'), binding];
    const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const argv = ['failover', 'explain', 'deploy/api', '-n', 'shop', '--if-fails', 'member1', '--state', '-'];
    const { stdout } = run([...argv, '--karmada-version', 'proposal', '--assume', 'Failover=true'], {
      stdin,
    });
    expect(stdout).toContain(`adds cluster.karmada.io/not-ready:${effect} while Ready is False`);
  },
);
