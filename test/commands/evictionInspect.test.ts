import { describe, expect, test } from '@jest/globals';
import { cluster, deployment } from '../simulator/simulation/controlPlane.ts';
import { onOneOf } from '../proposal/underDesign.ts';
import { json, run } from './cli.ts';
import { breaches } from './schema.ts';

const incident = ['eviction', 'inspect', '--state', 'examples/incident'];
const screen = (argv: string[]) => run(argv).stdout.trimEnd().split('\n');

describe('eviction inspect', () => {
  test('lists evictions in flight with the reason they wait and the outcome at the deadline', () => {
    expect(screen(incident)).toEqual([
      '6 evictions: 1 waiting, 4 stuck, 1 held. 2 lost (1 uncertain).',
      '',
      'kubectl karmada-failover eviction inspect shop/deployment/recommendations --state=examples/incident',
      '',
      'WORKLOAD                      FROM        TO           MODE         AGE     DEADLINE   OUTCOME              VERDICT',
      'shop/deploy/recommendations   frankfurt   nowhere      Gracefully   1m23s   in 8m37s   lost (estimate)      stuck, waits for a cluster to move to: Unschedulable',
      'data/sts/ledger               frankfurt   nowhere      Gracefully   1m23s   in 8m37s   lost                 stuck, waits for a cluster to move to: NoClusterFit',
      'shop/deploy/pricing           frankfurt   virginia×2   Gracefully   1m23s   in 8m37s   blocked (estimate)   stuck, waits for a cluster to move to: SchedulerError',
      'shop/deploy/checkout          frankfurt   virginia×6   Gracefully   25s     in 9m35s   moves                waits for virginia to be Healthy (Unhealthy)',
      'data/sts/session-cache        frankfurt   dublin×3     Directly     1m23s   in 8m37s   moves (estimate)     stuck, waits for the old Work on frankfurt to be deleted (not Ready)',
      'data/deploy/queue             oregon      virginia×2   Never        8h14m   none       stays                held, waits for an operator to release or complete it',
      '',
      'Assumed: now=2026-09-01T09:32:00Z, workloadReadyAfter=30s (-o wide)',
    ]);
  });

  test('suggests the held eviction next if nothing is worse', () => {
    const [verdict, , next] = screen([...incident, '-l', 'app=queue']);
    expect(verdict).toBe('1 eviction: 1 held.');
    expect(next).toBe(
      'kubectl karmada-failover eviction inspect data/deployment/queue --state=examples/incident',
    );
  });

  test('prints the eviction tasks of one workload in full', () => {
    expect(screen([...incident, 'sts/ledger', '-n', 'data', '--at', '2026-09-01T09:33:00Z'])).toEqual([
      '1 eviction: 1 stuck. 1 lost.',
      '',
      'kubectl karmada-failover explain data/statefulset/ledger --state=examples/incident --at=2026-09-01T09:33:00Z',
      '',
      'StatefulSet data/ledger   ResourceBinding data/ledger-statefulset',
      '  from       frankfurt×3 (Healthy when last reported)',
      '  to         nowhere',
      '  task       Gracefully, TaintUntolerated, by TaintManager',
      '  created    2026-09-01T09:30:37Z, 2m23s ago',
      '  deadline   2026-09-01T09:40:37Z, in 7m37s',
      '  verdict    stuck, waits for a cluster to move to: NoClusterFit',
      '  ends       2026-09-01T09:40:37Z, in 7m37s',
      '  outcome    lost: nowhere',
      '  then       the copy on frankfurt is deleted once frankfurt is Ready again; nothing replaces it',
      expect.stringMatching(/^ {2}evidence {3}the time limit of 10m runs until 2026-09-01T09:40:37Z/),
      expect.stringContaining('the current spec (generation 5) has not been scheduled'),
      expect.stringContaining('[status.conditions[0].reason: NoClusterFit]'),
      '',
      'Assumed: workloadReadyAfter=30s (-o wide)',
    ]);
  });

  test('reports no evictions in flight', () => {
    const { code, stdout } = run(['eviction', 'inspect', '--state', 'examples/shop', '-n', 'shop']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'No evictions in flight in namespace shop.\n\nkubectl karmada-failover status --state=examples/shop\n',
    });
  });

  test.each([
    [['deploy/cart'], 'of deploy/cart'],
    [['-l', 'app=crat'], 'of workloads with app=crat'],
    [['-l', 'app', '-n', 'platform'], 'of workloads with app in namespace platform'],
  ])('reports no evictions in flight with the selection, which may contain a typo: %j', (more, asked) => {
    const { stdout } = run(['eviction', 'inspect', '--state', 'examples/incident', ...more]);
    expect(stdout).toBe(
      `No evictions in flight ${asked}.\n\nkubectl karmada-failover status --state=examples/incident\n`,
    );
  });

  test('reads the timeout from the flags of karmada-controller-manager or --assume', () => {
    const state = 'examples/incident/control-plane.json';
    const guessed = json(['eviction', 'inspect', 'sts/ledger', '--state', state]);
    expect(guessed).toMatchObject({
      assumptions: expect.arrayContaining([
        expect.objectContaining({ name: 'graceful-eviction-timeout', value: '10m', assumed: true }),
      ]),
      items: [{ evidence: expect.arrayContaining([expect.objectContaining({ certainty: 'estimate' })]) }],
    });
    const argv = ['eviction', 'inspect', 'sts/ledger', '--state', state];
    expect(json([...argv, '--assume', 'graceful-eviction-timeout=3m'])).toMatchObject({
      items: [{ deadline: '2026-09-01T09:33:37Z', verdict: 'stuck' }],
    });
    expect(json([...argv, '--assume', 'graceful-eviction-timeout=1m'])).toMatchObject({
      items: [{ deadline: '2026-09-01T09:31:37Z', verdict: 'ends-now' }],
    });
  });

  test('marks the last health reported by an unreachable cluster as stale', () => {
    expect(json([...incident, 'sts/ledger'])).toMatchObject({
      items: [{ fromCluster: 'frankfurt', fromHealth: 'Healthy', staleHealth: ['frankfurt'] }],
    });
  });
});

describe('the eviction queue of the proposal', () => {
  const taints = [{ key: 'fault', effect: 'PreferNoExecute' as const, timeAdded: '2026-09-01T08:00:00Z' }];
  const workload = (name: string, places: string[]) =>
    deployment(name, {
      placement: onOneOf(...places),
      clusters: [{ name: 'member1', replicas: 1 }],
      replicas: 1,
      spec: { failover: { cluster: { tolerationSeconds: 0 } } },
    });
  const stateWith = (its: typeof taints) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [
        ...['member1', 'member2', 'member3'].map((name) => cluster(name, name === 'member1' ? its : [])),
        workload('api', ['member1', 'member2']),
        workload('pinned', ['member1']),
      ],
    });
  const stdin = stateWith(taints);
  const argv = ['eviction', 'inspect', '--state', '-', '--karmada-version', 'proposal'];
  const on = ['--assume', 'Failover=true', '--at', '2026-09-01T08:00:10Z'];

  test('is listed with positions and the reason for the estimate', () => {
    const { stdout, code } = run([...argv, ...on], { stdin });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^No evictions in flight\.\n\nIn the eviction queue, which evicts 0\.5 .*\(estimate: certainty needs/,
    );
    expect(stdout).toMatch(/shop +Deployment\/api +member1 +1 +10s ago +now +its turn/);
    expect(stdout).toMatch(
      /Deployment\/pinned +member1 +2 +10s ago +not at all +its eviction is, or was, abandoned: no cluster besides member1 matches/,
    );
  });

  test('shows no time for an eviction after the year 9999', () => {
    const slow = run([...argv, ...on, '--assume', 'resource-eviction-rate=1e-12'], {
      stdin: stdin.replace('"pinned"', '"other"').replaceAll('["member1"]', '["member1","member2"]'),
    });
    expect(slow.stdout).toMatch(/Deployment\/\w+ +member1 +2 +10s ago +not in this state +its turn/);
    const late = stateWith([{ ...taints[0]!, timeAdded: '9999-12-31T23:59:59Z' }]);
    const { stdout } = run([...argv, ...on], {
      stdin: late.replaceAll('"tolerationSeconds":0', '"tolerationSeconds":9'),
    });
    expect(stdout).toMatch(/Deployment\/api +member1 +tolerating +in \w+ +after the year 9999 +/);
  });

  test('is a field of the document, and can be limited to one workload', () => {
    const document = json([...argv, ...on, 'deploy/pinned'], { stdin }) as unknown as {
      queue: { items: { workload: { name: string } }[] };
    };
    expect(breaches('eviction-task-list', document)).toBe('');
    expect(document.queue.items).toMatchObject([{ workload: { name: 'pinned' }, position: 2 }]);
  });

  test('is hidden if the feature gate Failover is off', () => {
    expect(run(argv, { stdin }).stdout).toMatch(/^No evictions in flight\.\n*/);
    expect(run(argv, { stdin }).stdout).not.toContain('queue');
  });
});
