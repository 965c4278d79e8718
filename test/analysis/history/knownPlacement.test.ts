import { describe, expect, test } from '@jest/globals';
import { observedHistory } from '../../../src/analysis/history/observedHistory.ts';
import { reconstructedHistory } from '../../../src/analysis/history/reconstructedHistory.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../../src/karmada/api/work.ts';
import { RESOURCE_BINDING_PERMANENT_ID_LABEL } from '../../../src/karmada/api/names.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';

const at = (seconds: number) => START + seconds * 1000;
const text = (seconds: number) => rfc3339(at(seconds));
const ID = { [RESOURCE_BINDING_PERMANENT_ID_LABEL]: 'cart' };
const to = [{ name: 'west', replicas: 2 }];

/** Evicted from clusters at these times, and on west; the scheduler decided last at `decided`. */
function moved(decided: number, evictions: Record<string, number> = { east: 100 }): ResourceBinding {
  const one = deployment('cart', { placement: {}, replicas: 2, clusters: to });
  const gracefulEvictionTasks = Object.entries(evictions).map(([fromCluster, seconds]) => ({
    fromCluster,
    reason: 'TaintUntolerated',
    producer: 'TaintManager',
    creationTimestamp: text(seconds),
  }));
  return {
    ...one,
    metadata: { ...one.metadata, labels: { ...one.metadata.labels, ...ID } },
    spec: { ...one.spec, gracefulEvictionTasks },
    status: { ...one.status, lastScheduledTime: text(decided) },
  };
}

const workOf = (name: string, created: number): Work => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: { name: 'cart-1', namespace: `karmada-es-${name}`, labels: ID, creationTimestamp: text(created) },
});

function reported(binding: ResourceBinding, works: Work[]) {
  const clusters = [cluster('east'), cluster('north'), cluster('west')];
  const history = reconstructedHistory({ ...world(clusters, [binding]), works }, at(600), failoverOn);
  return { history, placed: history.events.filter(({ type }) => type === 'Scheduled') };
}

describe('the placement after an eviction, in a single state', () => {
  test('has a known time if a Work was created when the scheduler decided', () => {
    const { history, placed } = reported(moved(101), [workOf('west', 101)]);
    expect(history.evictions).toMatchObject([{ from: 'east', to, scheduled: at(101) }]);
    expect(placed).toMatchObject([{ time: at(101), source: 'status.lastScheduledTime' }]);
  });

  test('has an unknown time if the scheduler decided again long after the Work was created', () => {
    const { history, placed } = reported(moved(160), [workOf('west', 101)]);
    expect(history.evictions).toMatchObject([{ from: 'east', to }]);
    expect(history.evictions[0]).not.toHaveProperty('scheduled');
    expect(placed).toEqual([]);
    expect(history.doubts.map((doubt) => doubt.text).join()).toContain(
      'status.lastScheduledTime is the time of',
    );
  });

  test('excludes earlier clusters, and is unknown after a second eviction', () => {
    const stayed = reported(moved(101), [workOf('west', 20)]).history;
    expect(stayed.evictions).toMatchObject([{ from: 'east', to: [] }]);
    const twice = reported(moved(151, { east: 100, north: 150 }), [workOf('west', 151)]).history;
    expect(twice.evictions).toMatchObject([
      { from: 'east', to: [] },
      { from: 'north', to, scheduled: at(151) },
    ]);
  });
});

describe('an observed history', () => {
  const onEast = deployment('cart', {
    placement: {
      clusterTolerations: [{ key: 'down', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }],
    },
    replicas: 2,
    clusters: [{ name: 'east', replicas: 2 }],
  });
  const down = cluster('east', [{ key: 'down', effect: 'NoExecute', timeAdded: text(10) }]);

  test('shows a toleration and then the wait in the eviction queue, without further changes', () => {
    const { spans } = observedHistory({
      first: world([cluster('east')], [onEast]),
      changes: [
        {
          at: at(10),
          before: cluster('east') as unknown as KubernetesObject,
          after: down as unknown as KubernetesObject,
        },
      ],
      start: START,
      end: at(300),
      configuration: failoverOn,
      doubts: [],
    });
    expect(spans.slice(1).map(({ phase, from, to: end }) => [phase, from, end])).toEqual([
      ['tolerating', at(10), at(70)],
      ['queued', at(70), undefined],
    ]);
  });

  test('shows the controller that deletes a Work', () => {
    const work = workOf('west', 0);
    const leaving = { ...work, metadata: { ...work.metadata, deletionTimestamp: text(20) } };
    const { events } = observedHistory({
      first: { ...world([cluster('west')], [moved(1, {})]), works: [work] },
      changes: [
        {
          at: at(20),
          before: work as unknown as KubernetesObject,
          after: leaving as unknown as KubernetesObject,
        },
      ],
      start: START,
      end: at(300),
      configuration: failoverOn,
      doubts: [],
    });
    expect(events).toMatchObject([{ type: 'WorkDeleted', controller: 'binding-controller' }]);
  });
});
