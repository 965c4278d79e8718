import { describe, expect, test } from '@jest/globals';
import { json, run } from './cli.ts';

const screen = (argv: string[]) =>
  run(['failover', 'status', ...argv])
    .stdout.trimEnd()
    .split('\n');

describe('failover status', () => {
  test('lists clusters with the outcome of their failure', () => {
    const lines = screen(['--state', 'examples/shop']);
    expect(lines[0]).toBe('Cluster failover is on: workloads leave a cluster that fails.');
    expect(lines.slice(5, 11)).toEqual([
      'CLUSTER     READY   WORKLOADS   REPLICAS   EVICTING   FREE CPU/MEM/PODS   IF IT FAILS                            TAINTS',
      'frankfurt   True    12          33         0          37%/51%/88%         2 lost, 1 blocked; 5 uncertain         -',
      'virginia    True    8           10         0          91%/96%/92%         1 lost, 1 blocked; 1 uncertain         -',
      'dublin      True    6           10         0          86%/92%/91%         2 move in part, 3 move; 2 uncertain    -',
      'oregon      True    3           2          1          92%/96%/92%         2 move in part, 1 moves; 1 uncertain   -',
      'tokyo       True    0           0          0          93%/96%/94%         nothing on it                          maintenance=kernel-upgrade:NoSchedule (an operator, or a changed or deleted policy)',
    ]);
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^cluster\.karmada\.io\/not-ready:NoExecute +Ready In \[False\] +Ready In \[True\] +all +ClusterTaintPolicy evict-when-not-ready$/,
      ),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^Deployment karmada-system\/karmada-controller-manager +Failover=true, StatefulFailoverInjection=true, /,
      ),
    );
  });

  test('reports the resource that is overcommitted in the fleet', () => {
    const recording = ['--state', 'examples/incident.rec', '--at', '2026-11-22T13:18:30Z'];
    expect(screen(recording)[1]).toMatch(/; free: cpu overcommitted by \d+%, 13% of memory, 49% of pods\.$/);
  });

  test('shows the outcome of old copies on a cluster whose workloads are all evicted', () => {
    const lines = screen(['--state', 'test/fixtures/reports/evicted-everywhere.json']);
    expect(lines).toContainEqual(expect.stringMatching(/^member1 +True +0 +0 +1 .* 1 moves; 1 uncertain$/));
    expect(lines).toContainEqual(expect.stringMatching(/^member2 +True +0 +0 +1 .* 1 lost; 1 uncertain$/));
  });

  test('shows downtime and the source of each switch with -o wide', () => {
    const lines = screen(['--state', 'examples/shop', '-o', 'wide']);
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^frankfurt .*; 13 replicas down permanently; 60 replica-minutes of downtime; 5 uncertain /,
      ),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^Failover +true +Deployment karmada-system\/karmada-controller-manager, --feature-gates$/,
      ),
    );
  });

  test.each([
    [['-l', 'app=nope'], 'dublin'],
    [['-n', 'data'], 'tokyo'],
  ])('with %j reports no selected workload on %s', (flags, cluster) => {
    const lines = screen(['--state', 'examples/shop', ...flags]);
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^${cluster} +True +0 +0 .* nothing selected on it`)),
    );
    const one = screen([cluster, '--state', 'examples/shop', ...flags]);
    expect(one).toContainEqual(expect.stringMatching(/ If it fails: nothing selected on it\.$/));
  });

  test('shows one cluster with its taints, their owners and its workloads', () => {
    expect(screen(['frankfurt', '--state', 'examples/incident'])).toEqual([
      'Cluster failover is on: workloads leave a cluster that fails.',
      'frankfurt is not Ready: 1 workload, 2 replicas, 5 evictions. If it stays not Ready: 2 lost, 1 blocked, 1 moves, 1 tolerates it; 13 replicas down permanently; 1 replica-minute of downtime; 2 uncertain.',
      '',
      'kubectl karmada-failover explain shop/deployment/recommendations --state=examples/incident',
      '',
      'WORKLOAD                      CLUSTERS                NOW',
      'shop/deploy/recommendations   nowhere                 down: 0 of 6 ready',
      'data/sts/ledger               nowhere                 down: 0 of 3 ready',
      'shop/deploy/checkout          virginia×6              down: 0 of 6 ready',
      'data/sts/session-cache        dublin×3                down: 0 of 3 ready',
      expect.stringMatching(/^shop\/deploy\/pricing +virginia×2 +not rescheduled: SchedulerError: failed to/),
      'data/deploy/archive           frankfurt×2, dublin×2   frankfurt not ready',
      '',
      'Cluster frankfurt',
      '  ready    False for 1m25s',
      '           ClusterNotReachable: cluster is not reachable',
      '  mode     Push, region europe',
      '  taints   cluster.karmada.io/not-ready:NoSchedule by Karmada itself, 1m25s ago',
      '           cluster.karmada.io/not-ready:NoExecute by policy evict-when-not-ready, 1m25s ago',
      '',
      'WORKLOAD                      REPLICAS   HEALTH                       IF IT FAILS          NOTE',
      'shop/deploy/checkout          6          Healthy when last reported   moves                evicting',
      'shop/deploy/recommendations   6          Healthy when last reported   lost (estimate)      evicting',
      'shop/deploy/pricing           2          Healthy when last reported   blocked (estimate)   evicting',
      'data/sts/ledger               3          Healthy when last reported   lost                 evicting',
      'data/deploy/archive           2          Healthy when last reported   tolerates            -',
      'data/sts/session-cache        3          Healthy when last reported   -                    evicting',
      '',
      'Assumed: now=2026-09-01T09:32:00Z, workloadReadyAfter=30s (-o wide)',
    ]);
  });

  test('suggests the audit if nothing is lost or no loss is simulated', () => {
    const command = 'kubectl karmada-failover audit --state=examples/shop';
    expect(screen(['tokyo', '--state', 'examples/shop'])).toContain(command);
    expect(screen(['frankfurt', '--state', 'examples/shop'])).not.toContain(command);
  });

  test('says that failover is on by inference if evictions in flight disprove defaults', () => {
    const lines = screen(['--state', 'examples/incident/control-plane.json']);
    expect(lines[0]).toBe('Cluster failover is on by inference: workloads leave a cluster that fails.');
    expect(lines).toContain(
      '- Failover was true, against its default, when the taint manager began the 5 evictions in flight',
    );
  });

  test('reports missing flags as unknown', () => {
    const state = ['--state', 'examples/shop/control-plane.json'];
    const [verdict, , , command, , ...reasons] = screen(state);
    expect(verdict).toBe(
      'Cluster failover is off by unverified defaults: workloads stay on a cluster that fails.',
    );
    expect(command).toMatch(/^kubectl karmada-failover simulate --fail=frankfurt/);
    expect(reasons.slice(0, 3)).toEqual([
      expect.stringContaining('the feature gate Failover is assumed to be false: '),
      expect.stringContaining('enable-no-execute-taint-eviction is assumed to be false: '),
      expect.stringContaining(
        'unknown: the state does not show Failover, enable-taint-manager, enable-no-execute-taint-eviction',
      ),
    ]);
    const given = ['Failover', 'enable-taint-manager', 'enable-no-execute-taint-eviction'].flatMap((name) => [
      '--assume',
      `${name}=true`,
    ]);
    expect(json(['failover', 'status', ...state, ...given])).toMatchObject({
      failover: { state: 'on', certainty: 'certain' },
    });
  });
});

test.each([
  [['--at', '2026-09-01T09:32:00Z'], '--watch uses the clock of the API server; leave --at out'],
  [['--sort-by', '.replicas'], '--watch prints changes as they come; leave --sort-by out'],
  [
    ['-l', 'app=cart'],
    '--watch does not follow the labels of workloads; leave --selector out, and use --namespace or --field-selector',
  ],
])('failover status --watch with %j is wrong usage', (argv, message) => {
  expect(run(['failover', 'status', '-w', ...argv])).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: ${message}\n`,
  });
});

test('failover status ranks clusters by the cost of their failure, and lists them in that order', () => {
  const state = ['failover', 'status', '--state', 'examples/shop'];
  const { stdout } = run([...state, '-o', 'json']);
  const { clusters } = JSON.parse(stdout) as {
    clusters: { name: string; rank: number; costIfItFails: { lost: number; blocked: number } }[];
  };
  const byRank = clusters.toSorted((a, b) => a.rank - b.rank);
  expect(byRank.map(({ costIfItFails: { lost } }) => lost)).toEqual([2, 1, 0, 0, 0]);
  const text = run(state).stdout;
  const shown = text
    .split('\n')
    .flatMap((line) => clusters.find(({ name }) => line.startsWith(`${name} `))?.name ?? []);
  expect(shown).toEqual(byRank.map(({ name }) => name));
  const sorted = run([...state, '--sort-by=.name']).stdout;
  expect(sorted.indexOf('\ndublin ')).toBeLessThan(sorted.indexOf('\nfrankfurt '));
});

test.each([
  ['failover', 'status'],
  ['eviction', 'inspect'],
])('%s %s --watch prints a captured state once, with the reason', (...command) => {
  const state = [...command, '--state', 'examples/shop'];
  expect(run([...state, '--watch'])).toEqual({
    ...run(state),
    stderr: 'A captured state does not change, so it is printed once; dashboard replays a recording.\n',
  });
});
