import { describe, expect, test } from '@jest/globals';
import { appliedTime } from '../../../src/karmada/members/readyTime.ts';
import { deriveCopy } from '../../../src/simulator/store/derivedCopy.ts';
import { deriveWorks, withAggregatedStatus } from '../../../src/simulator/store/derivedWorks.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Condition } from '../../../src/karmada/api/meta.ts';
import type { AggregatedStatusItem, ResourceBinding, Work } from '../../../src/karmada/api/work.ts';
import { workName } from '../../../src/karmada/api/names.ts';
import { v1_18 } from '../../dialects.ts';
import { declaredHooks } from '../../../src/karmada/status/healthInterpreter.ts';

const hooks = declaredHooks([], v1_18.rules);

const start = Date.parse('2026-03-14T10:00:00Z');
const assumptions = { workloadReadyAfter: 20_000, neverReady: [] };
const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

function binding(
  spec: Partial<ResourceBinding['spec']>,
  aggregatedStatus?: AggregatedStatusItem[],
  lastScheduledTime?: string,
): ResourceBinding {
  return {
    kind: 'ResourceBinding',
    metadata: {
      name: 'web-deployment',
      namespace: 'shop',
      labels: { 'resourcebinding.karmada.io/permanent-id': 'id-1' },
    },
    spec: { resource, replicas: 3, ...spec },
    status: {
      ...(aggregatedStatus && { aggregatedStatus }),
      ...(lastScheduledTime && { lastScheduledTime }),
    },
  };
}

const healthy = (clusterName: string, replicas: number): AggregatedStatusItem => ({
  clusterName,
  applied: true,
  health: 'Healthy',
  status: { replicas, readyReplicas: replicas },
});

const ready = (name: string, status: 'True' | 'False' = 'True'): Cluster => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name },
  spec: {},
  status: { conditions: [{ type: 'Ready', status }] },
});

describe('the names of Works', () => {
  test('are the names that Karmada gives', () => {
    expect(workName(resource)).toBe('web-56d6c779bb');
    expect(workName({ kind: 'ClusterRole', name: 'ops-reader' })).toBe('ops-reader-9b4995886');
  });
});

describe('Works missing in a capture', () => {
  test('follow from the scheduling result, from tasks that purge gracefully, and from requiredBy', () => {
    const works = deriveWorks(
      binding(
        {
          clusters: [{ name: 'm1', replicas: 3 }],
          gracefulEvictionTasks: [
            { fromCluster: 'm2', replicas: 2, reason: 'r', producer: 'p', purgeMode: 'Gracefully' },
            { fromCluster: 'm3', replicas: 1, reason: 'r', producer: 'p', purgeMode: 'Directly' },
          ],
          requiredBy: [{ namespace: 'shop', name: 'parent', clusters: [{ name: 'm4' }] }],
        },
        [healthy('m1', 3), healthy('m2', 2)],
      ),
      undefined,
      assumptions,
      start,
      v1_18.rules,
      hooks,
    );
    expect([...works.keys()]).toEqual(['m1', 'm2', 'm4']);
    expect(works.get('m2')).toMatchObject({
      metadata: {
        name: 'web-56d6c779bb',
        namespace: 'karmada-es-m2',
        labels: { 'resourcebinding.karmada.io/permanent-id': 'id-1' },
      },
      spec: { workload: { manifests: [{ kind: 'Deployment', spec: { replicas: 2 } }] } },
      status: {
        conditions: [
          { type: 'Dispatching', status: 'True' },
          { type: 'Applied', status: 'True' },
        ],
        manifestStatuses: [{ health: 'Healthy', status: { replicas: 2, readyReplicas: 2 } }],
      },
    });
    expect(works.get('m4')!.status).toBeUndefined();
  });

  test('without aggregatedStatus are applied and ready if the scheduling was long ago', () => {
    const settled = binding({ clusters: [{ name: 'm1', replicas: 3 }] }, undefined, '2026-03-14T09:00:00Z');
    const works = deriveWorks(settled, undefined, assumptions, start, v1_18.rules, hooks);
    expect(works.get('m1')!.status!.manifestStatuses![0]!.health).toBe('Healthy');
    expect(withAggregatedStatus(settled, () => works).status!.aggregatedStatus).toMatchObject([
      { clusterName: 'm1', applied: true, health: 'Healthy', status: { readyReplicas: 3 } },
    ]);
  });

  test('without aggregatedStatus are starting if the scheduling was more recent than a start takes', () => {
    const starting = binding({ clusters: [{ name: 'm1', replicas: 3 }] }, undefined, '2026-03-14T09:59:50Z');
    const works = deriveWorks(starting, undefined, assumptions, start, v1_18.rules, hooks);
    expect(withAggregatedStatus(starting, () => works).status!.aggregatedStatus).toMatchObject([
      { clusterName: 'm1', applied: true, health: 'Unhealthy' },
    ]);
  });

  test('without aggregatedStatus are not applied right after the scheduling', () => {
    const fresh = binding({ clusters: [{ name: 'm1', replicas: 3 }] }, undefined, '2026-03-14T10:00:00Z');
    expect(
      deriveWorks(fresh, undefined, assumptions, start, v1_18.rules, hooks).get('m1')!.status,
    ).toBeUndefined();
  });
});

test('Works missing in a capture report suspended dispatching as the execution controller does', () => {
  const suspended = binding({ clusters: [{ name: 'm1', replicas: 3 }], suspension: { dispatching: true } });
  const works = deriveWorks(suspended, undefined, assumptions, start, v1_18.rules, hooks);
  expect(works.get('m1')!.status).toMatchObject({ conditions: [{ type: 'Dispatching', status: 'False' }] });
  expect(withAggregatedStatus(suspended, () => works).status!.aggregatedStatus).toEqual([
    { clusterName: 'm1', health: 'Unknown' },
  ]);
});

test('Works missing in a capture are built from the template as by the binding controller', () => {
  const template = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
    spec: { replicas: 9, selector: { matchLabels: { app: 'web' } } },
  };
  const works = deriveWorks(
    binding({ clusters: [{ name: 'm1', replicas: 3 }] }, [healthy('m1', 3)]),
    template,
    assumptions,
    start,
    v1_18.rules,
    hooks,
  );
  expect(works.get('m1')!.spec!.workload!.manifests![0]).toMatchObject({
    metadata: { labels: { app: 'web' } },
    spec: { replicas: 3, selector: { matchLabels: { app: 'web' } } },
  });
});

describe('an aggregatedStatus missing in a capture', () => {
  const captured = (conditions: Condition[]): ReadonlyMap<string, Work> => {
    const target = binding({ clusters: [{ name: 'm1', replicas: 3 }] }, [healthy('m1', 3)]);
    const [work] = deriveWorks(target, undefined, assumptions, start, v1_18.rules, hooks).values();
    return new Map([['m1', { ...work!, status: { ...work!.status, conditions } }]]);
  };
  const silent = binding({ clusters: [{ name: 'm1', replicas: 3 }] });

  test('has the status that the Works report', () => {
    const works = captured([{ type: 'Applied', status: 'True' }]);
    expect(withAggregatedStatus(silent, () => works).status!.aggregatedStatus).toEqual([healthy('m1', 3)]);
  });

  test('has the reason for an unapplied Work', () => {
    const works = captured([{ type: 'Applied', status: 'False', message: 'already exists' }]);
    expect(withAggregatedStatus(silent, () => works).status!.aggregatedStatus).toEqual([
      { clusterName: 'm1', appliedMessage: 'already exists', health: 'Unknown' },
    ]);
  });

  test('stays missing while no Work has reported a status', () => {
    const works = new Map(
      [...captured([])].map(([cluster, { status: _, ...work }]): [string, Work] => [cluster, work]),
    );
    expect(withAggregatedStatus(silent, () => works)).toBe(silent);
  });
});

describe('the copy behind a captured Work', () => {
  const scheduled = '2026-03-14T09:59:55Z';
  const work = (status: Work['status'], rest: Partial<Work['metadata']> = {}): Work => ({
    metadata: { name: 'web-1', namespace: 'karmada-es-m1', ...rest },
    spec: {
      workload: {
        manifests: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { name: 'web', namespace: 'shop' },
            spec: { replicas: 3 },
          } as never,
        ],
      },
    },
    ...(status && { status }),
  });
  const reported = (health: 'Healthy' | 'Unhealthy', status: object): Work['status'] => ({
    conditions: [{ type: 'Applied', status: 'True' }],
    manifestStatuses: [{ health, status }],
  });
  const on = { clusters: [{ name: 'm1', replicas: 3 }] };

  test('does not exist if the Work was never applied', () => {
    expect(
      deriveCopy(work(undefined), binding(on), ready('m1'), assumptions, start, hooks, v1_18.defaults),
    ).toBeUndefined();
  });

  test('has the reported ready replicas', () => {
    const status = { replicas: 3, readyReplicas: 3 };
    const copy = deriveCopy(
      work(reported('Healthy', status)),
      binding(on),
      ready('m1'),
      assumptions,
      start,
      hooks,
      v1_18.defaults,
    );
    expect(copy).toMatchObject({ cluster: 'm1', managed: true, replicas: 3, ready: 3, status });
    expect(copy).not.toHaveProperty('readyAt');
  });

  test('of a preserving Work in deletion is unmanaged after some seconds', () => {
    const status = { replicas: 3, readyReplicas: 3 };
    const leaving = (deletionTimestamp: string, preserveResourcesOnDeletion: boolean): Work => {
      const one = work(reported('Healthy', status), { deletionTimestamp });
      return { ...one, spec: { ...one.spec, preserveResourcesOnDeletion } };
    };
    const managed = (one: Work, cluster = ready('m1')) =>
      deriveCopy(one, binding(on), cluster, assumptions, start, hooks, v1_18.defaults)!.managed;
    expect(managed(leaving('2026-03-14T09:59:00Z', true))).toBe(false);
    // until a failure would be noticed, its cluster may also be down
    expect(managed(leaving('2026-03-14T09:59:50Z', true))).toBe(true);
    expect(managed(leaving('2026-03-14T09:59:00Z', false))).toBe(true);
    expect(managed(leaving('2026-03-14T09:59:50Z', true), ready('m1', 'False'))).toBe(true);
    // the failure, which Karmada noticed a moment later, had begun before
    const failed = (lastTransitionTime: string): Cluster => ({
      ...ready('m1', 'False'),
      status: { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime }] },
    });
    expect(managed(leaving('2026-03-14T09:58:00Z', true), failed('2026-03-14T09:58:10Z'))).toBe(true);
    expect(managed(leaving('2026-03-14T09:58:00Z', true), failed('2026-03-14T09:59:50Z'))).toBe(false);
  });

  test('becomes ready on time, counted from the scheduling and not from the reconcile', () => {
    const starting = work(reported('Unhealthy', { replicas: 3, readyReplicas: 1 }));
    const copy = deriveCopy(
      starting,
      binding(on, [], scheduled),
      ready('m1'),
      assumptions,
      start,
      hooks,
      v1_18.defaults,
    )!;
    expect(copy).toMatchObject({ replicas: 3, ready: 1 });
    expect(copy.readyAt).toBe(appliedTime(Date.parse(scheduled)) + 20_000 + 2000);
  });

  test('starts when it is applied, if it waited for its member', () => {
    const late = reported('Unhealthy', { replicas: 3 })!;
    late.conditions![0]!.lastTransitionTime = '2026-03-14T09:59:58Z';
    const copy = deriveCopy(
      work(late),
      binding(on, [], scheduled),
      ready('m1'),
      assumptions,
      start,
      hooks,
      v1_18.defaults,
    )!;
    expect(copy.readyAt).toBe(Date.parse('2026-03-14T09:59:58Z') + 20_000 + 2000);
  });

  test('does not restart if its Work did not change after a new scheduling', () => {
    const sick = work(reported('Unhealthy', { replicas: 3 }), {
      creationTimestamp: '2026-03-14T08:00:00Z',
      generation: 1,
    });
    const rescheduled = binding(on, [], scheduled);
    expect(
      deriveCopy(sick, rescheduled, ready('m1'), assumptions, start, hooks, v1_18.defaults),
    ).toMatchObject({
      stuck: true,
    });
  });

  test('never becomes ready if it is long overdue', () => {
    const late = work(reported('Unhealthy', { replicas: 3 }));
    const old = binding(on, [], '2026-03-14T09:00:00Z');
    expect(deriveCopy(late, old, ready('m1'), assumptions, start, hooks, v1_18.defaults)).toMatchObject({
      ready: 0,
      stuck: true,
    });
  });

  test('becomes ready if it was starting when its cluster failed, however long ago', () => {
    const starting = work(reported('Unhealthy', { replicas: 3 }));
    const then = binding(on, [], '2026-03-14T09:00:00Z');
    const silentSince = (lastTransitionTime: string): Cluster => {
      const one = ready('m1');
      const conditions = [{ type: 'Ready', status: 'False' as const, lastTransitionTime }];
      return { ...one, status: { ...one.status, conditions } };
    };
    const copyOf = (cluster: Cluster) =>
      deriveCopy(starting, then, cluster, assumptions, start, hooks, v1_18.defaults);
    expect(copyOf(silentSince('2026-03-14T09:01:00Z'))).not.toHaveProperty('stuck');
    expect(copyOf(silentSince('2026-03-14T09:05:00Z'))).toMatchObject({ stuck: true });
  });

  test('becomes ready if its Work was deleted while its member was unreachable and has not reported since', () => {
    // given a copy that was starting when it was last reported, and whose deletion did not reach the member
    const deleted = (deletionTimestamp: string) =>
      work(reported('Unhealthy', { replicas: 3 }), { deletionTimestamp });
    const then = binding(on, [], '2026-03-14T09:00:00Z');
    const back: Cluster = {
      ...ready('m1'),
      status: {
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-03-14T09:59:00Z' }],
      },
    };
    const copyOf = (one: Work) => deriveCopy(one, then, back, assumptions, start, hooks, v1_18.defaults);
    // then it has become ready meanwhile
    expect(copyOf(deleted('2026-03-14T09:00:30Z'))).not.toHaveProperty('stuck');
    // but not if the member could have reported it before the deletion, or after
    expect(copyOf(deleted('2026-03-14T09:05:00Z'))).toMatchObject({ stuck: true });
    expect(copyOf(deleted('2026-03-14T09:59:30Z'))).toMatchObject({ stuck: true });
  });

  test('stays Unhealthy if it was reported as Unhealthy with all replicas ready', () => {
    const sick = work(reported('Unhealthy', { replicas: 3, readyReplicas: 3 }));
    const old = binding(on, [], '2026-03-14T09:00:00Z');
    expect(deriveCopy(sick, old, ready('m1'), assumptions, start, hooks, v1_18.defaults)).toMatchObject({
      ready: 3,
      health: 'Unhealthy',
    });
  });

  test('keeps the last reported replicas in an unreachable member', () => {
    const scaled = work(reported('Healthy', { replicas: 2, readyReplicas: 2 }));
    const old = binding(on, [], '2026-03-14T09:00:00Z');
    expect(
      deriveCopy(scaled, old, ready('m1', 'False'), assumptions, start, hooks, v1_18.defaults),
    ).toMatchObject({
      replicas: 2,
      ready: 2,
    });
  });

  test('keeps the last reported replicas in a member that refuses connections before the detection', () => {
    const message =
      'Failed to apply all manifests (0/1): Put "https://10.0.0.1:6443/apis/apps/v1/namespaces/shop/deployments/web": dial tcp 10.0.0.1:6443: connect: connection refused';
    const refused = {
      ...reported('Healthy', { replicas: 2, readyReplicas: 2 }),
      conditions: [{ type: 'Applied', status: 'False' as const, message }],
    };
    expect(
      deriveCopy(work(refused), binding(on), ready('m1'), assumptions, start, hooks, v1_18.defaults),
    ).toMatchObject({
      replicas: 2,
      ready: 2,
    });
  });

  test('of an old placement does not start again if the binding was scheduled elsewhere', () => {
    const sick = work(reported('Unhealthy', { replicas: 3 }), { creationTimestamp: '2026-03-14T08:00:00Z' });
    const moved = binding({ clusters: [{ name: 'm2', replicas: 3 }] }, [], scheduled);
    expect(deriveCopy(sick, moved, ready('m1'), assumptions, start, hooks, v1_18.defaults)).toMatchObject({
      stuck: true,
    });
  });

  test('is not managed if it conflicts with an existing object', () => {
    const message =
      'Failed to apply all manifests (0/1): resource(kind=Deployment, shop/web) already exists in the cluster m1';
    const refused = work({ conditions: [{ type: 'Applied', status: 'False', message }] });
    expect(
      deriveCopy(refused, binding(on), ready('m1'), assumptions, start, hooks, v1_18.defaults),
    ).toMatchObject({
      managed: false,
    });
  });

  test('of a kind without replicas is complete when it is Healthy, and starts like others', () => {
    const daemonSet = work(reported('Unhealthy', {}));
    daemonSet.spec!.workload!.manifests![0] = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'web', namespace: 'shop' },
    };
    const copy = deriveCopy(
      daemonSet,
      binding({ ...on, replicas: 0 }, [], scheduled),
      ready('m1'),
      assumptions,
      start,
      hooks,
      v1_18.defaults,
    )!;
    expect(copy.readyAt).toBe(Date.parse(scheduled) + 22_140);
  });
});
