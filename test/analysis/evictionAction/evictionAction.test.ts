import { describe, expect, test } from '@jest/globals';
import { evictionAction } from '../../../src/analysis/evictionAction/evictionAction.ts';
import type {
  EvictionActionContext,
  EvictionActionName,
} from '../../../src/analysis/evictionAction/actionOutcome.ts';
import { createClusterSnapshot } from '../../../src/karmada/scheduling/clusterSnapshot.ts';
import { schedulerOptions } from '../../../src/karmada/scheduling/schedulerOptions.ts';
import { declaredHooks } from '../../../src/karmada/status/healthInterpreter.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { GracefulEvictionTask, ResourceBinding, Work } from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';
import { cluster, deployment, failoverOn } from '../../simulator/simulation/controlPlane.ts';

const NOW = Date.parse('2026-09-01T09:32:00Z');
const CREATED = '2026-09-01T09:31:00Z';
const DEADLINE = '2026-09-01T09:41:00Z';
const LONG_PAST = '2026-09-01T08:00:00Z';

const divided: Placement = {
  clusterAffinity: { clusterNames: ['member1', 'member2'] },
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
};
const duplicated: Placement = {
  clusterAffinity: { clusterNames: ['member1', 'member2'] },
  replicaScheduling: { replicaSchedulingType: 'Duplicated' },
};

const task = (more: Partial<GracefulEvictionTask> = {}): GracefulEvictionTask => ({
  fromCluster: 'member1',
  purgeMode: 'Gracefully',
  replicas: 3,
  reason: 'TaintUntolerated',
  producer: 'TaintManager',
  creationTimestamp: CREATED,
  ...more,
});
const held = (more: Partial<GracefulEvictionTask> = {}) => task({ suppressDeletion: true, ...more });

/** A copy of three replicas with this many reported ready. */
function work(on: string, ready: number, replicas = 3): Work {
  return {
    metadata: { namespace: `karmada-es-${on}`, name: 'cart' },
    spec: {
      workload: {
        manifests: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { name: 'cart' },
            spec: { replicas },
          } as never,
        ],
      },
    },
    status: {
      conditions: [{ type: 'Applied', status: 'True' }],
      manifestStatuses: [
        {
          status: { replicas, readyReplicas: ready, availableReplicas: ready },
          health: ready >= replicas ? 'Healthy' : 'Unhealthy',
        },
      ],
    },
  };
}

interface Setting {
  tasks?: GracefulEvictionTask[];
  placement?: Placement;
  clusters?: Cluster[];
  /** where it is scheduled */
  on?: { name: string; replicas: number }[];
  works?: Work[] | null;
  configuration?: EvictionActionContext['configuration'];
  spec?: Partial<ResourceBinding['spec']>;
  metadata?: Partial<ResourceBinding['metadata']>;
  status?: ResourceBinding['status'];
  notRunning?: EvictionActionContext['notRunning'];
}

function act(action: EvictionActionName, setting: Setting, from: string | null = 'member1') {
  const {
    tasks = [task()],
    placement = divided,
    on = [{ name: 'member2', replicas: 3 }],
    clusters = [cluster('member1'), cluster('member2')],
    works = [work('member1', 3), work('member2', 3)],
    configuration = v1_18.defaults,
  } = setting;
  const binding = deployment('cart', { placement, clusters: on, replicas: 3 });
  const worksByCluster =
    works && new Map(works.map((one) => [one.metadata.namespace!.replace('karmada-es-', ''), one]));
  const evicting: ResourceBinding = {
    ...binding,
    metadata: { ...binding.metadata, ...setting.metadata },
    spec: { ...binding.spec, gracefulEvictionTasks: tasks, ...setting.spec },
    status: {
      ...binding.status,
      ...setting.status,
      aggregatedStatus: [...(worksByCluster ?? [])].map(([clusterName, { status }]) => ({
        clusterName,
        applied: true,
        ...status!.manifestStatuses![0],
      })),
    },
  };
  const before = JSON.stringify(evicting);
  const outcome = evictionAction(action, evicting, from ?? undefined, {
    now: NOW,
    configuration,
    snapshot: createClusterSnapshot(clusters, schedulerOptions(configuration)),
    clusters: new Map(clusters.map((one) => [one.metadata.name, one])),
    works: worksByCluster ?? undefined,
    hooks: declaredHooks([], v1_18.rules),
    ...(setting.notRunning && { notRunning: setting.notRunning }),
  });
  expect(JSON.stringify(evicting)).toBe(before);
  return outcome;
}

const notReady = (name: string): Cluster => ({
  ...cluster(name),
  status: { conditions: [{ type: 'Ready', status: 'False', reason: 'ClusterNotReachable' }] },
});
const tainted = (name: string, effect: Taint['effect']): Cluster =>
  cluster(name, [{ key: 'maintenance', effect, timeAdded: CREATED } as Taint]);

test.each(['hold', 'release'] as const)('%s names controllers that do not run', (action) => {
  const notRunning = [{ certainty: 'unknown', what: 'whether this ends: it is scaled to 0' } as const];
  const held = [{ ...task(), suppressDeletion: true }];
  const setting = { notRunning, ...(action === 'release' && { tasks: held }) };
  expect(act(action, setting).warnings).toContain('depends on whether this ends: it is scaled to 0');
});

describe('holding a task', () => {
  test('keeps the old copy past the deadline, and reports that deadline', () => {
    expect(act('hold', { works: [work('member1', 3), work('member2', 0)] })).toMatchObject({
      verdict: 'change',
      after: { gracefulEvictionTasks: [{ fromCluster: 'member1', suppressDeletion: true }] },
      taskEnds: 'never',
      deadline: null,
      oldCopy: 'stays',
      next: `the copy on member1 stays until it is released or completed; otherwise the task would have ended at ${DEADLINE} at the latest`,
      warnings: [],
    });
  });

  test('reports that Karmada was about to end the task', () => {
    expect(act('hold', {}).next).toMatch(/Karmada was about to end the task: .*scheduled/);
    expect(act('hold', { tasks: [task({ creationTimestamp: LONG_PAST })] }).next).toMatch(
      /about to end the task: the time limit of 10m ended at 2026-09-01T08:10:00Z/,
    );
  });

  test('changes nothing if the task is already held', () => {
    expect(act('hold', { tasks: [held()] })).toMatchObject({
      verdict: 'already',
      next: 'held already: the copy on member1 stays until it is released or completed',
    });
  });

  test('does not claim to keep a copy that is purged directly or already deleted', () => {
    const direct = act('hold', { tasks: [task({ purgeMode: 'Directly' })] });
    expect(direct.oldCopy).toBe('gone');
    expect(direct.warnings.join()).toMatch(/purge mode Directly: the copy on member1 is deleted at once/);
    const gone = act('hold', { works: [work('member2', 3)] });
    expect(gone.warnings).toEqual(['no copy remains on member1']);
  });

  test('keeps the tasks of other clusters', () => {
    const other = task({ fromCluster: 'member3' });
    const { after } = act('hold', { tasks: [other, task()] });
    expect(after.gracefulEvictionTasks?.[0]).toBe(other);
  });
});

describe('releasing a task', () => {
  test('ends it at once if every other copy is Healthy, and ready if its replicas are known', () => {
    const released = act('release', { tasks: [held()] });
    expect(released).toMatchObject({
      verdict: 'change',
      taskEnds: 'now',
      oldCopy: 'deleted',
      next: 'Karmada ends the task now, because every cluster of the result reports Healthy: the copy on member1 is deleted; member2 keeps running',
    });
    expect(released.risk).toBeUndefined();
    expect(released.after.gracefulEvictionTasks?.[0]).not.toHaveProperty('suppressDeletion');
  });

  test('has a risk if no other copy is ready, because the deadline does not wait for a ready copy', () => {
    expect(
      act('release', { tasks: [held()], works: [work('member1', 3), work('member2', 1)] }),
    ).toMatchObject({
      taskEnds: 'later',
      deadline: DEADLINE,
      oldCopy: 'stays',
      next: `Karmada waits for member2 to be Healthy (Unhealthy), until ${DEADLINE} at the latest; when the task ends, the copy on member1 is deleted; member2 keeps running`,
      risk: `Karmada would delete the copy on member1 at ${DEADLINE}, with or without a replacement (no other copy is known to be ready: member2: 1 of 3 replicas ready)`,
    });
  });

  test('has a risk if the deadline has passed during the hold', () => {
    const late = act('release', {
      tasks: [held({ creationTimestamp: LONG_PAST })],
      works: [work('member1', 3), work('member2', 1)],
    });
    expect(late).toMatchObject({ taskEnds: 'now', oldCopy: 'deleted' });
    expect(late.risk).toMatch(
      /^Karmada would delete the copy on member1 at once \(no other copy is known to be ready/,
    );
  });

  test('has a risk if Karmada uses stale health from before a scale-up', () => {
    // scaled up from one replica to three: still Healthy with the one
    const stale = act('release', { tasks: [held()], works: [work('member1', 3), work('member2', 1, 1)] });
    expect(stale).toMatchObject({ taskEnds: 'now' });
    expect(stale.risk).toMatch(/member2: the Work still has 1 replica, 3 are assigned/);
  });

  test('has a risk if the old copy is Unhealthy and its kind does not report ready replicas', () => {
    const resource = { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: 'shop', name: 'cart' };
    const old = work('member1', 0);
    const [status] = old.status!.manifestStatuses!;
    status!.status = { desiredNumberScheduled: 10, numberReady: 9 };
    expect(act('complete', { spec: { resource }, works: [old, work('member2', 0)] }).risk).toMatch(
      /delete the copy on member1 at once/,
    );
  });

  test('has no risk if the old copy is broken or deleted', () => {
    const waiting = [work('member2', 1)];
    expect(act('release', { tasks: [held()], works: [work('member1', 0), ...waiting] }).risk).toBeUndefined();
    expect(act('release', { tasks: [held()], works: waiting }).risk).toBeUndefined();
  });

  test('has a risk if the cluster of the old copy is unreachable, where the copy may still run', () => {
    const setting = {
      tasks: [held()],
      works: [work('member1', 0), work('member2', 1)],
      clusters: [notReady('member1'), cluster('member2')],
    };
    expect(act('release', setting).risk).toBeDefined();
  });

  test('has a risk if the Works cannot be read', () => {
    expect(act('release', { tasks: [held()], works: null }).risk).toMatch(/its Works cannot be read/);
  });

  test('reports the next step of Karmada if the task is not held', () => {
    expect(act('release', {})).toMatchObject({ verdict: 'already', taskEnds: 'now' });
    expect(act('release', {}).next).toMatch(/^not held: Karmada ends the task now/);
    expect(act('release', { tasks: [task({ suppressDeletion: false })] }).next).toMatch(/^completed already/);
  });

  test('waits for the deadline if scheduling is suspended', () => {
    const suspended = act('release', { tasks: [held()], spec: { suspension: { scheduling: true } } });
    expect(suspended).toMatchObject({ taskEnds: 'later', deadline: DEADLINE });
    expect(suspended.next).toMatch(/waits for the scheduler, which spec.suspension.scheduling stops/);
  });
});

describe('completing a task', () => {
  test('sets suppressDeletion to false, which ends the task', () => {
    expect(act('complete', {})).toMatchObject({
      verdict: 'change',
      after: { gracefulEvictionTasks: [{ suppressDeletion: false }] },
      taskEnds: 'now',
      oldCopy: 'deleted',
      next: 'Karmada ends the task now: the copy on member1 is deleted; member2 keeps running',
    });
    expect(act('complete', {}).risk).toBeUndefined();
  });

  test('has a risk while no other copy is ready', () => {
    expect(act('complete', { works: [work('member1', 3), work('member2', 2)] }).risk).toBe(
      'Karmada would delete the copy on member1 at once (no other copy is known to be ready: member2: 2 of 3 replicas ready)',
    );
    expect(act('complete', { works: [work('member1', 3)], on: [] }).risk).toMatch(
      /no other copy is known to be ready/,
    );
  });

  test('reports that the workload returns if the scheduler would choose the old cluster again', () => {
    const back = act('complete', { placement: duplicated });
    expect(back.next).toMatch(/the scheduler then places it on member1 again, where it restarts/);
    const kept = act('complete', {
      placement: duplicated,
      clusters: [tainted('member1', 'NoSchedule'), cluster('member2')],
    });
    expect(kept.next).not.toMatch(/again/);
  });

  test('reports that a copy on a cluster that is not Ready stays until the cluster is Ready', () => {
    const { warnings } = act('complete', { clusters: [notReady('member1'), cluster('member2')] });
    expect(warnings.join()).toMatch(/member1 is not Ready: the copy there is deleted once it is Ready again/);
  });

  test('reports in its risk that an unreachable cluster keeps the old copy until it is Ready again', () => {
    const setting = {
      clusters: [notReady('member1'), cluster('member2')],
      works: [work('member1', 3), work('member2', 2)],
    };
    expect(act('complete', setting).risk).toMatch(
      /^Karmada would end the task at once, and delete the copy on member1 once member1 is Ready again \(/,
    );
    expect(act('release', { ...setting, tasks: [held()] }).risk).toMatch(
      /^Karmada would end the task at 2026-09-01T09:41:00Z, with or without a replacement, and delete the copy on member1 once member1 is Ready again \(/,
    );
  });

  test('has no risk for a copy that is purged directly, and already deleted', () => {
    const direct = task({ purgeMode: 'Directly', preservedLabelState: { app: '3' } });
    const completed = act('complete', { tasks: [direct], works: [work('member1', 3)] });
    expect(completed.risk).toBeUndefined();
    expect(completed.warnings.join()).toMatch(/the preserved state ends with the task/);
  });
});

describe('cancelling an eviction', () => {
  test('restores the cluster, and removes the replicas that the replacement has gained', () => {
    expect(act('cancel', { works: [work('member1', 3), work('member2', 1)] })).toMatchObject({
      verdict: 'change',
      after: { clusters: [{ name: 'member1', replicas: 3 }], gracefulEvictionTasks: [] },
      taskEnds: 'no-task',
      oldCopy: 'stays',
      clusters: [{ name: 'member1', replicas: 3 }],
      next: 'back on member1 with 3 replicas, for which member2 loses 3; the scheduler does not change it',
      warnings: [],
    });
  });

  test('has a risk if the old copy has fewer ready replicas than the replacement', () => {
    expect(act('cancel', { works: [work('member1', 1), work('member2', 3)] }).risk).toBe(
      'member1: 1 of 3 replicas ready; its replacement on member2 would be deleted',
    );
    expect(act('cancel', { clusters: [notReady('member1'), cluster('member2')] }).risk).toMatch(
      /^member1: the cluster is not Ready, .* its replacement on member2 would be deleted$/,
    );
  });

  test('has no risk if the replacement is not ready either, and the old cluster is Ready', () => {
    const works = [work('member1', 1), work('member2', 0)];
    expect(act('cancel', { works }).risk).toBeUndefined();
    expect(act('cancel', { works, clusters: [notReady('member1'), cluster('member2')] }).risk).toBeDefined();
  });

  test('warns of taints that would evict the workload again, if NoExecute eviction is on', () => {
    const setting = { clusters: [tainted('member1', 'NoExecute'), cluster('member2')] };
    expect(act('cancel', { ...setting, configuration: failoverOn }).warnings).toEqual([
      'member1 has the taint maintenance:NoExecute: Karmada evicts it again',
    ]);
    expect(act('cancel', setting).warnings.join()).toMatch(/if NoExecute eviction is on \(assumed: off\)/);
  });

  test('warns of a drain in progress', () => {
    const draining = cluster('member1');
    draining.metadata.annotations = {
      'karmada-failover/drain': '{"started":"","clusters":["member1"],"selection":{},"hold":true}',
    };
    expect(act('cancel', { clusters: [draining, cluster('member2')] }).warnings.join()).toMatch(
      /member1 is being drained/,
    );
  });

  test('is impossible if the scheduler would remove the workload from the cluster again', () => {
    const elsewhere: Placement = { ...duplicated, clusterAffinity: { clusterNames: ['member2'] } };
    expect(act('cancel', { placement: elsewhere })).toMatchObject({
      verdict: 'impossible',
      next: 'it cannot return: the scheduler would remove it from member1 again: its placement does not select member1',
      taskEnds: 'now',
      oldCopy: 'deleted',
      deadline: DEADLINE,
    });
    const waiting = { placement: elsewhere, works: [work('member1', 3), work('member2', 2)] };
    expect(act('cancel', waiting)).toMatchObject({ taskEnds: 'later', oldCopy: 'stays' });
    expect(act('cancel', { ...waiting, tasks: [held()] })).toMatchObject({
      taskEnds: 'never',
      oldCopy: 'stays',
    });
  });

  test('returns the scheduler to the earlier affinity group', () => {
    const groups: Placement = {
      clusterAffinities: ['member1', 'member2'].map((name) => ({
        affinityName: `at-${name}`,
        clusterNames: [name],
      })),
    };
    const status = { schedulerObservingAffinityName: 'at-member2' };
    expect(act('cancel', { placement: groups, status })).toMatchObject({
      verdict: 'change',
      affinityName: 'at-member1',
      clusters: [{ name: 'member1', replicas: 3 }],
      next: expect.stringMatching(/the scheduler returns to affinity group at-member1/),
    });
    const late = act('cancel', {
      placement: groups,
      status,
      works: [work('member1', 2), work('member2', 3)],
    });
    expect(late.risk).toMatch(/its replacement on member2 would be deleted/);
  });

  test('is impossible without a cluster to return to', () => {
    const next = (setting: Setting) => {
      const { verdict, next: text } = act('cancel', setting);
      return [verdict, text];
    };
    expect(next({ clusters: [cluster('member2')] })).toEqual([
      'impossible',
      'it cannot return: cluster member1 no longer exists',
    ]);
    expect(next({ works: [work('member2', 3)] })[1]).toMatch(/the copy on member1 is already deleted/);
    expect(next({ tasks: [task({ purgeMode: 'Directly' })] })[1]).toMatch(/purged directly/);
    expect(next({ works: null })[1]).toMatch(/its Works cannot be read/);
  });
});

describe('an action that changes nothing', () => {
  test.each([
    ['release', 'already'],
    ['complete', 'already'],
    ['hold', 'impossible'],
    ['cancel', 'impossible'],
  ] as const)('%s has the verdict %s without a task', (action, verdict) => {
    expect(act(action, { tasks: [], works: [work('member2', 3)] })).toMatchObject({
      verdict,
      next: 'it is not being evicted from member1; no copy exists on member1',
      oldCopy: 'gone',
    });
  });

  test('cancel reports that nothing changes if the workload is on the cluster', () => {
    expect(act('cancel', { tasks: [], on: [{ name: 'member1', replicas: 3 }] })).toMatchObject({
      verdict: 'already',
      next: 'it is on member1, and is not being evicted from there',
    });
  });

  test('needs no cluster name without a task', () => {
    expect(act('complete', { tasks: [] }, null)).toMatchObject({
      fromCluster: null,
      verdict: 'already',
      next: 'it is not being evicted',
    });
  });

  test('is impossible on a deleted binding, because all copies are deleted', () => {
    const deleted = { metadata: { deletionTimestamp: CREATED } };
    for (const action of ['hold', 'release', 'cancel', 'complete'] as const)
      expect(act(action, deleted)).toMatchObject({
        verdict: 'impossible',
        next: 'the binding is being deleted, and all copies with it',
      });
  });
});
