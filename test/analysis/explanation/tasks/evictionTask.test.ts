import { describe, expect, test } from '@jest/globals';
import { dialectOf } from '../../../../src/karmada/dialects/dialects.ts';
import { explainEvictionTasks } from '../../../../src/analysis/explanation/tasks/evictionTask.ts';
import type { SimulatedTasks } from '../../../../src/analysis/explanation/tasks/simulatedTasks.ts';
import type { WorkloadOutcome } from '../../../../src/simulator/verdicts/outcome.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type {
  GracefulEvictionTask,
  ResourceBinding,
  TargetCluster,
  Work,
} from '../../../../src/karmada/api/work.ts';
import { PROPAGATION_POLICY_PERMANENT_ID_LABEL } from '../../../../src/karmada/api/names.ts';

const NOW = Date.parse('2026-09-01T09:32:00Z');
const CREATED = '2026-09-01T09:31:00Z';
const ID = {
  'resourcebinding.karmada.io/permanent-id': 'cart-id',
  [PROPAGATION_POLICY_PERMANENT_ID_LABEL]: 'cart-policy',
};

const cluster = (name: string, ready = 'True', more: Partial<Cluster['spec']> = {}) =>
  ({
    metadata: { name },
    spec: more,
    status: {
      conditions: [{ type: 'Ready', status: ready }],
      apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment' }] }],
    },
  }) as Cluster;

const task = (more: Partial<GracefulEvictionTask> = {}): GracefulEvictionTask => ({
  fromCluster: 'frankfurt',
  purgeMode: 'Gracefully',
  replicas: 3,
  reason: 'TaintUntolerated',
  producer: 'TaintManager',
  creationTimestamp: CREATED,
  ...more,
});

interface Setting {
  tasks?: GracefulEvictionTask[];
  spec?: Partial<ResourceBinding['spec']>;
  status?: Partial<ResourceBinding['status']>;
  clusters?: Cluster[];
  works?: Work[];
  timeoutAssumed?: string;
  deletionTimestamp?: string;
  played?: SimulatedTasks;
  controllers?: string;
  version?: string;
}

function explain(setting: Setting) {
  const binding = {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      namespace: 'shop',
      name: 'cart-deployment',
      generation: 4,
      labels: ID,
      deletionTimestamp: setting.deletionTimestamp,
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'cart' },
      replicas: 3,
      clusters: [{ name: 'dublin', replicas: 3 }],
      placement: { replicaScheduling: { replicaSchedulingType: 'Divided' } },
      gracefulEvictionTasks: setting.tasks ?? [task()],
      ...setting.spec,
    },
    status: {
      schedulerObservedGeneration: 4,
      aggregatedStatus: [
        { clusterName: 'dublin', health: 'Unhealthy' },
        { clusterName: 'frankfurt', health: 'Healthy' },
      ],
      ...setting.status,
    },
  } as ResourceBinding;
  const clusters = setting.clusters ?? [cluster('frankfurt', 'False'), cluster('dublin')];
  const { defaults } = dialectOf(setting.version ?? 'v1.18.2').dialect;
  return explainEvictionTasks({ clusters, works: setting.works ?? [] }, [binding], {
    now: NOW,
    configuration: {
      ...defaults,
      controllerManager: {
        ...defaults.controllerManager,
        ...(setting.controllers && { controllers: setting.controllers }),
      },
    },
    ...(setting.played ? { played: () => setting.played } : {}),
    ...(setting.timeoutAssumed ? { timeoutAssumed: setting.timeoutAssumed } : {}),
  });
}

const noClusterFits = {
  spec: { clusters: [] },
  status: {
    schedulerObservedGeneration: 3,
    conditions: [
      { type: 'Scheduled', status: 'False' as const, reason: 'NoClusterFit', message: '0/2 clusters' },
    ],
  },
};

describe('an eviction task without the graceful eviction controller', () => {
  const controllers = '*,-gracefulEviction';
  const healthy = {
    aggregatedStatus: [{ clusterName: 'dublin', health: 'Healthy' as const, applied: true }],
  };

  test.each([
    ['waits', {}],
    ['is past its timeout', { tasks: [task({ creationTimestamp: '2026-09-01T08:00:00Z' })] }],
    ['is replaced', { status: healthy }],
    ['is new', { tasks: [task({ creationTimestamp: '0001-01-01T00:00:00Z' })] }],
    ['is held', { tasks: [task({ suppressDeletion: true })] }],
    ['is released', { tasks: [task({ suppressDeletion: false })] }],
  ])('that %s has no deadline and does not end', (_, setting: Setting) => {
    expect(explain(setting)[0]!.waitingFor ?? '').not.toContain('not started');
    expect(explain({ ...setting, controllers })).toMatchObject([
      {
        deadline: null,
        atDeadline: null,
        verdict: 'stuck',
        waitingFor: 'the graceful eviction controller, which is not started',
        certainty: 'unknown',
        consequence: expect.stringContaining('until then the copy on frankfurt stays'),
        evidence: [{ rule: expect.stringContaining('does not start the graceful eviction controller') }],
      },
    ]);
  });
});

describe('the simulated outcome of an eviction task', () => {
  const binding = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' };
  const dublin: [TargetCluster] = [{ name: 'dublin', replicas: 3 }];
  const about = { kind: 'Deployment', namespace: 'shop', name: 'cart', binding, before: [], evicting: [] };
  const played = (outcome: WorkloadOutcome, end?: number) => ({ outcome, endOf: () => end });

  test('determines the end of the task and the outcome of the workload', () => {
    const outcome: WorkloadOutcome = {
      ...about,
      outcome: 'moves',
      after: dublin,
      certainty: 'estimate',
      dependsOn: ['a tie'],
      possibleEnds: [dublin, [{ name: 'tokyo', replicas: 3 }]],
    };
    expect(explain({ played: played(outcome, NOW + 5000) })[0]).toMatchObject({
      endsAt: '2026-09-01T09:32:05.000Z',
      outcome: 'moves',
      after: dublin,
      atDeadline: 'moved',
      certainty: 'estimate',
      dependsOn: ['a tie'],
      possibleEnds: [dublin, [{ name: 'tokyo', replicas: 3 }]],
    });
    const [task] = explain({ played: played({ ...outcome, outcome: 'blocked', down: true }) });
    expect(task).toMatchObject({ outcome: 'blocked', down: true });
  });

  test('makes the task stuck only if nothing but its deadline ends it', () => {
    const outcome: WorkloadOutcome = { ...about, outcome: 'moves', after: dublin, certainty: 'certain' };
    const verdictIfEnded = (end: number) =>
      explain({ ...noClusterFits, played: played(outcome, end) })[0]!.verdict;
    const deadline = Date.parse('2026-09-01T09:41:00Z');
    expect(verdictIfEnded(deadline - 1000)).toBe('waiting');
    expect(verdictIfEnded(deadline)).toBe('stuck');
  });

  test('can be a workload that flaps', () => {
    const flapping = { period: 90_000, cause: 'TaintUntolerated' };
    const reason = 'evicted again every 1m30s (TaintUntolerated)';
    const outcome: WorkloadOutcome = {
      ...about,
      outcome: 'flaps',
      after: dublin,
      certainty: 'certain',
      reason,
      flapping,
    };
    expect(explain({ played: played(outcome) })[0]).toMatchObject({
      endsAt: null,
      outcome: 'flaps',
      atDeadline: 'flaps',
      flapping,
      consequence: `the copy on frankfurt is deleted once frankfurt is Ready again; ${reason}`,
    });
  });

  test('is replaced by an estimate if nothing was simulated', () => {
    expect(explain({})[0]).toMatchObject({
      certainty: 'estimate',
      dependsOn: [expect.stringContaining('not simulated')],
    });
  });
});

describe('an eviction task that waits for its replacement', () => {
  test('shows the cluster that has to become Healthy, and the deadline', () => {
    expect(explain({})[0]).toMatchObject({
      binding: { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' },
      workload: { kind: 'Deployment', namespace: 'shop', name: 'cart' },
      fromCluster: 'frankfurt',
      toClusters: [{ name: 'dublin', replicas: 3, health: 'Unhealthy', stale: false }],
      replicas: 3,
      createdAt: CREATED,
      ageSeconds: 60,
      deadline: '2026-09-01T09:41:00Z',
      verdict: 'waiting',
      waitingFor: 'dublin to be Healthy (Unhealthy)',
      atDeadline: 'moved',
      outcome: 'moves',
      after: [{ name: 'dublin', replicas: 3 }],
    });
  });

  test('uses its own grace period before that of the controller', () => {
    expect(explain({ tasks: [task({ gracePeriodSeconds: 90 })] })[0]!.deadline).toBe('2026-09-01T09:32:30Z');
  });

  test('is stuck if the cluster of the replacement reports nothing', () => {
    const clusters = [cluster('frankfurt', 'False'), cluster('dublin', 'Unknown')];
    expect(explain({ clusters })[0]).toMatchObject({
      verdict: 'stuck',
      waitingFor: 'dublin to be Healthy (Unhealthy; Ready=Unknown, no reports)',
      staleHealth: ['frankfurt', 'dublin'],
    });
  });

  test('is stuck if dispatching is suspended', () => {
    expect(explain({ spec: { suspension: { dispatching: true } } })[0]).toMatchObject({
      verdict: 'stuck',
      waitingFor: 'dublin to be Healthy, but dispatching there is suspended',
    });
  });

  test('leaves fewer replicas if not all have been placed', () => {
    const [one] = explain({ spec: { clusters: [{ name: 'dublin', replicas: 2 }] } });
    expect(one).toMatchObject({ atDeadline: 'partly-moved', outcome: 'blocked' });
    expect(one!.consequence).toContain('dublin keeps running with 1 replica fewer than wanted');
  });
});

describe('an eviction task without a replacement', () => {
  test('ends in a loss at the deadline', () => {
    const [one] = explain(noClusterFits);
    expect(one).toMatchObject({
      verdict: 'stuck',
      waitingFor: 'a cluster to move to: NoClusterFit',
      atDeadline: 'lost',
      consequence: 'the copy on frankfurt is deleted once frankfurt is Ready again; nothing replaces it',
    });
    expect(one!.evidence).toContainEqual(
      expect.objectContaining({ field: 'status.conditions[0].reason', value: 'NoClusterFit' }),
    );
  });

  test('ends in a restart if the scheduler may choose the old cluster again', () => {
    const clusters = [cluster('frankfurt'), cluster('dublin')];
    const placement = { clusterAffinity: { clusterNames: ['frankfurt'] } };
    const setting = { ...noClusterFits, spec: { ...noClusterFits.spec, placement } };
    expect(explain({ ...setting, clusters })[0]).toMatchObject({
      atDeadline: 'restarted',
      outcome: 'restarted',
      consequence:
        'the copy on frankfurt is deleted; the scheduler then places it on frankfurt again, where it restarts',
    });
    const tainted = cluster('frankfurt', 'True', { taints: [{ key: 'drain', effect: 'NoExecute' }] });
    expect(explain({ ...setting, clusters: [tainted] })[0]).toMatchObject({ atDeadline: 'lost' });
  });

  test('does not claim that other evicted copies keep running', () => {
    const clusters = [cluster('frankfurt'), cluster('dublin')];
    const placement = { clusterAffinity: { clusterNames: ['frankfurt', 'dublin'] } };
    const setting = { ...noClusterFits, spec: { ...noClusterFits.spec, placement } };
    const tasks = [task(), task({ fromCluster: 'dublin' })];
    expect(explain({ ...setting, clusters, tasks }).map((one) => one.consequence)).toEqual([
      'the copy on frankfurt is deleted; the scheduler then places it on frankfurt, dublin again, where it restarts',
      'the copy on dublin is deleted; the scheduler then places it on dublin, frankfurt again, where it restarts',
    ]);
  });

  test('ends in a loss if any filter of the scheduler rejects the old cluster', () => {
    const placement = {
      clusterAffinity: { clusterNames: ['frankfurt'] },
      spreadConstraints: [{ spreadByField: 'region' as const, minGroups: 1, maxGroups: 1 }],
    };
    const setting = { ...noClusterFits, spec: { ...noClusterFits.spec, placement } };
    const regionless = cluster('frankfurt');
    expect(explain({ ...setting, clusters: [regionless] })[0]).toMatchObject({ atDeadline: 'lost' });
    const inEurope = cluster('frankfurt', 'True', { region: 'europe' });
    expect(explain({ ...setting, clusters: [inEurope] })[0]).toMatchObject({ atDeadline: 'restarted' });
  });

  test('waits for a scheduler that a suspension stops', () => {
    expect(
      explain({
        spec: { suspension: { scheduling: true } },
        status: { schedulerObservedGeneration: 3 },
      })[0],
    ).toMatchObject({
      verdict: 'stuck',
      waitingFor: 'the scheduler, which spec.suspension.scheduling stops',
    });
  });
});

describe('an eviction task that ends now', () => {
  const healthy = { aggregatedStatus: [{ clusterName: 'dublin', health: 'Healthy' as const }] };

  test('because the replacement is healthy', () => {
    expect(explain({ status: healthy })[0]).toMatchObject({
      verdict: 'ends-now',
      waitingFor: null,
      staleHealth: [],
    });
  });

  test('because of stale health, which it reports', () => {
    const clusters = [cluster('frankfurt'), cluster('dublin', 'False')];
    const [one] = explain({ status: healthy, clusters });
    expect(one).toMatchObject({ verdict: 'ends-now', staleHealth: ['dublin'] });
    expect(one!.evidence).toContainEqual(
      expect.objectContaining({ certainty: 'unknown', object: { kind: 'Cluster', name: 'dublin' } }),
    );
  });

  test('because its timeout has passed', () => {
    expect(explain({ tasks: [task({ creationTimestamp: '2026-09-01T09:21:30Z' })] })[0]).toMatchObject({
      verdict: 'ends-now',
      deadline: '2026-09-01T09:31:30Z',
    });
  });

  test('is overdue more than a minute after its deadline: a running controller would have ended it', () => {
    expect(explain({ tasks: [task({ creationTimestamp: '2026-09-01T09:00:00Z' })] })[0]).toMatchObject({
      verdict: 'overdue',
      deadline: '2026-09-01T09:10:00Z',
    });
  });
});

describe('an eviction task of a binding whose current spec is not scheduled', () => {
  const inVersion = (version: string, creationTimestamp?: string) =>
    explain({ ...noClusterFits, version, tasks: [task({ creationTimestamp: creationTimestamp! })] })[0]!;

  test.each(['v1.11.7', 'v1.12.4', 'v1.13.0'])(
    'stays forever in %s, which does not process it',
    (version) => {
      expect(inVersion(version)).toMatchObject({
        verdict: 'stuck',
        waitingFor: 'a cluster to move to: NoClusterFit',
        atDeadline: null,
        consequence: expect.stringContaining('the copy on frankfurt stays'),
      });
      expect(inVersion(version, '2026-09-01T09:00:00Z')).toMatchObject({ verdict: 'stuck' });
    },
  );

  test.each(['v1.11.8', 'v1.12.5', 'v1.13.1'])('is processed from %s on', (version) => {
    expect(inVersion(version).verdict).toBe('new');
    expect(inVersion(version, '2026-09-01T09:00:00Z').verdict).toBe('overdue');
  });

  test('may still end at its timeout by the timer of an earlier reconcile', () => {
    expect(inVersion('v1.12.4', CREATED)).toMatchObject({
      verdict: 'stuck',
      deadline: '2026-09-01T09:41:00Z',
      atDeadline: 'lost',
      certainty: 'estimate',
    });
  });
});

describe('an eviction task without a deadline', () => {
  test('without a timestamp has no age', () => {
    const { creationTimestamp: _, ...unstamped } = task();
    expect(explain({ tasks: [unstamped] })[0]).toMatchObject({
      verdict: 'new',
      createdAt: null,
      ageSeconds: null,
      deadline: null,
    });
  });

  test('with a hold stays until it is released', () => {
    const [one] = explain({ tasks: [task({ purgeMode: 'Never', suppressDeletion: true })] });
    expect(one).toMatchObject({
      verdict: 'held',
      deadline: null,
      atDeadline: null,
      consequence: 'both copies stay, on frankfurt and dublin',
      waitingFor: 'an operator to release or complete it',
    });
  });

  test('with a hold lists all copies that stay', () => {
    const held = task({ purgeMode: 'Never', suppressDeletion: true });
    const alone = { ...noClusterFits, tasks: [held] };
    expect(explain(alone)[0]!.consequence).toBe('the copy on frankfurt stays and is the only one');
    const two = [held, { ...held, fromCluster: 'paris' }];
    expect(explain({ ...noClusterFits, tasks: two }).map((one) => one.consequence)).toEqual([
      'both copies stay, on frankfurt and paris',
      'both copies stay, on paris and frankfurt',
    ]);
    expect(explain({ tasks: two })[0]!.consequence).toBe('all copies stay, on frankfurt, dublin, paris');
  });

  test('has a negative age if its timestamp is in the future', () => {
    const [one] = explain({ tasks: [task({ creationTimestamp: '2026-09-01T09:32:01Z' })] });
    expect(one!.ageSeconds).toBe(-1);
  });

  test('with the hold of a drain waits for that drain', () => {
    const [one] = explain({ tasks: [task({ producer: 'karmada-failover', suppressDeletion: true })] });
    expect(one).toMatchObject({
      verdict: 'held',
      waitingFor: 'the drain of frankfurt; start it again if it does not run',
    });
  });
});

describe('purge mode Directly', () => {
  const old: Work = {
    metadata: { namespace: 'karmada-es-frankfurt', name: 'cart-1', labels: ID, deletionTimestamp: CREATED },
  };
  const nothingYet = { aggregatedStatus: [] };
  const direct = (preservedLabelState?: Record<string, string>) => ({
    tasks: [task({ purgeMode: 'Directly', ...(preservedLabelState ? { preservedLabelState } : {}) })],
    status: nothingYet,
  });

  test('creates no replacement while the old Work exists, which a failed cluster cannot delete', () => {
    const [one] = explain({ ...direct({ replicas: '3' }), works: [old] });
    expect(one).toMatchObject({
      verdict: 'stuck',
      waitingFor: 'the old Work on frankfurt to be deleted (not Ready)',
      consequence: 'dublin gets its copy only then, without the preserved state',
    });
    expect(one!.evidence).toContainEqual(
      expect.objectContaining({
        object: { kind: 'Work', namespace: 'karmada-es-frankfurt', name: 'cart-1' },
        value: CREATED,
      }),
    );
  });

  test('is waiting, and not stuck, if the old cluster is Ready', () => {
    const clusters = [cluster('frankfurt'), cluster('dublin')];
    expect(explain({ ...direct(), works: [old], clusters })[0]).toMatchObject({ verdict: 'waiting' });
  });

  test('deletes the old copy even if the task is held', () => {
    const tasks = [task({ purgeMode: 'Directly', suppressDeletion: true })];
    expect(explain({ tasks, works: [old] })[0]!.consequence).toBe(
      'the copy on frankfurt is deleted at once, held or not; dublin keeps running',
    );
    expect(explain({ tasks })[0]!.consequence).toBe(
      'the copy on frankfurt is already deleted; dublin keeps running',
    );
  });

  test('reports the old copy as deleted if its Work is deleted', () => {
    expect(explain({ ...direct(), ...noClusterFits })[0]!.consequence).toBe(
      'the copy on frankfurt is already deleted; nothing replaces it',
    );
  });
});

test('a task ends with the deletion of its binding', () => {
  expect(explain({ deletionTimestamp: CREATED })[0]).toMatchObject({
    verdict: 'ends-now',
    waitingFor: null,
    consequence: 'the binding is being deleted, and all copies with it',
  });
});

test('a deadline from an assumed flag is an estimate, and names the assumption to set', () => {
  const [one] = explain({ timeoutAssumed: '--assume graceful-eviction-timeout=DURATION' });
  expect(one!.evidence[0]).toMatchObject({
    certainty: 'estimate',
    missing: '--assume graceful-eviction-timeout=DURATION',
  });
});
