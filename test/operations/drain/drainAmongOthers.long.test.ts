import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DrainResult } from '../../../src/analysis/drain/decide/drainStep.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { cancelDrain } from '../../../src/operations/drain/cancelDrain.ts';
import { executeDrain } from '../../../src/operations/drain/executeDrain.ts';
import { createFakeControlPlane, type FakeControlPlane } from '../fakeControlPlane.ts';
import { cluster, divided, drainOptions, duplicated, groups, scene, START, workload } from './drainScene.ts';

const RUNS = Number(process.env['FAULT_RUNS'] ?? 30);
const names = ['member1', 'member2', 'member3'];

/** One workload of each sort. */
const world = () =>
  scene(
    names.map((name) => cluster(name)),
    [
      workload('alone', [{ name: 'member1', replicas: 2 }]),
      workload(
        'divided',
        [
          { name: 'member1', replicas: 1 },
          { name: 'member2', replicas: 3 },
        ],
        { placement: divided },
      ),
      workload('grouped', [{ name: 'member1', replicas: 2 }], { placement: groups(...names) }),
      workload(
        'everywhere',
        names.map((name) => ({ name, replicas: 2 })),
        { placement: duplicated },
      ),
    ],
  );

/** Actions of others while member1 is drained, in seconds after the start. */
type Doing =
  | { does: 'drain' | 'cancel'; cluster: string; at: number }
  | { does: 'scale up'; name: string; at: number }
  | { does: 'lose'; cluster: string; at: number; seconds: number };

const second = fc.nat(120);
const onCluster = fc.constantFrom(...names);
const people: fc.Arbitrary<Doing> = fc.oneof(
  fc.record({ does: fc.constantFrom('drain' as const, 'cancel' as const), cluster: onCluster, at: second }),
  fc.record({
    does: fc.constant('scale up' as const),
    name: fc.constantFrom('alone', 'divided', 'grouped', 'everywhere'),
    at: second,
  }),
);
const losses: fc.Arbitrary<Doing> = fc.record({
  does: fc.constant('lose' as const),
  cluster: onCluster,
  at: second,
  seconds: fc.nat(60),
});

function drain(plane: FakeControlPlane, cluster: string): Promise<DrainResult> {
  const { server, openMirror, pause, stopwatch } = plane.client();
  return executeDrain(server, drainOptions({ clusters: [cluster] }), {
    configuration: v1_18.defaults,
    openMirror,
    pause,
    stopwatch,
    // longer than any hold before it counts as stuck
    timeout: 1_800_000,
  });
}

async function cancel(plane: FakeControlPlane, cluster: string): Promise<void> {
  const { server, pause } = plane.client();
  await cancelDrain(server, [cluster], { configuration: v1_18.defaults, pause });
}

function scaleUp(plane: FakeControlPlane, name: string): void {
  const path = `/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/${name}-deployment`;
  plane.edit<KubernetesObject & ResourceBinding>(path, (binding) => ({
    ...binding,
    spec: { ...binding.spec, replicas: 8 },
  }));
}

function lose(plane: FakeControlPlane, name: string, seconds: number): void {
  const path = `/apis/cluster.karmada.io/v1alpha1/clusters/${name}`;
  const setReady = (status: 'True' | 'Unknown') =>
    plane.edit<KubernetesObject & Cluster>(path, (one) => ({
      ...one,
      status: { ...one.status, conditions: [{ type: 'Ready', status }] },
    }));
  setReady('Unknown');
  plane.time.plan(plane.time.now() + seconds * 1000, () => void setReady('True'));
}

/** Drains member1 while others act freely; all started drains have ended afterwards. */
async function drainAmong(plane: FakeControlPlane, doings: readonly Doing[]): Promise<DrainResult[]> {
  const drains = [drain(plane, 'member1')];
  const cancels: Promise<void>[] = [];
  for (const doing of doings)
    plane.time.plan(START + doing.at * 1000, () => {
      if (doing.does === 'lose') lose(plane, doing.cluster, doing.seconds);
      else if (doing.does === 'scale up') scaleUp(plane, doing.name);
      else if (doing.does === 'drain') drains.push(drain(plane, doing.cluster));
      else cancels.push(cancel(plane, doing.cluster));
    });
  await plane.time.until(plane.client().pause(200_000));
  const results = await plane.time.until(Promise.all(drains));
  await plane.time.until(Promise.all(cancels));
  await plane.time.until(plane.client().pause(120_000));
  return results;
}

describe('given concurrent drains, cancellations and scale-ups', () => {
  test('every workload keeps its desired ready replicas, and every drain ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(people, { maxLength: 6 }), async (doings) => {
        const plane = createFakeControlPlane(world(), { start: START });
        const asked = new Map(plane.bindings().map(({ metadata, spec }) => [metadata.name, spec.replicas!]));
        for (const { reason = '' } of await drainAmong(plane, doings))
          expect(reason).not.toMatch(/timed out/);
        for (const [name, replicas] of asked)
          expect(plane.history.leastReady.get(name)).toBeGreaterThanOrEqual(replicas);
      }),
      { numRuns: RUNS },
    );
  });

  test('every drain ends although clusters fail and recover', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(people, losses), { maxLength: 6 }), async (doings) => {
        const plane = createFakeControlPlane(world(), { start: START });
        for (const { reason = '' } of await drainAmong(plane, doings))
          expect(reason).not.toMatch(/timed out/);
      }),
      { numRuns: RUNS },
    );
  });
});
