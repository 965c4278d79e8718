import { describe, expect, test } from '@jest/globals';
import { replacementReady } from '../../../src/karmada/status/replacementReady.ts';
import { declaredHooks } from '../../../src/karmada/status/healthInterpreter.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type {
  ResourceBinding,
  ResourceBindingSpec,
  ResourceBindingStatus,
} from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';
import { cluster, deployment } from '../../simulator/simulation/controlPlane.ts';
import { byCapacity, heldTask, workOf, type Reported } from '../../analysis/drain/aDrain.ts';

const rules = v1_18.rules.scheduling;

const hooks = declaredHooks([], v1_18.rules);
const clusters = new Map(['east-1', 'west-1', 'west-2'].map((name) => [name, cluster(name)]));

/** Evicted from east-1, where it had two of its four replicas; west-1 got all of them. */
function evicted(
  spec: Partial<ResourceBindingSpec> = {},
  status: Partial<ResourceBindingStatus> = {},
): ResourceBinding {
  const binding = deployment('web', {
    placement: byCapacity,
    replicas: 4,
    clusters: [{ name: 'west-1', replicas: 4 }],
    spec: { gracefulEvictionTasks: [heldTask('east-1')], ...spec },
  });
  return { ...binding, status: { ...binding.status, ...status } };
}

function look(
  binding: ResourceBinding,
  works: Record<string, Reported>,
  known: Map<string, Cluster> = clusters,
) {
  const seen = new Map(Object.entries(works).map(([name, one]) => [name, workOf(name, one)]));
  return replacementReady(binding, seen, known, hooks, rules);
}

/** The Work of a workload with an autoscaler in the member. */
function retaining(on: string, reported: Reported = {}, kind = 'Deployment') {
  const work = workOf(on, reported);
  const [manifest] = work.spec!.workload!.manifests!;
  manifest!.kind = kind;
  manifest!.metadata.labels = { 'resourcetemplate.karmada.io/retain-replicas': 'true' };
  return new Map([[on, work]]);
}

describe('the replacement', () => {
  test('is ready once all assigned replicas are ready', () => {
    expect(look(evicted(), { 'west-1': { ready: 4 } })).toMatchObject({
      ready: true,
      phase: 'ready',
      evidence: [{ rule: 'west-1: 4 of 4 replicas ready', object: { namespace: 'karmada-es-west-1' } }],
    });
  });

  test('is not ready with a stale Healthy status from before the scale-up', () => {
    // The status that Karmada uses says Healthy all the time.
    const healthy = evicted(
      {},
      {
        aggregatedStatus: [{ clusterName: 'west-1', applied: true, health: 'Healthy' }],
      },
    );
    expect(look(healthy, { 'west-1': { ready: 2, written: 4 } })).toMatchObject({
      ready: false,
      phase: 'starting',
      waitingFor: 'west-1: 2 of 4 replicas ready',
    });
  });

  test.each<[string, Reported, string]>([
    [
      'the Work has the previous replica count',
      { ready: 4, written: 2 },
      'the Work still has 2 replicas, 4 are assigned',
    ],
    ['the Work is not applied', { ready: 4, applied: false }, 'not applied yet'],
    ['dispatching is suspended', { ready: 4, suspended: true }, 'dispatching is suspended'],
    [
      'the previous Work is being deleted',
      { ready: 4, deleting: true },
      'its former Work is still being deleted',
    ],
    [
      'the member has not observed the new spec',
      {
        written: 4,
        status: { generation: 2, observedGeneration: 1, readyReplicas: 4, availableReplicas: 4 },
      },
      'the member has not applied the new content yet',
    ],
    ['the member reports no status', { written: 4, status: undefined }, '0 of 4 replicas ready'],
    [
      'replicas are ready but not available',
      { written: 4, status: { readyReplicas: 4 } },
      '0 of 4 replicas ready',
    ],
  ])('is not ready while %s', (_what, reported, waitingFor) => {
    expect(look(evicted(), { 'west-1': reported })).toMatchObject({
      ready: false,
      phase: 'starting',
      waitingFor: `west-1: ${waitingFor}`,
    });
  });

  test('is not ready without a Work or on a cluster that is not Ready', () => {
    expect(look(evicted(), {}).waitingFor).toBe('west-1: no Work has been written yet');
    const gone = cluster('west-1');
    const down = new Map([['west-1', { ...gone, status: { ...gone.status, conditions: [] } }]]);
    expect(look(evicted(), { 'west-1': { ready: 4 } }, down)).toMatchObject({
      ready: false,
      waitingFor: 'west-1: the cluster is not Ready, so its status may be stale',
    });
  });

  test('does not depend on a cluster that is not Ready and has no additional replicas', () => {
    const message = 'drained by kubectl karmada-failover, before: east-1=2 west-1=1 west-2=1';
    const gone = cluster('west-2');
    const down = new Map(clusters).set('west-2', { ...gone, status: { ...gone.status, conditions: [] } });
    const placed = (one: number, two: number) =>
      evicted({
        gracefulEvictionTasks: [heldTask('east-1', { message })],
        clusters: [
          { name: 'west-1', replicas: one },
          { name: 'west-2', replicas: two },
        ],
      });
    const works = { 'west-1': { ready: 3 }, 'west-2': { ready: 1 } };
    expect(look(placed(3, 1), works, down).ready).toBe(true);
    expect(look(placed(2, 2), { ...works, 'west-1': { ready: 2 } }, down).ready).toBe(false);
    const alone = evicted({
      replicas: 1,
      gracefulEvictionTasks: [heldTask('east-1', { message })],
      clusters: [{ name: 'west-2', replicas: 1 }],
    });
    expect(look(alone, works, down).ready).toBe(false);
  });

  describe('on a cluster that is not Ready', () => {
    const gone = cluster('west-2');
    const down = new Map(clusters).set('west-2', { ...gone, status: { ...gone.status, conditions: [] } });
    const message = (before: string) => `drained by kubectl karmada-failover, before: ${before}`;

    test('is not ready if the cluster gets more replicas than before one of two evictions', () => {
      const twice = evicted({
        gracefulEvictionTasks: [
          heldTask('east-2', { message: message('east-2=2 west-2=4') }),
          heldTask('east-1', { message: message('east-1=4') }),
        ],
        clusters: [
          { name: 'west-1', replicas: 2 },
          { name: 'west-2', replicas: 2 },
        ],
      });
      expect(look(twice, { 'west-1': { ready: 2 }, 'west-2': { ready: 0, written: 2 } }, down).ready).toBe(
        false,
      );
    });

    test('is not ready if no other cluster runs replicas', () => {
      const empty = evicted({
        replicas: 2,
        gracefulEvictionTasks: [heldTask('east-1', { message: message('east-1=0 west-1=0 west-2=2') })],
        clusters: [
          { name: 'west-1', replicas: 0 },
          { name: 'west-2', replicas: 2 },
        ],
      });
      expect(look(empty, { 'west-1': { ready: 0 }, 'west-2': { ready: 2 } }, down).ready).toBe(false);
    });
  });

  test('is not ready on a cluster that is being deleted', () => {
    const west = cluster('west-1');
    const metadata = { ...west.metadata, deletionTimestamp: '2026-09-01T08:00:00Z' };
    const known = new Map(clusters).set('west-1', { ...west, metadata });
    expect(look(evicted(), { 'west-1': { ready: 4 } }, known)).toMatchObject({
      ready: false,
      waitingFor: 'west-1: the cluster is being deleted',
    });
  });

  test('is not required if the workload is scaled to zero', () => {
    const none = evicted({ replicas: 0, clusters: [] });
    expect(look(none, {})).toMatchObject({ ready: true, evidence: [] });
    // the replicas of an autoscaler do not follow that
    expect(replacementReady(none, retaining('east-1'), clusters, hooks, rules).ready).toBe(false);
    expect(
      look(evicted({ replicas: 0, replicaRequirements: undefined as never, clusters: [] }), {}),
    ).toMatchObject({
      ready: false,
      waitingFor: 'it is not placed on any cluster',
    });
  });

  test('with fewer replicas from an autoscaler is ready once those replicas are ready', () => {
    const retained = (reported: Reported) =>
      replacementReady(evicted(), retaining('west-1', { written: 4, ...reported }), clusters, hooks, rules)
        .ready;
    expect(retained({ ready: 2 })).toBe(true);
    // what a quota allows
    expect(retained({ ready: 1, health: 'Unhealthy' })).toBe(false);
  });

  test('of a StatefulSet needs all replicas: the label retains them only with a retention script', () => {
    const stateful = retaining('west-1', { written: 4, ready: 2 }, 'StatefulSet');
    const script = {
      apiVersion: 'config.karmada.io/v1alpha1',
      kind: 'ResourceInterpreterCustomization',
      metadata: { name: 'statefulsets' },
      spec: {
        target: { apiVersion: 'apps/v1', kind: 'StatefulSet' },
        customizations: { retention: { luaScript: 'function Retain(a, b) return a end' } },
      },
    };
    const [native, customized] = [[], [script]].map(
      (objects) =>
        replacementReady(evicted(), stateful, clusters, declaredHooks(objects, v1_18.rules), rules).ready,
    );
    expect({ native, customized }).toEqual({ native: false, customized: true });
  });

  test('covers all target clusters, including clusters with earlier copies', () => {
    const both = evicted({
      clusters: [
        { name: 'west-1', replicas: 3 },
        { name: 'west-2', replicas: 1 },
      ],
    });
    expect(look(both, { 'west-1': { ready: 3 }, 'west-2': { ready: 1 } }).ready).toBe(true);
    expect(
      look(both, { 'west-1': { ready: 1, written: 3 }, 'west-2': { ready: 0, written: 1 } }).waitingFor,
    ).toBe('west-1: 1 of 3 replicas ready; west-2: 0 of 1 replica ready');
  });

  test('is not placed until the scheduler has observed the eviction', () => {
    const unseen = evicted({}, { schedulerObservedGeneration: 1 });
    expect(look(unseen, { 'west-1': { ready: 4 } })).toMatchObject({
      ready: false,
      phase: 'scheduling',
      waitingFor: 'the scheduler has not processed it since the eviction',
    });
  });

  test.each<[string, ResourceBinding]>([
    ['its scheduling is suspended', evicted({ suspension: { scheduling: true } })],
    [
      'no policy claims it, so its eviction does not reach the scheduler',
      { ...evicted(), metadata: { ...evicted().metadata, labels: {} } },
    ],
  ])('is not placed if the scheduler ignores the binding: %s', (waitingFor, binding) => {
    const unseen = { ...binding, status: { ...binding.status, schedulerObservedGeneration: 1 } };
    expect(look(unseen, {})).toMatchObject({ phase: 'scheduling', waitingFor });
  });

  test('is not placed if the scheduler fails or places too few replicas', () => {
    const message = '0/3 clusters are available';
    const failed = evicted(
      { clusters: [] },
      {
        conditions: [{ type: 'Scheduled', status: 'False', reason: 'NoClusterFit', message }],
      },
    );
    expect(look(failed, {})).toMatchObject({ phase: 'scheduling', waitingFor: `not scheduled: ${message}` });
    expect(look(evicted({ clusters: [] }), {}).waitingFor).toBe('it is not placed on any cluster');
    const fewer = evicted({ clusters: [{ name: 'west-1', replicas: 3 }] });
    expect(look(fewer, { 'west-1': { ready: 3 } }).waitingFor).toBe('3 of 4 replicas are placed');
  });

  describe('of a kind', () => {
    const config = {
      resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'web' },
      replicas: 0,
      replicaRequirements: undefined,
      clusters: [{ name: 'west-1' }],
    } as Partial<ResourceBindingSpec>;

    test('without replicas is ready once it is applied and not Unhealthy', () => {
      const none = { written: 0, status: undefined };
      expect(look(evicted(config), { 'west-1': none }).ready).toBe(true);
      expect(look(evicted(config), { 'west-1': { ...none, applied: false } }).ready).toBe(false);
      expect(look(evicted(config), { 'west-1': { ...none, health: 'Unhealthy' } })).toMatchObject({
        ready: false,
        waitingFor: 'west-1: reported Unhealthy',
      });
    });

    const resource = { apiVersion: 'example.com/v1', kind: 'Farm', namespace: 'shop', name: 'web' };
    const up: Reported = { written: 4, status: { phase: 'Up' } };

    test('without ready replicas in its status is ready by health, as an estimate', () => {
      const interpreted = { ...hooks, enabled: () => true };
      const works = new Map([['west-1', workOf('west-1', up)]]);
      const { ready, evidence } = replacementReady(
        evicted({ resource }),
        works,
        clusters,
        interpreted,
        rules,
      );
      expect(ready).toBe(true);
      expect(evidence[0]).toMatchObject({ certainty: 'estimate' });
    });

    test('without ready replicas and without a health interpreter is never ready', () => {
      const unknown = {
        ready: false,
        waitingFor:
          'west-1: readiness unknown: Karmada has no health interpreter for Farm, and it reports no ready replicas',
      };
      expect(look(evicted({ resource }), { 'west-1': up })).toMatchObject(unknown);
      // Karmada treats it as having no replicas, unlike its manifest
      expect(look(evicted({ ...config, resource }), { 'west-1': up })).toMatchObject(unknown);
    });

    test('that runs to completion is ready by its active and succeeded pods, as an estimate', () => {
      const job = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'shop', name: 'web' };
      const judged = (status: object) =>
        look(evicted({ resource: job }), { 'west-1': { written: 4, status } });
      expect(judged({ active: 1, succeeded: 2 })).toMatchObject({
        ready: false,
        waitingFor: 'west-1: 3 of 4 replicas active or done',
      });
      expect(judged({ active: 4 })).toMatchObject({ ready: true, evidence: [{ certainty: 'estimate' }] });
    });

    test('with ready replicas in a custom status is ready by that count', () => {
      const counting = (readyReplicas: number) =>
        look(evicted({ resource }), { 'west-1': { written: 4, status: { readyReplicas } } }).ready;
      expect(counting(3)).toBe(false);
      expect(counting(4)).toBe(true);
    });
  });
});
