import { describe, expect, test } from '@jest/globals';
import type { ObservedChange } from '../../../src/analysis/history/history.ts';
import { observedReadiness } from '../../../src/analysis/history/replay/observedReadiness.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { AggregatedStatusItem, ResourceBinding } from '../../../src/karmada/api/work.ts';
import { cluster, deployment, START, world } from '../../simulator/simulation/controlPlane.ts';

const at = (seconds: number) => START + seconds * 1000;
/** What Karmada and the member's workload controllers need to report it. */
const REPORTING = 2440;

/** A workload on clusters, with the status that each of them reports. */
function on(name: string, reports: Record<string, 'Healthy' | 'Unhealthy' | undefined>): ResourceBinding {
  const clusters = Object.keys(reports).map((one) => ({ name: one, replicas: 2 }));
  const binding = deployment(name, { placement: {}, replicas: 2, clusters });
  const aggregatedStatus = Object.entries(reports).flatMap(
    ([clusterName, health]): AggregatedStatusItem[] => {
      const readyReplicas = health === 'Healthy' ? 2 : 0;
      return health
        ? [
            {
              clusterName,
              applied: true,
              health,
              status: { readyReplicas, availableReplicas: readyReplicas },
            },
          ]
        : [];
    },
  );
  return { ...binding, status: { ...binding.status, aggregatedStatus } };
}

function seen(
  first: readonly ResourceBinding[],
  steps: readonly [seconds: number, after: ResourceBinding | Cluster][],
  end = 600,
) {
  const known = new Map<string, object>(
    [...first, cluster('east'), cluster('west')].map((one) => [one.metadata.name, one]),
  );
  const changes = steps.map(([seconds, after]): ObservedChange => {
    const before = known.get(after.metadata.name) as KubernetesObject;
    known.set(after.metadata.name, after);
    return { at: at(seconds), before, after: after as KubernetesObject };
  });
  return observedReadiness(world([cluster('east'), cluster('west')], [...first]), changes, at(end));
}

const unready = (name: string): Cluster => {
  const one = cluster(name);
  const conditions = one.status!.conditions!.map((each) => ({ ...each, status: 'False' as const }));
  return { ...one, status: { ...one.status, conditions } };
};

describe('the measured time until a copy is ready', () => {
  test('is reported for each copy, for the workload, and for all others', () => {
    const found = seen(
      [on('cart', { east: 'Healthy' }), on('mail', { east: 'Healthy' })],
      [
        [10, on('cart', { west: undefined })],
        [11, on('cart', { west: 'Unhealthy' })],
        [20, on('cart', { west: 'Healthy' })],
        [30, on('mail', { west: undefined })],
        [60, on('mail', { west: 'Healthy' })],
      ],
    );
    expect(found).toEqual({
      workloadReadyAfter: expect.any(Number) as unknown,
      readyAfter: {
        'Deployment/shop/cart': 10_000 - REPORTING,
        'Deployment/shop/cart west': 10_000 - REPORTING,
        'Deployment/shop/mail': 30_000 - REPORTING,
        'Deployment/shop/mail west': 30_000 - REPORTING,
      },
      neverReady: [],
    });
  });

  test('starts at the dispatch, which purge mode Directly delays until the old copy is deleted', () => {
    const found = seen(
      [on('cart', { east: 'Healthy' })],
      [
        [10, on('cart', { west: undefined })],
        // 40 s later the Work exists, and its first status arrives
        [50, on('cart', { west: 'Unhealthy' })],
        [56, on('cart', { west: 'Healthy' })],
      ],
    );
    const took = found.readyAfter!['Deployment/shop/cart west']!;
    expect(took).toBeGreaterThan(2000);
    expect(took).toBeLessThan(6000);
  });

  test('is reported as never if the copy existed longer than all others needed', () => {
    const both = [on('cart', { east: 'Healthy' }), on('mail', { east: 'Healthy' })];
    const steps: [number, ResourceBinding][] = [
      [10, on('cart', { west: undefined })],
      [20, on('cart', { west: 'Healthy' })],
      [30, on('mail', { west: undefined })],
      [31, on('mail', { west: 'Unhealthy' })],
    ];
    const never = [{ kind: 'Deployment', namespace: 'shop', name: 'mail', cluster: 'west' }];
    expect(seen(both, steps, 300).neverReady).toEqual(never);
    // it may still have become ready
    expect(seen(both, steps, 35).neverReady).toEqual([]);
    expect(seen(both, [...steps, [34, on('mail', { east: 'Healthy' })]], 300).neverReady).toEqual([]);
  });

  test('is unknown for a workload that was deleted before others became ready', () => {
    const bindings = [on('cart', { east: 'Healthy' }), on('mail', { east: 'Healthy' })];
    const known = new Map(bindings.map((one) => [one.metadata.name, one]));
    const steps: [seconds: number, name: string, after: ResourceBinding | undefined][] = [
      [10, 'cart', on('cart', { west: undefined })],
      [20, 'cart', on('cart', { west: 'Healthy' })],
      [30, 'mail', on('mail', { west: undefined })],
      [34, 'mail', undefined],
    ];
    const changes = steps.map(([seconds, name, after]): ObservedChange => {
      const before = known.get(name)!;
      if (after) known.set(name, after);
      return {
        at: at(seconds),
        before: before as KubernetesObject,
        ...(after && { after: after as KubernetesObject }),
      };
    });
    const first = world([cluster('east'), cluster('west')], bindings);
    expect(observedReadiness(first, changes, at(300)).neverReady).toEqual([]);
  });

  test.each<[string, [number, ResourceBinding | Cluster][]]>([
    [
      'existed before',
      [
        [10, on('cart', { east: 'Healthy', west: 'Unhealthy' })],
        [11, on('cart', { east: 'Healthy' })],
        [12, { ...on('cart', { west: 'Unhealthy' }) }],
        [40, on('cart', { west: 'Healthy' })],
      ],
    ],
    [
      'is on a cluster that fails in the meantime',
      [
        [10, on('cart', { west: undefined })],
        [11, unready('west')],
        [40, on('cart', { west: 'Healthy' })],
      ],
    ],
    [
      'starts on a cluster that is not Ready',
      [
        [9, unready('west')],
        [10, on('cart', { west: undefined })],
        [40, on('cart', { west: 'Healthy' })],
      ],
    ],
  ])('is not reported for a copy that %s', (_, steps) => {
    expect(seen([on('cart', { east: 'Healthy' })], steps)).toEqual({});
  });
});
