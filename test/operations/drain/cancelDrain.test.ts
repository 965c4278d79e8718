import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cordoned, drainMarkOf, isCordoned, markOfDrain } from '../../../src/analysis/drain/cordon.ts';
import { evictFromClusters } from '../../../src/analysis/drain/drainTasks.ts';
import type { DrainEvent } from '../../../src/analysis/drain/decide/drainStep.ts';
import { DRAIN_ANNOTATION } from '../../../src/analysis/drain/drainOptions.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { AggregatedStatusItem, ResourceBinding } from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';
import { cancelDrain } from '../../../src/operations/drain/cancelDrain.ts';
import { executeDrain } from '../../../src/operations/drain/executeDrain.ts';
import { planCancel } from '../../../src/analysis/drain/back/planCancel.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import type { Client } from '../fakeClient.ts';
import { createFakeControlPlane, type FakeControlPlane } from '../fakeControlPlane.ts';
import { cluster, divided, drainOptions, groups, scene, smallScene, START, workload } from './drainScene.ts';
import { clientWith, mishaps, type Mishaps } from './faults.ts';

const MEMBER1 = '/apis/cluster.karmada.io/v1alpha1/clusters/member1';
const WEB = '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/web-deployment';
const byTaint = {
  ...v1_18.defaults,
  featureGates: { ...v1_18.defaults.featureGates, Failover: true },
  controllerManager: { ...v1_18.defaults.controllerManager, 'enable-no-execute-taint-eviction': true },
};
const RUNS = Number(process.env['FAULT_RUNS'] ?? 30);

/** Drains, and is killed or stopped after some seconds. */
async function drainUntil(
  plane: FakeControlPlane,
  seconds: number,
  mishap: Partial<Mishaps> = {},
): Promise<void> {
  const client = plane.client(
    clientWith({ faults: [], cuts: [], watchLags: [20], ...mishap, killAt: seconds }, plane.time.now()),
  );
  await Promise.race([drainWith(client), client.killed]);
}

function drainWith(client: Client) {
  return executeDrain(client.server, drainOptions(), {
    configuration: v1_18.defaults,
    openMirror: client.openMirror,
    pause: client.pause,
    stopwatch: client.stopwatch,
  });
}

function cancelWith(client: Client, onEvent?: (event: DrainEvent) => void) {
  return cancelDrain(client.server, ['member1'], {
    configuration: v1_18.defaults,
    pause: client.pause,
    onEvent,
  });
}

async function cancelThrough(plane: FakeControlPlane, processes: readonly Mishaps[]) {
  for (const mishap of processes) {
    const client = plane.client(clientWith(mishap, plane.time.now()));
    const ended = await Promise.race([cancelWith(client), client.killed]);
    if (ended) return ended;
  }
  return cancelWith(plane.client());
}

function expectTakenBack(plane: FakeControlPlane): void {
  for (const { metadata, spec } of plane.bindings()) {
    expect(spec.gracefulEvictionTasks ?? []).toEqual([]);
    expect((spec.clusters ?? []).reduce((sum, { replicas }) => sum + (replicas ?? 0), 0)).toBe(spec.replicas);
    expect(plane.history.leastReady.get(metadata.name)).toBeGreaterThanOrEqual(
      plane.history.readyAtStart.get(metadata.name)!,
    );
  }
  for (const cluster of plane.clusters()) {
    expect(isCordoned(cluster)).toBe(false);
    expect(cluster.metadata.annotations?.[DRAIN_ANNOTATION]).toBeUndefined();
  }
}

const worldOf = (plane: FakeControlPlane) => ({
  clusters: plane.clusters(),
  bindings: plane.bindings(),
  works: plane.works(),
  others: [],
});

describe('the cancellation of a drain', () => {
  test('restores only workloads whose old copy remains', async () => {
    const plane = createFakeControlPlane(smallScene(5), { start: START });
    const before = new Map(plane.bindings().map(({ metadata, spec }) => [metadata.name, spec.clusters]));
    // the first two are gone by then, the others are starting
    await plane.time.until(drainUntil(plane, 25.5));
    const plan = planCancel(worldOf(plane), ['member1'], v1_18.defaults, plane.time.now());
    expect(plan.clusters).toEqual([{ name: 'member1', change: 'uncordoned' }]);
    expect(plan.left).toEqual([]);
    const events: DrainEvent[] = [];
    const result = await plane.time.until(cancelWith(plane.client(), (event) => events.push(event)));
    expect(result).toMatchObject({ outcome: 'done', restored: plan.restored.length, left: [] });
    expect(events.map(({ type }) => type)).toEqual(['uncordoned', ...plan.restored.map(() => 'cancelled')]);
    await plane.time.until(plane.client().pause(120_000));
    expectTakenBack(plane);
    expect(plan.restored.map(({ binding }) => binding.name)).toEqual([
      'w1-deployment',
      'w3-deployment',
      'w4-deployment',
    ]);
    const sorted = (clusters: { name: string }[] | undefined) =>
      clusters?.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const { binding } of plan.restored)
      expect(sorted(plane.binding(binding.name).spec.clusters)).toEqual(sorted(before.get(binding.name)));
  });

  test('reports workloads whose old copy was deleted since the plan', async () => {
    const plane = createFakeControlPlane(smallScene(5), { start: START });
    await plane.time.until(drainUntil(plane, 5));
    const planned = planCancel(worldOf(plane), ['member1'], v1_18.defaults, plane.time.now()).restored;
    await plane.time.until(drainUntil(plane, 25.5));
    const { server, pause } = plane.client();
    const options = { configuration: v1_18.defaults, planned, pause };
    const { left } = await plane.time.until(cancelDrain(server, ['member1'], options));
    expect(planned.map(({ binding }) => binding.name)).toContain('w0-deployment');
    expect(left).toContainEqual(
      expect.objectContaining({
        binding: planned.find(({ binding }) => binding.name === 'w0-deployment')!.binding,
        from: ['member1'],
        reason: 'its eviction has already ended',
      }),
    );
    const named = left.map(({ binding }) => binding.name);
    for (const { binding } of planned) {
      const isBack = plane.binding(binding.name).spec.clusters!.some(({ name }) => name === 'member1');
      expect([binding.name, isBack]).toEqual([binding.name, !named.includes(binding.name)]);
    }
  });

  test('restores the previous affinity group', async () => {
    const world = scene(
      [cluster('member1'), cluster('member2')],
      [workload('web', [{ name: 'member1', replicas: 2 }], { placement: groups('member1', 'member2') })],
    );
    const plane = createFakeControlPlane(world, { start: START });
    await plane.time.until(drainUntil(plane, 10));
    expect(plane.binding('web-deployment').spec.clusters).toEqual([{ name: 'member2', replicas: 2 }]);
    const result = await plane.time.until(cancelWith(plane.client()));
    expect(result).toMatchObject({ outcome: 'done', restored: 1 });
    await plane.time.until(plane.client().pause(120_000));
    expectTakenBack(plane);
    expect(plane.binding('web-deployment').spec.clusters).toEqual([{ name: 'member1', replicas: 2 }]);
    expect(plane.works().map(({ metadata }) => metadata.namespace)).toEqual(['karmada-es-member1']);
  });

  const withReadyReplacements = async (names = ['web'], placement = divided, kind = 'Deployment') => {
    const capable = (one: Cluster): Cluster => ({
      ...one,
      status: { ...one.status, apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind }] }] },
    });
    // A kind unknown to Karmada reports no replicas here.
    const reported = (items: AggregatedStatusItem[] = []) =>
      kind === 'Deployment' ? items : items.map(({ status: _, ...item }) => item);
    const of = (binding: ResourceBinding): ResourceBinding => ({
      ...binding,
      spec: { ...binding.spec, resource: { ...binding.spec.resource, kind } },
      status: { ...binding.status, aggregatedStatus: reported(binding.status?.aggregatedStatus) },
    });
    const world = scene(
      [cluster('member1'), cluster('member2')].map(capable),
      names.map((name) => of(workload(name, [{ name: 'member1', replicas: 2 }], { placement }))),
    );
    const plane = createFakeControlPlane(world, { start: START });
    await plane.time.until(drainUntil(plane, 10));
    await plane.time.until(plane.client().pause(60_000));
    expect(plane.works()).toHaveLength(2 * names.length);
    return plane;
  };
  const losesTouch = (plane: FakeControlPlane) => plane.loseTouch('member1');

  describe('keeps the replacement if the old copy', () => {
    test.each<[string, (plane: FakeControlPlane) => void, RegExp]>([
      [
        'is not ready',
        (plane) => plane.setHealth('web-deployment', 'member1', 'Unhealthy'),
        /^member1: 0 of 2 replicas ready; its replacement on member2 would be deleted; its eviction continues$/,
      ],
      [
        'is on a cluster that is not ready',
        losesTouch,
        /^member1: the cluster is not Ready, .* would be deleted; its eviction continues$/,
      ],
    ])('%s', async (_what, spoil, reason) => {
      const plane = await withReadyReplacements();
      spoil(plane);
      await plane.time.until(plane.client().pause(10_000));
      const { left } = planCancel(worldOf(plane), ['member1'], v1_18.defaults, plane.time.now());
      expect(left).toMatchObject([{ from: ['member1'], reason: expect.stringMatching(reason) }]);
      const result = await plane.time.until(cancelWith(plane.client()));
      expect(result).toMatchObject({ outcome: 'done', restored: 0, left });
      await plane.time.until(plane.client().pause(120_000));
      expect(plane.binding('web-deployment').spec.clusters).toEqual([{ name: 'member2', replicas: 2 }]);
    });
  });

  test('keeps the replacement if the old copy is smaller than the desired replicas', async () => {
    const plane = await withReadyReplacements(['web'], groups('member1', 'member2'));
    plane.edit(WEB, (one) => ({
      ...one,
      spec: { ...(one as unknown as { spec: object }).spec, replicas: 6 },
    }));
    await plane.time.until(plane.client().pause(60_000));
    plane.history.leastReady.clear();
    const { left } = await plane.time.until(cancelWith(plane.client()));
    expect(left).toMatchObject([
      { reason: expect.stringMatching(/^member1: the Work still has 2 replicas, 6 are assigned; /) },
    ]);
    await plane.time.until(plane.client().pause(60_000));
    expect(plane.history.leastReady.get('web-deployment')).toBe(6);
  });

  test('holds the old copy if it cannot be restored and the readiness of its replacement is unknown', async () => {
    const plane = await withReadyReplacements(['web'], divided, 'Farm');
    losesTouch(plane);
    expect(await plane.time.until(cancelWith(plane.client()))).toMatchObject({
      outcome: 'not-finished',
      left: [
        { reason: expect.stringMatching(/held until the replacement is ready \(member2: readiness unknown/) },
      ],
    });
    expect(plane.binding('web-deployment').spec.gracefulEvictionTasks).toMatchObject([
      { suppressDeletion: true },
    ]);
  });

  test('restores an old copy of unknown readiness on a ready cluster', async () => {
    const plane = await withReadyReplacements(['web'], divided, 'Farm');
    expect(await plane.time.until(cancelWith(plane.client()))).toMatchObject({
      outcome: 'done',
      restored: 1,
    });
  });

  test('reads the state again before each write', async () => {
    const plane = await withReadyReplacements(['a', 'b', 'c']);
    plane.time.plan(plane.time.now() + 8000, () => losesTouch(plane));
    const client = plane.client({
      fault: ({ verb }) => (verb === 'patch' ? { type: 'slow', milliseconds: 2000 } : undefined),
    });
    const { restored, left } = await plane.time.until(cancelWith(client));
    expect({ restored, left: left.map(({ workload: { name } }) => name) }).toEqual({
      restored: 1,
      left: ['b', 'c'],
    });
  });

  test('deletes the held copy on a cluster that no longer exists', async () => {
    const plane = await withReadyReplacements();
    const { left } = planCancel(
      {
        ...worldOf(plane),
        clusters: plane.clusters().filter(({ metadata: { name } }) => name !== 'member1'),
      },
      ['member1'],
      v1_18.defaults,
      plane.time.now(),
    );
    expect(left).toMatchObject([{ from: ['member1'] }]);
    const client = plane.client();
    const server = {
      ...client.server,
      get: (path: string) =>
        path === MEMBER1
          ? Promise.reject(new ApiError('not found', { status: 404, reason: 'NotFound' }))
          : client.server.get(path),
    } as Client['server'];
    const result = await plane.time.until(cancelWith({ ...client, server }));
    expect(result).toMatchObject({ restored: 0, left: [{ from: ['member1'] }] });
    await plane.time.until(plane.client().pause(10_000));
    const { clusters, gracefulEvictionTasks } = plane.binding('web-deployment').spec;
    expect(gracefulEvictionTasks).toEqual([]);
    // not back on a cluster that was still in the list
    expect(clusters).toEqual([{ name: 'member2', replicas: 2 }]);
  });

  /** A last eviction by another drain. */
  const evictOnceMore = (plane: FakeControlPlane) =>
    plane.edit<KubernetesObject & ResourceBinding>(WEB, (binding) => ({
      ...binding,
      spec: evictFromClusters(binding.spec, ['member1'], drainOptions()),
    }));

  test('reads the bindings again one second after the uncordon, and restores a workload that was evicted late', async () => {
    const plane = createFakeControlPlane(
      scene([cluster('member1'), cluster('member2')], [workload('web', [{ name: 'member1', replicas: 2 }])]),
      { start: START },
    );
    plane.edit<KubernetesObject & Cluster>(MEMBER1, (one) => ({
      ...one,
      ...cordoned(one, markOfDrain(drainOptions(), '2026-09-01T08:00:00Z')),
    }));
    const cancelled = cancelWith(plane.client(), ({ type }) => {
      if (type === 'uncordoned') plane.time.plan(plane.time.now() + 900, () => evictOnceMore(plane));
    });
    expect(await plane.time.until(cancelled)).toMatchObject({ outcome: 'done', restored: 1 });
    expect(plane.binding('web-deployment').spec.clusters).toEqual([{ name: 'member1', replicas: 2 }]);
  });

  test('stops after ten restores if the drain continues evicting', async () => {
    const plane = await withReadyReplacements();
    let times = 0;
    const cancelled = cancelWith(plane.client(), ({ type }) => {
      if (type === 'cancelled' && ++times < 30) evictOnceMore(plane);
    });
    expect(await plane.time.until(cancelled)).toMatchObject({
      outcome: 'not-finished',
      reason: 'a drain of these clusters is still running: stop it, then cancel again',
      restored: times,
    });
    expect(times).toBe(10);
  });

  test('does not report a workload as restored if Karmada ended the eviction before a lost write', async () => {
    const plane = await withReadyReplacements();
    let lost = false;
    const client = plane.client({
      fault({ verb, path }) {
        if (verb !== 'patch' || path !== WEB || lost) return undefined;
        lost = true;
        plane.edit<KubernetesObject & ResourceBinding>(WEB, (binding) => ({
          ...binding,
          spec: { ...binding.spec, gracefulEvictionTasks: [] },
        }));
        return { type: 'reset', when: 'before' };
      },
    });
    expect(await plane.time.until(cancelWith(client))).toMatchObject({
      restored: 0,
      left: [{ from: ['member1'], reason: 'its eviction has already ended' }],
    });
    expect(plane.binding('web-deployment').spec.clusters).toEqual([{ name: 'member2', replicas: 2 }]);
  });

  test('keeps the other clusters of the drain cordoned, with their mark and held copies', async () => {
    const both = [
      workload('web', [
        { name: 'member1', replicas: 2 },
        { name: 'member2', replicas: 2 },
      ]),
      workload('api', [{ name: 'member2', replicas: 2 }]),
    ];
    const members = ['member1', 'member2', 'member3'].map((name) => cluster(name));
    const plane = createFakeControlPlane(scene(members, both), { start: START });
    const client = plane.client(clientWith({ faults: [], cuts: [], watchLags: [20], killAt: 12 }, START));
    const options = { ...drainOptions(), clusters: ['member1', 'member2'] };
    const run = executeDrain(client.server, options, {
      configuration: v1_18.defaults,
      openMirror: client.openMirror,
      pause: client.pause,
      stopwatch: client.stopwatch,
      runner: 'anna@bastion',
    });
    await plane.time.until(Promise.race([run, client.killed]));
    const remaining = [{ name: 'member2', held: 2 }];
    const plan = planCancel(worldOf(plane), ['member1'], v1_18.defaults, plane.time.now());
    expect(plan.remaining).toEqual(remaining);
    const result = await plane.time.until(cancelWith(plane.client()));
    expect(result).toMatchObject({ outcome: 'done', restored: 1, remaining });
    const [member1, member2] = plane.clusters();
    expect(member1!.metadata.annotations?.[DRAIN_ANNOTATION]).toBeUndefined();
    expect(isCordoned(member2!)).toBe(true);
    expect(drainMarkOf(member2!)).toMatchObject({ clusters: ['member2'], by: 'anna@bastion' });
    const web = plane.binding('web-deployment').spec;
    expect(web.clusters?.map(({ name }) => name)).toContain('member1');
    expect(web.gracefulEvictionTasks?.map(({ fromCluster }) => fromCluster)).toEqual(['member2']);
  });

  test('restores workloads that Karmada evicted for the taint of the drain, also after an interruption', async () => {
    const plane = createFakeControlPlane(smallScene(4), {
      start: START,
      configuration: byTaint,
      members: { workloadReadyAfter: 300_000 },
    });
    const before = new Map(plane.bindings().map(({ metadata, spec }) => [metadata.name, spec.clusters]));
    const drainer = plane.client(clientWith({ faults: [], cuts: [], watchLags: [20], killAt: 30 }, START));
    const options = { ...drainOptions(), method: 'taint' as const, hold: false };
    const run = executeDrain(drainer.server, options, {
      configuration: byTaint,
      openMirror: drainer.openMirror,
      pause: drainer.pause,
      stopwatch: drainer.stopwatch,
    });
    await plane.time.until(Promise.race([run, drainer.killed]));
    const evicted = plane.bindings().filter(({ spec }) => spec.gracefulEvictionTasks?.length);
    expect(evicted.length).toBeGreaterThan(0);
    const plan = planCancel(worldOf(plane), ['member1'], byTaint, plane.time.now());
    expect(plan.restored.map(({ binding }) => binding.name).sort()).toEqual(
      evicted.map(({ metadata }) => metadata.name).sort(),
    );
    const cancel = (client: Client) =>
      cancelDrain(client.server, ['member1'], { configuration: byTaint, pause: client.pause });
    // while bindings are refused the annotation stays: it identifies what Karmada evicted for the taint
    const refusing = plane.client({
      fault: ({ verb, path }) =>
        verb === 'patch' && path.includes('resourcebindings') ? { type: 'error', when: 'before' } : undefined,
    });
    expect(await plane.time.until(cancel(refusing))).toMatchObject({
      outcome: 'not-finished',
      reason: 'the API server refused some of the writes',
    });
    const [marked] = plane.clusters();
    expect(drainMarkOf(marked!)).toMatchObject({ method: 'taint' });
    const first = plane.client(
      clientWith({ faults: [], cuts: [], watchLags: [20], killAt: 0.2 }, plane.time.now()),
    );
    await plane.time.until(Promise.race([cancel(first), first.killed]));
    await plane.time.until(cancel(plane.client()));
    await plane.time.until(plane.client().pause(120_000));
    expectTakenBack(plane);
    const sorted = (clusters: { name: string }[] | undefined) =>
      clusters?.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const { metadata } of evicted)
      expect(sorted(plane.binding(metadata.name).spec.clusters)).toEqual(sorted(before.get(metadata.name)));
  });

  test('is complete, so that a second cancellation writes nothing', async () => {
    const plane = createFakeControlPlane(smallScene(3), { start: START });
    await plane.time.until(drainUntil(plane, 10));
    await plane.time.until(cancelWith(plane.client()));
    expect(planCancel(worldOf(plane), ['member1'], v1_18.defaults, plane.time.now())).toEqual({
      clusters: [{ name: 'member1', change: 'as-it-is' }],
      restored: [],
      left: [],
      remaining: [],
    });
    const client = plane.client();
    expect(await plane.time.until(cancelWith(client))).toMatchObject({ outcome: 'done', restored: 0 });
    expect(client.writes).toEqual([]);
  });

  test('restores workloads after a user has uncordoned the cluster', async () => {
    const plane = createFakeControlPlane(smallScene(3), { start: START });
    await plane.time.until(drainUntil(plane, 10));
    plane.edit(MEMBER1, (cluster) => {
      const { spec, ...rest } = cluster as typeof cluster & { spec: object };
      return { ...rest, spec: { ...spec, taints: [] } };
    });
    expect(planCancel(worldOf(plane), ['member1'], v1_18.defaults, plane.time.now()).clusters).toEqual([
      { name: 'member1', change: 'unmarked' },
    ]);
    const result = await plane.time.until(cancelWith(plane.client()));
    expect(result).toMatchObject({ outcome: 'done', restored: 3 });
    await plane.time.until(plane.client().pause(120_000));
    expectTakenBack(plane);
  });

  test('stops a running drain', async () => {
    const plane = createFakeControlPlane(smallScene(5), { start: START });
    const running = drainWith(plane.client());
    plane.time.plan(START + 5000, () => undefined);
    const [drained, cancelled] = await plane.time.until(
      Promise.all([
        running,
        plane
          .client()
          .pause(5000)
          .then(() => cancelWith(plane.client())),
      ]),
    );
    expect(drained).toMatchObject({ outcome: 'stopped', reason: 'a user has uncordoned Cluster member1' });
    expect(cancelled.outcome).toBe('done');
    await plane.time.until(plane.client().pause(120_000));
    expectTakenBack(plane);
  });

  test('succeeds after any failures, for a running drain and for a killed drain', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ seconds: fc.integer({ min: 0, max: 40 }), running: fc.boolean(), of: mishaps(false) }),
        fc.array(mishaps(true), { maxLength: 3 }),
        async (drain, processes) => {
          const plane = createFakeControlPlane(smallScene(5), { start: START });
          let running: Promise<unknown> = Promise.resolve();
          if (drain.running) {
            running = drainWith(plane.client(clientWith(drain.of, START)));
            await plane.time.until(plane.client().pause(drain.seconds * 1000));
          } else await plane.time.until(drainUntil(plane, drain.seconds, drain.of));
          const result = await plane.time.until(cancelThrough(plane, processes));
          expect(result).toMatchObject({ outcome: 'done' });
          await plane.time.until(running);
          // a write of the drain still in flight when the cancellation ended
          await plane.time.until(plane.client().pause(60_000));
          await plane.time.until(cancelThrough(plane, []));
          await plane.time.until(plane.client().pause(200_000));
          expectTakenBack(plane);
        },
      ),
      {
        numRuns: RUNS,
        // restored before the scheduler had processed it, while the running drain received no cluster events
        examples: [
          [
            {
              seconds: 0,
              running: true,
              of: {
                faults: [],
                cuts: [{ of: 'clusters', second: 0, seconds: 29, silent: false }],
                watchLags: [850, 0],
                killAt: undefined,
              },
            },
            [
              {
                faults: [[1, { type: 'overloaded', retryAfter: 1 }]],
                cuts: [],
                watchLags: [20],
                killAt: undefined,
              },
            ],
          ],
        ],
      },
    );
  });
});
