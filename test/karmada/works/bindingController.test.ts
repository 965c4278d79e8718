import { describe, expect, test } from '@jest/globals';
import { bindingController } from '../../../src/karmada/works/bindingController.ts';
import type { GracefulEvictionTask } from '../../../src/karmada/api/work.ts';
import { Bench } from '../controllers/bench.ts';
import { binding, cluster, failoverOn, template, WEB, webOn, work } from '../controllers/objects.ts';

const m1 = { name: 'm1', replicas: 3 };
const m2 = { name: 'm2', replicas: 3 };
const task = (fromCluster: string, rest: Partial<GracefulEvictionTask> = {}): GracefulEvictionTask => ({
  fromCluster,
  reason: 'TaintUntolerated',
  producer: 'TaintManager',
  purgeMode: 'Gracefully',
  replicas: 3,
  ...rest,
});
const state = { 'example.com/state': '7' };
const clusters = [cluster('m1'), cluster('m2')];

describe('the binding controller', () => {
  test('writes a Work with the scheduled replicas into the execution namespace', () => {
    const bench = new Bench(
      { clusters, bindings: [binding({ clusters: [{ name: 'm1', replicas: 2 }] })], objects: [template()] },
      failoverOn,
    );
    bench.reconcile(bindingController, WEB);
    expect(bench.get('Work', webOn('m1'))).toMatchObject({
      metadata: {
        name: 'web-56d6c779bb',
        namespace: 'karmada-es-m1',
        labels: { 'resourcebinding.karmada.io/permanent-id': 'id-web' },
        annotations: {
          'resourcebinding.karmada.io/namespace': 'shop',
          'resourcebinding.karmada.io/name': 'web-deployment',
        },
        finalizers: ['karmada.io/execution-controller'],
      },
      spec: {
        workload: {
          manifests: [
            {
              kind: 'Deployment',
              metadata: {
                name: 'web',
                labels: { 'karmada.io/managed': 'true' },
                annotations: {
                  'work.karmada.io/conflict-resolution': 'abort',
                  'resourcetemplate.karmada.io/generation': '1',
                },
              },
              spec: { replicas: 2 },
            },
          ],
        },
        suspendDispatching: false,
      },
    });
  });

  test('divides the completions of a Job like its replicas', () => {
    const divided = { replicaScheduling: { replicaSchedulingType: 'Divided' as const } };
    const resource = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'shop', name: 'web', uid: 'uid-web' };
    const job = { ...template({ parallelism: 3, completions: 9 }, { kind: 'Job' }), apiVersion: 'batch/v1' };
    const targets = [{ name: 'm1', replicas: 1 }, m2];
    const bench = new Bench(
      { clusters, bindings: [binding({ clusters: targets, resource, placement: divided })], objects: [job] },
      failoverOn,
    );
    bench.reconcile(bindingController, WEB);
    const specs = Array.from(
      bench.view.worksOf(bench.get('Binding', WEB)!).values(),
      ({ spec }) => (spec!.workload!.manifests![0] as unknown as { spec: unknown }).spec,
    );
    expect(specs).toEqual([
      { parallelism: 1, completions: 2 },
      { parallelism: 3, completions: 7 },
    ]);
  });

  test('does not write a Work that is up to date', () => {
    const bench = new Bench(
      { clusters, bindings: [binding({ clusters: [m1] })], works: [work('m1')], objects: [template()] },
      failoverOn,
    );
    expect(bench.reconcile(bindingController, WEB).writes).toEqual([]);
  });

  test('does not write an inferred Work, with or without its template', () => {
    const inferred = work('m1');
    inferred.spec!.workload!.manifests = [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { replicas: 3 },
      } as never,
    ];
    const labelled = template({ replicas: 3 }, { metadata: { labels: { app: 'web' } } });
    for (const objects of [[], [labelled]]) {
      const bench = new Bench(
        { clusters, bindings: [binding({ clusters: [m1] })], works: [inferred], objects },
        failoverOn,
      );
      expect(bench.reconcile(bindingController, WEB).writes).toEqual([]);
    }
  });

  test('keeps the result of override policies while the template is unchanged', () => {
    const overridden = work('m1');
    overridden.spec!.workload!.manifests = [
      template(
        { replicas: 3, image: 'mirror/web' },
        { metadata: { annotations: { 'resourcetemplate.karmada.io/generation': '1' } } },
      ),
    ];
    const bench = new Bench(
      {
        clusters,
        bindings: [binding({ clusters: [{ name: 'm1', replicas: 5 }] })],
        works: [overridden],
        objects: [template()],
      },
      failoverOn,
    );
    bench.reconcile(bindingController, WEB);
    expect(bench.get('Work', webOn('m1'))!.spec!.workload!.manifests![0]).toMatchObject({
      spec: { replicas: 5, image: 'mirror/web' },
    });
  });

  test('writes a changed template into the Works', () => {
    const bench = new Bench(
      {
        clusters,
        bindings: [binding({ clusters: [m1] })],
        works: [work('m1')],
        objects: [template({ replicas: 3, paused: true }, { metadata: { generation: 2 } })],
      },
      failoverOn,
    );
    bench.get('Work', webOn('m1'))!.spec!.workload!.manifests![0]!.metadata.annotations = {
      'resourcetemplate.karmada.io/generation': '1',
    };
    bench.reconcile(bindingController, WEB);
    expect(bench.get('Work', webOn('m1'))!.spec!.workload!.manifests![0]).toMatchObject({
      spec: { replicas: 3, paused: true },
    });
  });

  test('deletes Works without a target cluster and keeps Works of a graceful task unchanged', () => {
    const bench = new Bench(
      {
        clusters: [...clusters, cluster('m3')],
        bindings: [binding({ clusters: [m1], gracefulEvictionTasks: [task('m2')] })],
        works: [work('m1'), work('m2', { replicas: 1 }), work('m3')],
      },
      failoverOn,
    );
    bench.reconcile(bindingController, WEB);
    expect(bench.get('Work', webOn('m2'))!.metadata.deletionTimestamp).toBeUndefined();
    expect(bench.get('Work', webOn('m2'))!.metadata.generation).toBe(1);
    expect(bench.get('Work', webOn('m3'))!.metadata.deletionTimestamp).toBeDefined();
  });

  test('writes the new Work with the preserved state after a directly purged Work is deleted', () => {
    const purged = binding({
      clusters: [m2],
      gracefulEvictionTasks: [task('m1', { purgeMode: 'Directly', preservedLabelState: state })],
    });
    const bench = new Bench({ clusters, bindings: [purged], works: [work('m1')] }, failoverOn);

    const first = bench.reconcile(bindingController, WEB);
    expect(first.requeue).toEqual({ after: 5000, unless: [{ kind: 'Work', key: webOn('m1') }] });
    expect(first.notes).toEqual([{ type: 'WaitsForDirectPurge', binding: WEB, clusters: ['m1'] }]);
    expect(bench.get('Work', webOn('m2'))).toBeUndefined();
    expect(bench.reconcile(bindingController, WEB).notes).toEqual([]);

    bench.write({ verb: 'release', kind: 'Work', key: webOn('m1'), base: bench.get('Work', webOn('m1'))! });
    expect(bench.reconcile(bindingController, WEB).requeue).toBeUndefined();
    const manifest = () => bench.get('Work', webOn('m2'))!.spec!.workload!.manifests![0]!;
    expect(manifest().metadata.labels).toMatchObject(state);
  });

  test('removes the preserved state from a Work after the task ends, even in a new process', () => {
    const moved = binding({
      clusters: [m2],
      failover: {
        cluster: {
          statePreservation: { rules: [{ aliasLabelName: 'example.com/state', jsonPath: '{.x}' }] },
        },
      },
    });
    const carrying = work('m2');
    carrying.spec!.workload!.manifests![0]!.metadata.labels = {
      'karmada.io/managed': 'true',
      app: 'web',
      ...state,
    };
    const bench = new Bench({ clusters, bindings: [moved], works: [carrying] }, failoverOn);
    bench.reconcile(bindingController, WEB);
    expect(bench.get('Work', webOn('m2'))!.spec!.workload!.manifests![0]!.metadata.labels).toEqual({
      'karmada.io/managed': 'true',
      'resourcebinding.karmada.io/permanent-id': 'id-web',
      app: 'web',
    });
  });

  test('fails for a Work that is being deleted and writes the other Works', () => {
    const bench = new Bench(
      { clusters, bindings: [binding({ clusters: [m1, m2] })], works: [work('m1', { deleting: true })] },
      failoverOn,
    );
    expect(bench.reconcile(bindingController, WEB).failure).toMatchObject({
      message: `work ${webOn('m1')} is being deleted`,
      unless: [{ kind: 'Work', key: webOn('m1') }],
    });
    expect(bench.get('Work', webOn('m2'))).toBeDefined();
  });

  describe('with a cache that misses the deletion of a Work', () => {
    const comesBack = (replicas: number, after: number, gone = false) => {
      const bench = new Bench(
        { clusters, bindings: [binding({ clusters: [] })], works: [work('m1')], objects: [template()] },
        failoverOn,
      );
      bench.reconcile(bindingController, WEB);
      const removed = bench.get('Work', webOn('m1'))!;
      if (gone) bench.write({ verb: 'release', kind: 'Work', key: webOn('m1'), base: removed });
      const base = bench.get('Binding', WEB)!;
      const object = { ...base, spec: { ...base.spec, clusters: [{ name: 'm1', replicas }] } };
      bench.write({ verb: 'update', kind: 'Binding', key: WEB, part: 'object', lock: false, base, object });
      bench.now += after;
      return bench.reconcile(bindingController, WEB, { outdated: true });
    };

    test('writes nothing if the Work is up to date', () => {
      expect(comesBack(3, 50).failure).toBeUndefined();
    });

    test('fails and retries if the Work needs a change', () => {
      expect(comesBack(2, 50).failure?.message).toBe(`work ${webOn('m1')} is being deleted`);
    });

    test('creates a deleted Work again only if the cached Work needs a change', () => {
      expect(comesBack(3, 50, true).writes).toEqual([]);
      expect(comesBack(2, 50, true).writes).toMatchObject([{ verb: 'create' }]);
      expect(comesBack(3, 5000, true).writes).toMatchObject([{ verb: 'create' }]);
    });

    test('observes the deletion after a few seconds', () => {
      expect(comesBack(3, 5000).failure?.message).toBe(`work ${webOn('m1')} is being deleted`);
    });
  });

  test('deletes the Works of a deleted binding and releases the binding at once', () => {
    const gone = binding({ clusters: [m1] }, { metadata: { deletionTimestamp: '2026-03-14T10:00:00Z' } });
    const bench = new Bench({ clusters, bindings: [gone], works: [work('m1')] }, failoverOn);
    bench.reconcile(bindingController, WEB);
    expect(bench.get('Binding', WEB)).toBeUndefined();
    expect(bench.get('Work', webOn('m1'))!.metadata.deletionTimestamp).toBeDefined();
  });

  test('copies suspension and preserveResourcesOnDeletion into the Works', () => {
    const suspended = binding({
      clusters: [m1, m2],
      suspension: { dispatchingOnClusters: { clusterNames: ['m2'] } },
      preserveResourcesOnDeletion: true,
    });
    const bench = new Bench({ clusters, bindings: [suspended] }, failoverOn);
    bench.reconcile(bindingController, WEB);
    expect(bench.get('Work', webOn('m1'))!.spec).toMatchObject({
      suspendDispatching: false,
      preserveResourcesOnDeletion: true,
    });
    expect(bench.get('Work', webOn('m2'))!.spec).toMatchObject({ suspendDispatching: true });
  });

  test('reconciles after a change of the spec or a deletion, but not after a change of the status', () => {
    const bench = new Bench({ clusters, bindings: [binding({ clusters: [m1] })] }, failoverOn);
    const update = (part: 'object' | 'status', change: object) => {
      const base = bench.get('Binding', WEB)!;
      const object = { ...base, ...change };
      return bench.wakes(bindingController, {
        verb: 'update',
        kind: 'Binding',
        key: WEB,
        part,
        lock: false,
        base,
        object,
      });
    };
    expect(update('status', { status: { aggregatedStatus: [] } })).toEqual([]);
    expect(update('object', { spec: { ...binding({}).spec, clusters: [m2] } })).toEqual([{ key: WEB }]);
    const base = bench.get('Binding', WEB)!;
    expect(bench.wakes(bindingController, { verb: 'delete', kind: 'Binding', key: WEB, base })).toEqual([
      { key: WEB },
    ]);
  });

  test('resumes with recently scheduled bindings and their dependents', () => {
    const just = binding(
      { clusters: [m1], propagateDeps: true },
      { status: { lastScheduledTime: '2026-03-14T09:59:58Z' } },
    );
    const attached = binding(
      { requiredBy: [{ namespace: 'shop', name: 'web-deployment', clusters: [m1] }] },
      { metadata: { name: 'config-configmap' }, status: {} },
    );
    const settled = binding(
      { clusters: [m1] },
      {
        metadata: { name: 'api-deployment' },
        status: {
          lastScheduledTime: '2026-03-14T08:00:00Z',
          conditions: [{ type: 'FullyApplied', status: 'False' }],
        },
      },
    );
    const bench = new Bench({ clusters, bindings: [just, attached, settled] }, failoverOn);
    delete bench.get('Binding', 'shop/config-configmap')!.status!.lastScheduledTime;
    expect(new Set(bench.resumes(bindingController))).toEqual(new Set([WEB, 'shop/config-configmap']));
  });

  test('resumes the back-off for a Work that was being deleted at the last scheduling', () => {
    const notApplied = (lastTransitionTime: string) => ({
      status: {
        lastScheduledTime: '2026-03-14T09:59:50Z',
        conditions: [{ type: 'FullyApplied', status: 'False' as const, lastTransitionTime }],
      },
    });
    const resumed = (lastTransitionTime: string) =>
      new Bench(
        { clusters, bindings: [binding({ clusters: [m1] }, notApplied(lastTransitionTime))] },
        failoverOn,
      ).resumesAfter(bindingController);
    // 5 ms doubling from 09:59:50 on
    expect(resumed('2026-03-14T09:59:55Z')).toEqual([{ key: WEB, after: 235 }]);
    // not applied before, which implies nothing about this scheduling
    expect(resumed('2026-03-14T09:59:10Z')).toEqual([{ key: WEB, after: 235 }]);
    // lost in the same write as the scheduling
    expect(resumed('2026-03-14T09:59:50Z')).toEqual([]);
  });

  test('does not resume with a Work that was deleted manually long after the last scheduling', () => {
    const deleted = (readySince: string) => {
      const status = {
        lastScheduledTime: '2026-03-14T08:00:00Z',
        conditions: [
          { type: 'FullyApplied', status: 'False' as const, lastTransitionTime: '2026-03-14T08:30:00Z' },
        ],
      };
      const one = cluster('m1');
      const conditions = [{ type: 'Ready', status: 'True' as const, lastTransitionTime: readySince }];
      return new Bench(
        {
          clusters: [{ ...one, status: { ...one.status, conditions } }],
          bindings: [binding({ clusters: [m1] }, { status })],
        },
        failoverOn,
      ).resumes(bindingController);
    };
    expect(deleted('2026-03-14T07:00:00Z')).toEqual([]);
    // its old Work may have been held until then
    expect(deleted('2026-03-14T09:59:00Z')).toEqual([WEB]);
  });

  test('resumes the back-off for a dependent after the scheduling of its parent', () => {
    const parent = (name: string, lastScheduledTime: string) =>
      binding({ clusters: [m1] }, { metadata: { name }, status: { lastScheduledTime } });
    const required = ['web-deployment', 'api-deployment'].map((name) => ({
      namespace: 'shop',
      name,
      clusters: [m1, m2],
    }));
    const attached = binding(
      { requiredBy: required },
      {
        metadata: { name: 'config-configmap' },
        status: {
          conditions: [{ type: 'FullyApplied', status: 'False', lastTransitionTime: '2026-03-14T09:59:55Z' }],
        },
      },
    );
    const parents = [
      parent('web-deployment', '2026-03-14T09:59:50Z'),
      parent('api-deployment', '2026-03-14T08:00:00Z'),
    ];
    const bench = new Bench({ clusters, bindings: [...parents, attached] }, failoverOn);
    delete bench.get('Binding', 'shop/config-configmap')!.status!.lastScheduledTime;
    expect(bench.resumesAfter(bindingController)).toContainEqual({
      key: 'shop/config-configmap',
      after: 235,
    });
  });
});
