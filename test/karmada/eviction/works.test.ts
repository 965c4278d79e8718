import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Evidence } from '../../../src/karmada/evidence.ts';
import { purgesDirectly, purgesGracefully } from '../../../src/karmada/eviction/evictionTasks.ts';
import { entitledClusters, planWorks } from '../../../src/karmada/eviction/works.ts';
import { targetClusters } from '../../../src/karmada/objects/placement.ts';
import type { PurgeMode } from '../../../src/karmada/api/policy.ts';
import type { GracefulEvictionTask, ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';

const gateOn = { statefulFailoverInjection: true, rules: v1_18.rules };
const gateOff = { statefulFailoverInjection: false, rules: v1_18.rules };

const task = (
  fromCluster: string,
  purgeMode?: PurgeMode,
  rest: Partial<GracefulEvictionTask> = {},
): GracefulEvictionTask => ({ fromCluster, purgeMode, reason: 'R', producer: 'P', ...rest });

const spec = (clusters: string[], rest: Partial<ResourceBindingSpec> = {}): ResourceBindingSpec => ({
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' },
  clusters: clusters.map((name) => ({ name, replicas: 2 })),
  ...rest,
});

const existing = (...clusters: string[]) => clusters.map((cluster) => ({ cluster, held: true }));

describe('the purge mode', () => {
  test.each([
    ['Directly', true, false],
    ['Immediately', true, false],
    ['Gracefully', false, true],
    ['Graciously', false, true],
    ['Never', false, false],
    [undefined, false, false],
  ] as const)('%s purges directly: %s, gracefully: %s', (mode, directly, gracefully) => {
    expect([purgesDirectly(mode, v1_18.rules), purgesGracefully(mode, v1_18.rules)]).toEqual([
      directly,
      gracefully,
    ]);
  });
});

describe('the clusters entitled to a Work', () => {
  test.each([
    [undefined, true],
    ['Gracefully', true],
    ['Graciously', true],
    ['Never', true],
    ['Directly', false],
    ['Immediately', false],
  ] as const)('include a cluster evicted with purge mode %s: %s', (mode, entitled) => {
    const clusters = entitledClusters(
      spec(['m2'], { gracefulEvictionTasks: [task('m1', mode)] }),
      v1_18.rules,
    );
    expect(clusters).toEqual(new Set(entitled ? ['m2', 'm1'] : ['m2']));
  });

  test('include a directly purged cluster that another binding requires', () => {
    const requiredBy = [{ name: 'app', clusters: [{ name: 'm1' }] }];
    const gracefulEvictionTasks = [task('m1', 'Directly')];
    expect(entitledClusters(spec([], { requiredBy, gracefulEvictionTasks }), v1_18.rules)).toEqual(
      new Set(['m1']),
    );
  });

  test('follow the order of the result and then of requiredBy, without duplicates', () => {
    const requiredBy = [
      { name: 'a', clusters: [{ name: 'm3', replicas: 5 }, { name: 'm2' }] },
      { name: 'b', clusters: [{ name: 'm3' }, { name: 'm1' }] },
    ];
    expect(targetClusters(spec(['m2'], { requiredBy }))).toEqual([
      { name: 'm2', replicas: 2 },
      { name: 'm3', replicas: 5 },
      { name: 'm1' },
    ]);
  });
});

describe('a pass of the binding controller', () => {
  test('deletes orphaned Works and keeps the Work of a graceful eviction task', () => {
    const evicting = spec(['m2'], { gracefulEvictionTasks: [task('m1', 'Gracefully')] });
    const plan = planWorks(evicting, [...existing('m1', 'm3'), { cluster: 'm4', held: false }], gateOff);
    expect(Object.fromEntries(plan.fates)).toEqual({ m1: 'kept', m3: 'deleting', m4: 'deleted' });
    expect(plan.writes.map(({ cluster }) => cluster)).toEqual(['m2']);
  });

  test('writes no Work while a directly purged Work exists', () => {
    const evidence: Evidence[] = [];
    const evicting = spec(['m2'], { gracefulEvictionTasks: [task('m1', 'Directly')] });
    const plan = planWorks(evicting, existing('m1'), gateOff, evidence);
    expect(plan).toMatchObject({ waitingFor: ['m1'], requeueAfter: 5000, writes: [] });
    expect(evidence.map(({ rule }) => rule)).toEqual([
      'the Work in m1 is purged directly',
      'no Work is written while the directly purged one in m1 exists',
    ]);
  });

  test('waits for a directly purged Work even if its cluster is in the result again', () => {
    const evicting = spec(['m1'], { gracefulEvictionTasks: [task('m1', 'Directly')] });
    const plan = planWorks(evicting, existing('m1'), gateOff);
    expect(plan.fates.get('m1')).toBe('kept');
    expect(plan.waitingFor).toEqual(['m1']);
  });

  test('copies suspension and preserveResourcesOnDeletion into the Works', () => {
    const suspended = spec(['m1', 'm2'], {
      suspension: { dispatchingOnClusters: { clusterNames: ['m2'] } },
      preserveResourcesOnDeletion: true,
    });
    expect(planWorks(suspended, [], gateOff).writes).toMatchObject([
      { suspendDispatching: false, preserveResourcesOnDeletion: true },
      { suspendDispatching: true, preserveResourcesOnDeletion: true },
    ]);
    const all = spec(['m1'], { suspension: { dispatching: true } });
    expect(planWorks(all, [], gateOff).writes[0]).toMatchObject({ suspendDispatching: true });
  });
});

describe('preserved labels', () => {
  const state = { preservedLabelState: { 'job-id': 'j1' } };
  const labels = (evicting: ResourceBindingSpec, gate = gateOn) =>
    planWorks(evicting, [], gate).writes.map(({ preservedLabels }) => preservedLabels);

  test('are injected into the only Work if the last task purges directly', () => {
    const tasks = [
      task('m0', 'Directly', { preservedLabelState: { old: 'x' } }),
      task('m1', 'Immediately', state),
    ];
    expect(labels(spec(['m2'], { gracefulEvictionTasks: tasks }))).toEqual([{ 'job-id': 'j1' }]);
  });

  test.each([
    [
      'without the gate StatefulFailoverInjection',
      spec(['m2'], { gracefulEvictionTasks: [task('m1', 'Directly', state)] }),
      gateOff,
    ],
    [
      'if the last task is graceful',
      spec(['m2'], { gracefulEvictionTasks: [task('m1', 'Gracefully', state)] }),
      gateOn,
    ],
    [
      'if a later task has no state',
      spec(['m2'], { gracefulEvictionTasks: [task('m1', 'Directly', state), task('m3', 'Directly')] }),
      gateOn,
    ],
    [
      'into a cluster where the workload ran before',
      spec(['m2'], {
        gracefulEvictionTasks: [task('m1', 'Directly', { ...state, clustersBeforeFailover: ['m1', 'm2'] })],
      }),
      gateOn,
    ],
    ['without a task', spec(['m2']), gateOn],
  ])('are not injected %s', (_rule, evicting, gate) => {
    expect(labels(evicting, gate)).toEqual([{}]);
  });

  test('are not injected if there are several target clusters, including the clusters of requiredBy', () => {
    const gracefulEvictionTasks = [task('m1', 'Directly', state)];
    const requiredBy = [{ name: 'app', clusters: [{ name: 'm3' }] }];
    expect(labels(spec(['m2'], { gracefulEvictionTasks, requiredBy }))).toEqual([{}, {}]);
  });
});

describe('a pass of the binding controller with any binding and any Works', () => {
  const name = fc.constantFrom('m1', 'm2', 'm3', 'm4');
  const mode = fc.constantFrom<PurgeMode | undefined>(
    'Directly',
    'Immediately',
    'Gracefully',
    'Graciously',
    'Never',
    undefined,
  );
  const anySpec = fc
    .record({
      clusters: fc.uniqueArray(name),
      tasks: fc.array(fc.tuple(name, mode)),
      required: fc.array(fc.uniqueArray(name)),
    })
    .map(({ clusters, tasks, required }) =>
      spec(clusters, {
        gracefulEvictionTasks: tasks.map(([cluster, purgeMode]) => task(cluster, purgeMode)),
        requiredBy: required.map((names) => ({ name: 'x', clusters: names.map((one) => ({ name: one })) })),
      }),
    );
  const anyWorks = fc.uniqueArray(
    fc.record({ cluster: name, held: fc.boolean(), deleting: fc.boolean() }).map((work) => ({
      ...work,
      held: work.held || work.deleting,
    })),
    { selector: ({ cluster }) => cluster },
  );

  test('keeps entitled Works, deletes orphaned Works and writes only entitled Works', () => {
    fc.assert(
      fc.property(anySpec, anyWorks, (evicting, works) => {
        const entitled = entitledClusters(evicting, v1_18.rules);
        const plan = planWorks(evicting, works, gateOn);
        for (const { cluster, deleting } of works)
          if (!deleting) expect(plan.fates.get(cluster) === 'kept').toBe(entitled.has(cluster));
        for (const { cluster } of plan.writes) expect(entitled.has(cluster)).toBe(true);
      }),
    );
  });

  test('writes all targets or waits', () => {
    fc.assert(
      fc.property(anySpec, anyWorks, (evicting, works) => {
        const plan = planWorks(evicting, works, gateOn);
        const waits = plan.waitingFor.length > 0;
        expect(plan.requeueAfter !== undefined).toBe(waits);
        expect(plan.writes.length).toBe(waits ? 0 : targetClusters(evicting).length);
      }),
    );
  });
});
