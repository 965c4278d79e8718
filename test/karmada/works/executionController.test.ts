import { describe, expect, test } from '@jest/globals';
import { bindingStatus } from '../../../src/karmada/status/bindingStatus.ts';
import { clusterStatus } from '../../../src/karmada/detection/clusterStatus.ts';
import { executionController } from '../../../src/karmada/works/executionController.ts';
import type { Copy, Member } from '../../../src/karmada/controllers/kinds.ts';
import { staleInformers } from '../../../src/karmada/detection/memberAccess.ts';
import { workStatus } from '../../../src/karmada/works/workStatus.ts';
import { kubelet } from '../../../src/karmada/members/kubelet.ts';
import { deriveCopy } from '../../../src/simulator/store/derivedCopy.ts';
import type { Work } from '../../../src/karmada/api/work.ts';
import { Bench, type Contents } from '../controllers/bench.ts';
import { binding, cluster, copy, failoverOn, WEB, webOn, work } from '../controllers/objects.ts';
import { declaredHooks } from '../../../src/karmada/status/healthInterpreter.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { v1_18 } from '../../dialects.ts';

const up: Member = { name: 'm1', up: true };
const down: Member = { name: 'm1', up: false };
const WORK = webOn('m1');
const m1 = { name: 'm1', replicas: 3 };

/** shop/web on m1: its Work, its copy, and the test's settings for them. */
function given(contents: Contents, configuration: Configuration = failoverOn): Bench {
  return new Bench(
    { clusters: [cluster('m1')], bindings: [binding({ clusters: [m1] })], members: [up], ...contents },
    configuration,
  );
}

const assumptions = { workloadReadyAfter: 20_000, neverReady: [] };
const readyAfter20s = kubelet(assumptions);
const condition = (bench: Bench, type: string) =>
  bench.get('Work', WORK)!.status?.conditions?.find((one) => one.type === type);

function withConflictResolution(resolution: string): Work {
  const one = work('m1', { status: null });
  one.spec!.workload!.manifests![0]!.metadata.annotations = {
    'work.karmada.io/conflict-resolution': resolution,
  };
  return one;
}

const NOW = Date.parse('2026-03-14T10:00:00Z');

// A member answers again, and the controller manager's informers have not relisted it yet.
describe('given a cache from before an outage', () => {
  const stale = (...known: string[]): Member => ({
    name: 'm1',
    up: true,
    stale: {
      until: { 'apps/v1 Deployment': NOW + 20_000 },
      known: Object.fromEntries(known.map((key) => [key, true])),
    },
  });
  const deleted = work('m1', { deleting: true });

  test('an uncached copy stays in the member when its Work is deleted', () => {
    const bench = given({ works: [deleted], copies: { [WORK]: copy('m1') }, members: [stale()] });
    bench.reconcile(executionController, WORK);
    expect(bench.get('Work', WORK)).toBeUndefined();
    expect(bench.get('Copy', WORK)).toEqual(copy('m1'));
  });

  test('a cached copy is deleted with its Work', () => {
    const bench = given({ works: [deleted], copies: { [WORK]: copy('m1') }, members: [stale(WORK)] });
    bench.reconcile(executionController, WORK);
    expect(bench.get('Work', WORK)).toBeUndefined();
    expect(bench.get('Copy', WORK)).toMatchObject({ terminating: true });
  });

  test('the execution controller fails to update a deleted copy', () => {
    const bench = given({ works: [work('m1', { status: null })], members: [stale(WORK)] });
    expect(bench.reconcile(executionController, WORK).failure?.message).toBe('deployment "web" not found');
    expect(condition(bench, 'Applied')).toMatchObject({ status: 'False' });
    expect(bench.get('Copy', WORK)).toBeUndefined();
  });

  test('the work status controller recreates a deleted copy after the relist', () => {
    const bench = given({ works: [work('m1', { status: null })], members: [stale(WORK)] });
    const { enqueues } = bench.reconcile(executionController, WORK);
    expect(enqueues).toEqual([{ queue: 'work-status', key: WORK, after: 20_000 }]);
    expect(bench.reconcile(workStatus, WORK)).toEqual({ requeue: { after: 20_000 } });
    bench.now = NOW + 20_000;
    bench.reconcile(workStatus, WORK);
    expect(bench.get('Copy', WORK)).toMatchObject({ replicas: 3, unobserved: 'new' });
    expect(condition(bench, 'Applied')).toMatchObject({ status: 'True', reason: 'ReCreateSuccessful' });
  });

  test('the execution controller recreates a deleted copy after the relist from v1.19 on', () => {
    const contents = { works: [work('m1', { status: null })], members: [stale(WORK)] };
    const bench = given(contents, { ...failoverOn, rules: dialectOf('head').dialect.defaults.rules });
    const { enqueues } = bench.reconcile(executionController, WORK);
    expect(enqueues).toEqual([{ queue: 'execution-controller', key: WORK, after: 20_000 }]);
    bench.now = NOW + 20_000;
    bench.reconcile(workStatus, WORK);
    expect(bench.get('Copy', WORK)).toBeUndefined();
    bench.reconcile(executionController, WORK);
    expect(bench.get('Copy', WORK)).toMatchObject({ replicas: 3, unobserved: 'new' });
    expect(condition(bench, 'Applied')).toMatchObject({ status: 'True', reason: 'AppliedSuccessful' });
  });

  test('a copy that became ready during the outage cannot be updated before the relist', () => {
    const starting = copy('m1', { ready: 0, readyAt: NOW });
    const lost: Member = { name: 'm1', up: true, downSince: NOW - 10_000 };
    const contents = {
      works: [work('m1', { deleting: true, preserveResourcesOnDeletion: true })],
      copies: { [WORK]: starting },
    };
    const { view } = given({ ...contents, members: [lost] });
    const back: Member = { name: 'm1', up: true, ...staleInformers(view, lost, NOW, () => 0.5) };
    const bench = given({ ...contents, members: [back] });
    bench.reconcile(readyAfter20s, WORK);
    expect(bench.reconcile(executionController, WORK).failure?.message).toMatch(
      'the object has been modified',
    );
    bench.now = NOW + 20_000;
    bench.reconcile(executionController, WORK);
    expect(bench.get('Work', WORK)).toBeUndefined();
    expect(bench.get('Copy', WORK)).toMatchObject({ managed: false, ready: 3 });
  });

  test('a new copy is created but cannot be updated before the relist', () => {
    const bench = given({ works: [work('m1', { status: null })], members: [stale()] });
    bench.reconcile(executionController, WORK);
    expect(condition(bench, 'Applied')).toMatchObject({ status: 'True' });
    expect(bench.get('Copy', WORK)).toMatchObject({ replicas: 3 });
    expect(bench.reconcile(executionController, WORK).failure?.message).toBe(
      'deployment "web" already exists',
    );
  });

  test('a copy of a kind that is new in the member has no status before the relist', () => {
    const down: Member = { name: 'm1', up: true, downSince: NOW - 10_000 };
    const before = given({ works: [], members: [down] });
    const back: Member = { name: 'm1', up: true, ...staleInformers(before.view, down, NOW, () => 0.5) };
    const bench = given({
      works: [work('m1', { status: null })],
      copies: { [WORK]: copy('m1') },
      members: [back],
    });
    // lost 10 s before: retried after 1.2, 2.4, 4.8 and 9.6 s
    expect(bench.reconcile(workStatus, WORK)).toEqual({ requeue: { after: 8000 } });
  });

  test('a copy has no status before the relist', () => {
    const bench = given({
      works: [work('m1', { status: null })],
      copies: { [WORK]: copy('m1') },
      members: [stale()],
    });
    expect(bench.reconcile(workStatus, WORK)).toEqual({ requeue: { after: 20_000 } });
    bench.now = NOW + 20_000;
    bench.reconcile(workStatus, WORK);
    expect(bench.get('Work', WORK)!.status?.manifestStatuses).toMatchObject([{ health: 'Healthy' }]);
  });
});

describe('the execution controller', () => {
  test('applies a Work in a Ready member', () => {
    const bench = given({ works: [work('m1', { status: null })] });
    bench.reconcile(executionController, WORK);
    expect(bench.get('Copy', WORK)).toMatchObject({
      cluster: 'm1',
      workload: { kind: 'Deployment', namespace: 'shop', name: 'web' },
      managed: true,
      replicas: 3,
      ready: 0,
      unobserved: 'new',
    });
    expect(condition(bench, 'Applied')).toMatchObject({ status: 'True', reason: 'AppliedSuccessful' });
    expect(condition(bench, 'Dispatching')).toMatchObject({ status: 'True' });
  });

  test('does not need the member if only the location annotations of a Work change', () => {
    const there = copy('m1');
    const one = work('m1');
    const [manifest] = one.spec!.workload!.manifests!;
    one.spec!.workload!.manifests = [
      {
        ...manifest!,
        metadata: {
          ...manifest!.metadata,
          annotations: { ...manifest!.metadata.annotations, 'work.karmada.io/namespace': 'karmada-es-m1' },
        },
      },
    ];
    const bench = given({ works: [one], copies: { [WORK]: there }, members: [down] });
    bench.reconcile(executionController, WORK);
    expect(condition(bench, 'Applied')).toMatchObject({ status: 'True' });
  });

  test('does not write a copy that is up to date', () => {
    const bench = given({ works: [work('m1')], copies: { [WORK]: copy('m1') } });
    const applied = bench.get('Work', WORK)!.status!.conditions!.find(({ type }) => type === 'Applied')!;
    Object.assign(applied, {
      reason: 'AppliedSuccessful',
      message: 'Manifest has been successfully applied',
    });
    expect(bench.reconcile(executionController, WORK).writes).toEqual([]);
  });

  test('does not apply a Work with suspended dispatching', () => {
    const bench = given({ works: [work('m1', { status: null, suspendDispatching: true })] });
    expect(bench.reconcile(executionController, WORK).failure).toBeUndefined();
    expect(bench.get('Copy', WORK)).toBeUndefined();
    expect(condition(bench, 'Dispatching')).toMatchObject({ status: 'False', reason: 'SuspendDispatching' });
  });

  test('fails while the cluster is not Ready, whatever the state of its member', () => {
    const bench = given({ clusters: [cluster('m1', false)], works: [work('m1', { status: null })] });
    expect(bench.reconcile(executionController, WORK).failure).toMatchObject({
      message: 'cluster(m1) not ready',
      unless: [{ kind: 'Cluster', key: 'm1' }],
    });
    expect(bench.get('Copy', WORK)).toBeUndefined();
  });

  test('fails for an unreachable member of a Ready cluster and sets Applied to False', () => {
    const bench = given({ members: [down], works: [work('m1', { status: null })] });
    expect(bench.reconcile(executionController, WORK).failure?.unless).toContainEqual({
      kind: 'Member',
      key: 'm1',
    });
    expect(condition(bench, 'Applied')).toMatchObject({ status: 'False', reason: 'AppliedFailed' });
  });

  describe('with a deleted Work', () => {
    const deleting = (rest: object = {}) => ({
      works: [work('m1', { deleting: true, ...rest })],
      copies: { [WORK]: copy('m1') },
    });

    test('deletes its copy in a Ready member', () => {
      const bench = given(deleting());
      bench.reconcile(executionController, WORK);
      bench.reconcile(readyAfter20s, WORK);
      expect(bench.get('Work', WORK)).toBeUndefined();
      expect(bench.get('Copy', WORK)).toBeUndefined();
    });

    test('fails while the cluster is not Ready, with a back-off from the deletion', () => {
      const bench = given({ clusters: [cluster('m1', false)], ...deleting() });
      expect(bench.reconcile(executionController, WORK).failure).toMatchObject({
        since: Date.parse('2026-03-14T09:59:00Z'),
      });
      expect(bench.get('Copy', WORK)).toMatchObject({ replicas: 3 });
    });

    test('continues the back-off of earlier failures to apply the Work', () => {
      const since = Date.parse('2026-03-14T09:59:00Z');
      const failed = work('m1', {
        deleting: true,
        status: {
          conditions: [{ type: 'Applied', status: 'False', lastTransitionTime: '2026-03-14T09:58:55Z' }],
        },
      });
      const bench = given({ clusters: [cluster('m1', false)], ...deleting(), works: [failed] });
      // 5 s after the first failure a retry after 2.56 s is pending
      expect(bench.reconcile(executionController, WORK).failure).toMatchObject({
        since,
        backOff: { first: 5120 },
      });
    });

    test('deletes only the Work if the cluster is being deleted and not Ready', () => {
      const leaving = cluster('m1', false);
      leaving.metadata.deletionTimestamp = '2026-03-14T09:59:00Z';
      const bench = given({ clusters: [leaving], ...deleting() });
      bench.reconcile(executionController, WORK);
      expect(bench.get('Work', WORK)).toBeUndefined();
      expect(bench.get('Copy', WORK)).toMatchObject({ replicas: 3 });
    });

    test('keeps an unmanaged copy with preserveResourcesOnDeletion', () => {
      const bench = given(deleting({ preserveResourcesOnDeletion: true }));
      bench.reconcile(executionController, WORK);
      expect(bench.get('Work', WORK)).toBeUndefined();
      expect(bench.get('Copy', WORK)).toMatchObject({ managed: false, replicas: 3, ready: 3 });
    });

    test('fails permanently to preserve a copy that is already unmanaged', () => {
      const bench = given({
        ...deleting({ preserveResourcesOnDeletion: true }),
        copies: { [WORK]: copy('m1', { managed: false }) },
      });
      expect(bench.reconcile(executionController, WORK).failure?.message).toContain('already exists');
      expect(bench.get('Work', WORK)).toBeDefined();
    });

    test('needs the member to preserve a copy', () => {
      const bench = given({ members: [down], ...deleting({ preserveResourcesOnDeletion: true }) });
      expect(bench.reconcile(executionController, WORK).failure).toBeDefined();
      expect(bench.get('Work', WORK)).toBeDefined();
    });
  });

  describe('with a preserved copy of a returning workload', () => {
    const preserved = { [WORK]: copy('m1', { managed: false }) };

    test('fails to apply with the conflict resolution Abort and leaves the health Unknown', () => {
      const bench = given({ works: [withConflictResolution('abort')], copies: preserved });
      expect(bench.reconcile(executionController, WORK).failure?.message).toContain(
        'already exists in the cluster m1',
      );
      expect(condition(bench, 'Applied')).toMatchObject({ status: 'False' });
      expect(bench.reconcile(workStatus, WORK).writes).toBeUndefined();
      bench.reconcile(bindingStatus, WEB);
      expect(bench.get('Binding', WEB)!.status!.aggregatedStatus).toMatchObject([
        { clusterName: 'm1', health: 'Unknown' },
      ]);
      expect(bench.get('Binding', WEB)!.status!.conditions).toMatchObject([
        { type: 'FullyApplied', status: 'False' },
      ]);
    });

    test('adopts the running copy with the conflict resolution Overwrite', () => {
      const bench = given({ works: [withConflictResolution('overwrite')], copies: preserved });
      bench.reconcile(executionController, WORK);
      bench.reconcile(readyAfter20s, WORK);
      expect(bench.get('Copy', WORK)).toMatchObject({ managed: true, replicas: 3, ready: 3 });
      expect(condition(bench, 'Applied')).toMatchObject({ status: 'True' });
    });

    test('does not delete the preserved copy with a Work that was not applied', () => {
      const bench = given({ works: [work('m1', { deleting: true })], copies: preserved });
      bench.reconcile(executionController, WORK);
      expect(bench.get('Work', WORK)).toBeUndefined();
      expect(bench.get('Copy', WORK)).toMatchObject({ managed: false, ready: 3 });
    });
  });

  describe('with a running Job', () => {
    const job = (completions: number) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { parallelism: completions, completions },
    });
    const withJob = (completions: number, status: Work['status'] | null) => {
      const one = work('m1', { status });
      one.spec!.workload!.manifests = [job(completions)];
      return one;
    };

    test('fails to change its completions and sets Applied to False', () => {
      const bench = given({
        works: [withJob(2, null)],
        copies: { [WORK]: copy('m1', { object: job(1), replicas: 1, ready: 1 }) },
      });
      const message = bench.reconcile(executionController, WORK).failure?.message;
      expect(message).toBe(
        'Job.batch "web" is invalid: spec.completions: Invalid value: 2: field is immutable',
      );
      expect(condition(bench, 'Applied')).toMatchObject({ status: 'False' });
      expect(bench.get('Copy', WORK)).toMatchObject({ replicas: 1, ready: 1 });
    });

    test('still fails if it failed in the captured state', () => {
      const failing = withJob(2, {
        conditions: [{ type: 'Applied', status: 'False', message: 'Job.batch "web" is invalid' }],
        manifestStatuses: [{ health: 'Healthy', status: { active: 1 } }],
      });
      const hooks = declaredHooks([], v1_18.rules);
      const derived = deriveCopy(
        failing,
        binding({ clusters: [m1] }),
        cluster('m1'),
        assumptions,
        0,
        hooks,
        v1_18.defaults,
      );
      expect(derived).toMatchObject({ replicas: 1, ready: 1 });
      const bench = given({ works: [failing], copies: { [WORK]: derived! } });
      expect(bench.reconcile(executionController, WORK).failure).toBeDefined();
    });
  });

  test('counts no replica of a Job as ready that has just been applied', () => {
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'web' }, spec: { parallelism: 2 } };
    const applied = { type: 'Applied', status: 'True', lastTransitionTime: '2026-03-14T09:59:50Z' } as const;
    const running = work('m1', {
      workload: { manifests: [job] },
      status: { conditions: [applied], manifestStatuses: [{ health: 'Healthy', status: { active: 2 } }] },
    });
    const readyAt = (start: number) => {
      const hooks = declaredHooks([], v1_18.rules);
      return deriveCopy(running, undefined, cluster('m1'), assumptions, start, hooks, v1_18.defaults);
    };
    expect(readyAt(NOW)).toMatchObject({ replicas: 2, ready: 0, readyAt: NOW + 12_000 });
    expect(readyAt(NOW + 15_000)).toMatchObject({ ready: 2 });
  });

  describe('in a controller manager that has just started', () => {
    const started: Member = { name: 'm1', up: true, handledSince: NOW, uninformed: true };

    test('cannot apply before the first probe of the member has succeeded', () => {
      const bench = given({ works: [work('m1', { status: null })], members: [started] });
      expect(bench.reconcile(executionController, WORK).failure?.message).toBe(
        'the informer of cluster(m1) has not been initialized',
      );
      expect(condition(bench, 'Applied')).toMatchObject({ status: 'False' });
      const { requeue } = bench.reconcile(clusterStatus, 'm1');
      bench.now += requeue!.after;
      bench.reconcile(clusterStatus, 'm1');
      bench.reconcile(executionController, WORK);
      expect(condition(bench, 'Applied')).toMatchObject({ status: 'True' });
    });

    test('has failed on each Work of a cluster that was not Ready, so a deletion continues that back-off', () => {
      const lost = cluster('m1', false);
      lost.status!.conditions![0]!.lastTransitionTime = '2026-03-14T09:59:31Z';
      const deleted = work('m1', { deleting: true });
      deleted.metadata.deletionTimestamp = '2026-03-14T09:59:55Z';
      const failure = (handledSince: number) => {
        const members: Member[] = [{ name: 'm1', up: false, handledSince }];
        const bench = given({ clusters: [lost], works: [deleted], members });
        return bench.reconcile(executionController, WORK).failure;
      };
      // 5 ms, doubled: the retry of 20.5 s later was pending when the Work was deleted.
      expect(failure(NOW - 30_000)?.backOff?.first).toBe(40_960);
      expect(failure(NOW - 3600_000)?.backOff).toBeUndefined();
    });
  });

  describe('in the agent of a Pull member', () => {
    const pull = (running: boolean, since: number): Member => ({
      name: 'm1',
      up: true,
      agent: { running, since },
    });

    test('does nothing while the agent is stopped', () => {
      const bench = given({
        clusters: [cluster('m1', true, 'Pull')],
        members: [pull(false, 0)],
        works: [work('m1', { status: null })],
      });
      expect(bench.reconcile(executionController, WORK)).toEqual({});
    });

    test('reconciles all Works without earlier failures when the agent starts', () => {
      const base = pull(false, 0);
      const bench = given({
        clusters: [cluster('m1', true, 'Pull')],
        members: [base],
        works: [work('m1', { deleting: true })],
        copies: { [WORK]: copy('m1') },
      });
      const wakes = bench.wakes(executionController, {
        verb: 'update',
        kind: 'Member',
        key: 'm1',
        part: 'object',
        lock: false,
        base,
        object: pull(true, bench.now),
      });
      expect(wakes).toEqual([{ key: WORK, fresh: true }]);
      bench.reconcile(executionController, WORK);
      expect(bench.get('Work', WORK)).toBeUndefined();
    });

    test('counts failures from the start of the agent, not from an earlier deletion', () => {
      const bench = given({
        clusters: [cluster('m1', false, 'Pull')],
        members: [pull(true, Date.parse('2026-03-14T09:59:30Z'))],
        works: [work('m1', { deleting: true })],
      });
      expect(bench.reconcile(executionController, WORK).failure?.since).toBe(
        Date.parse('2026-03-14T09:59:45Z'),
      );
    });
  });

  test('resumes only with the captured Works in progress', () => {
    const others = (name: string, one: Work): Work => ({
      ...one,
      metadata: { ...one.metadata, namespace: `karmada-es-${name}` },
    });
    const bench = given({
      clusters: [cluster('m1'), cluster('m2'), cluster('m3'), cluster('m4', false)],
      works: [
        work('m1'),
        others('m2', work('m2', { status: null })),
        others('m3', work('m3', { deleting: true })),
        others('m4', work('m4', { replicas: 5 })),
      ],
      copies: { [webOn('m4')]: copy('m4') },
    });
    expect(bench.resumes(executionController)).toEqual([webOn('m2'), webOn('m3'), webOn('m4')]);
  });
});

describe('copies in their members', () => {
  const look = (bench: Bench) => bench.reconcile(readyAfter20s, WORK);
  const health = (bench: Bench) => {
    bench.reconcile(workStatus, WORK);
    return bench.get('Work', WORK)!.status?.manifestStatuses?.[0]?.health;
  };

  test('are Unhealthy until they are ready', () => {
    const bench = given({ works: [work('m1', { status: null })] });
    bench.reconcile(executionController, WORK);
    expect(look(bench).requeue).toEqual({ after: 22_000 });
    expect(health(bench)).toBe('Unhealthy');
    bench.now += 22_000;
    look(bench);
    expect(bench.get('Copy', WORK)).toMatchObject({ replicas: 3, ready: 3, status: { readyReplicas: 3 } });
    expect(health(bench)).toBe('Healthy');
  });

  test('that start during an outage of their API server are observed after it', () => {
    const starting = copy('m1', { ready: 0, readyAt: Date.parse('2026-03-14T10:00:05Z') });
    const bench = given({ members: [down], works: [work('m1')], copies: { [WORK]: starting } });
    bench.now += 10_000;
    expect(look(bench).writes).toEqual([]);
    const back = {
      verb: 'update',
      kind: 'Member',
      key: 'm1',
      part: 'object',
      lock: false,
      base: down,
    } as const;
    expect(bench.wakes(readyAfter20s, { ...back, object: up })).toEqual([{ key: WORK }]);
    look(bench);
    expect(bench.get('Copy', WORK)).toMatchObject({ ready: 3 });
  });

  test('keep their ready replicas when they are scaled up', () => {
    const bench = given({ works: [work('m1', { replicas: 5 })], copies: { [WORK]: copy('m1') } });
    bench.reconcile(executionController, WORK);
    look(bench);
    expect(bench.get('Copy', WORK)).toMatchObject({ replicas: 5, ready: 3 });
    expect(health(bench)).toBe('Unhealthy');
  });

  test('that never become ready stay Unhealthy', () => {
    const bench = given({ works: [work('m1', { status: null })] });
    const never = kubelet({
      workloadReadyAfter: 20_000,
      neverReady: [{ kind: 'Deployment', namespace: 'shop', name: 'web', cluster: 'm1' }],
    });
    bench.reconcile(executionController, WORK);
    expect(bench.reconcile(never, WORK).requeue).toBeUndefined();
    expect(bench.get('Copy', WORK)).toMatchObject({ stuck: true, ready: 0 });
    expect(health(bench)).toBe('Unhealthy');
  });

  function ofKind(kind: string, apiVersion: string): Contents {
    const one = work('m1', { status: null });
    one.spec!.workload!.manifests = [{ apiVersion, kind, metadata: { name: 'web', namespace: 'shop' } }];
    const resource = { apiVersion, kind, namespace: 'shop', name: 'web' };
    return { works: [one], bindings: [binding({ clusters: [{ name: 'm1' }], resource, replicas: 0 })] };
  }

  test('of a DaemonSet need time to become ready, although they have no replicas', () => {
    const bench = given(ofKind('DaemonSet', 'apps/v1'));
    bench.reconcile(executionController, WORK);
    expect(look(bench).requeue).toEqual({ after: 22_000 });
    expect(health(bench)).toBe('Unhealthy');
    bench.now += 22_000;
    look(bench);
    expect(health(bench)).toBe('Healthy');
  });

  test('of a kind without a health interpreter are Healthy at once', () => {
    const bench = given(ofKind('ConfigMap', 'v1'));
    bench.reconcile(executionController, WORK);
    expect(look(bench).requeue).toBeUndefined();
    expect(health(bench)).toBe('Healthy');
  });

  test('of a Job are Healthy at once, although its pods are not ready', () => {
    const one = work('m1', { status: null });
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'web', namespace: 'shop' } };
    one.spec!.workload!.manifests = [{ ...job, spec: { parallelism: 2 } } as never];
    const bench = given({ works: [one] });
    bench.reconcile(executionController, WORK);
    expect(look(bench).requeue).toEqual({ after: 22_000 });
    expect(bench.get('Copy', WORK)).toMatchObject({ replicas: 2, ready: 0 });
    expect(health(bench)).toBe('Healthy');
  });

  test('of required resources have no replicas, whatever the replicas of their parents', () => {
    const required = ofKind('ConfigMap', 'v1');
    required.bindings![0]!.spec = {
      ...required.bindings![0]!.spec,
      clusters: [],
      requiredBy: [{ namespace: 'shop', name: 'parent', clusters: [{ name: 'm1', replicas: 5 }] }],
    };
    const bench = given(required);
    bench.reconcile(executionController, WORK);
    expect(bench.get('Copy', WORK)).toMatchObject({ replicas: 0 });
  });

  test('are reported only while their member is reachable', () => {
    const late: Copy = copy('m1', { ready: 1, stuck: true });
    const bench = given({ members: [down], works: [work('m1')], copies: { [WORK]: late } });
    expect(health(bench)).toBe('Healthy');
    const wakes = bench.wakes(workStatus, {
      verb: 'update',
      kind: 'Member',
      key: 'm1',
      part: 'object',
      lock: false,
      base: down,
      object: up,
    });
    expect(wakes).toEqual([{ key: WORK }]);
    expect(health(bench)).toBe('Unhealthy');
  });

  test('count as allocated resources of their member until they are deleted', () => {
    const counting = cluster('m1');
    counting.status!.resourceSummary = { allocated: { cpu: '1', pods: '10' } };
    const requirements = { resourceRequest: { cpu: '100m' } };
    const bench = given({
      clusters: [counting],
      works: [work('m1', { status: null })],
      bindings: [binding({ clusters: [m1], replicaRequirements: requirements })],
    });
    bench.reconcile(executionController, WORK);
    look(bench);
    expect(bench.get('Member', 'm1')!.allocated).toEqual({ cpu: '1300m', pods: '13000m' });
    bench.write({ verb: 'delete', kind: 'Work', key: WORK, base: bench.get('Work', WORK)! });
    bench.reconcile(executionController, WORK);
    look(bench);
    expect(bench.get('Member', 'm1')!.allocated).toEqual({ cpu: '1000m', pods: '10000m' });
  });
});

describe('the status of a binding', () => {
  test('is aggregated from all Works that are not being deleted', () => {
    const bench = new Bench(
      {
        bindings: [binding({ clusters: [m1] })],
        works: [work('m1'), work('m2', { deleting: true })],
      },
      failoverOn,
    );
    bench.reconcile(bindingStatus, WEB);
    expect(bench.get('Binding', WEB)!.status).toMatchObject({
      aggregatedStatus: [{ clusterName: 'm1', applied: true }],
      conditions: [{ type: 'FullyApplied', status: 'True' }],
    });
    expect(bench.reconcile(bindingStatus, WEB)).toEqual({});
  });

  test('is updated after a status change or release of a Work, but not after its creation', () => {
    const bench = new Bench({ bindings: [binding({ clusters: [m1] })] }, failoverOn);
    const one = work('m1', { status: null });
    expect(bench.wakes(bindingStatus, { verb: 'create', kind: 'Work', key: WORK, object: one })).toEqual([]);
    const status = {
      verb: 'update',
      kind: 'Work',
      key: WORK,
      part: 'status',
      lock: true,
      base: one,
    } as const;
    expect(bench.wakes(bindingStatus, { ...status, object: work('m1') })).toEqual([{ key: WEB }]);
    expect(bench.wakes(bindingStatus, { verb: 'delete', kind: 'Work', key: WORK, base: one })).toEqual([]);
    expect(bench.wakes(bindingStatus, { verb: 'release', kind: 'Work', key: WORK, base: one })).toEqual([
      { key: WEB },
    ]);
  });
});
