import { describe, expect, test } from '@jest/globals';
import { isCordoned } from '../../../src/analysis/drain/cordon.ts';
import type { DrainEvent } from '../../../src/analysis/drain/decide/drainStep.ts';
import { DRAIN_ANNOTATION, type DrainOptions } from '../../../src/analysis/drain/drainOptions.ts';
import type { DrainPlan } from '../../../src/analysis/drain/plan/drainPlan.ts';
import { planDrain } from '../../../src/analysis/drain/plan/planDrain.ts';
import type { World } from '../../../src/karmada/world.ts';
import { v1_18 } from '../../dialects.ts';
import { executeDrain, type ExecuteDrainOptions } from '../../../src/operations/drain/executeDrain.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import type { ClientOptions } from '../fakeClient.ts';
import { createFakeControlPlane, type FakeControlPlane } from '../fakeControlPlane.ts';
import { cluster, divided, drainOptions, scene, smallScene, START, workload } from './drainScene.ts';

const MEMBER1 = '/apis/cluster.karmada.io/v1alpha1/clusters/member1';
const bindingPath = (name: string) =>
  `/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/${name}-deployment`;

const fake = (world = smallScene(3)) => createFakeControlPlane(world, { start: START });
const seconds = (plane: FakeControlPlane) => (plane.time.now() - START) / 1000;

interface Run extends Partial<ExecuteDrainOptions> {
  options?: DrainOptions;
  client?: ClientOptions;
}

function begin(plane: FakeControlPlane, { options = drainOptions(), client: given, ...run }: Run = {}) {
  const client = plane.client(given);
  const events: DrainEvent[] = [];
  const ending = executeDrain(client.server, options, {
    configuration: v1_18.defaults,
    openMirror: client.openMirror,
    pause: client.pause,
    stopwatch: client.stopwatch,
    onEvent: (event) => events.push(event),
    ...run,
  });
  return { ending, events, client };
}

async function drain(plane: FakeControlPlane, run?: Run) {
  const { ending, events, client } = begin(plane, run);
  return { result: await plane.time.until(ending), events, client, story: events.map(line) };
}

function line(event: DrainEvent): string {
  const at = `${((event.time - START) / 1000).toFixed(0)}s ${event.type}`;
  const text = (targets: { name: string; replicas?: number }[]) =>
    targets.map(({ name, replicas }) => `${name}=${replicas}`).join(' ');
  switch (event.type) {
    case 'cordoned':
      return `${at} ${event.cluster}`;
    case 'evicted':
      return `${at} ${event.workload.name} from ${text(event.from)}`;
    case 'scheduled':
      return `${at} ${event.workload.name} to ${text(event.to)}`;
    case 'released':
    case 'gone':
      return `${at} ${event.workload.name} from ${event.from.join(' ')}`;
    case 'skipped':
    case 'stuck':
      return `${at} ${event.workload.name}: ${event.reason}`;
    case 'finished':
      return `${at} ${event.result.outcome}`;
    default:
      return at;
  }
}

/** The plan for a control plane whose replacements take 20 s. */
function planned(plane: FakeControlPlane, options = drainOptions()): DrainPlan {
  const world: World = {
    clusters: plane.clusters(),
    bindings: plane.bindings(),
    works: plane.works(),
    policies: [],
    taintPolicies: [],
    others: [],
  };
  return planDrain(world, options, v1_18.defaults, START, {
    karmadaVersion: 'v1.18',
    members: { workloadReadyAfter: 20_000, neverReady: [] },
  });
}

const types = (events: DrainEvent[]) => events.map(({ type }) => type);

/** One workload on member1, with capacity for it on member2. */
const web = () =>
  scene([cluster('member1'), cluster('member2')], [workload('web', [{ name: 'member1', replicas: 2 }])]);

describe('a drain without errors', () => {
  test('cordons, evicts at its pace, releases replaced copies, and reports each step once', async () => {
    const plane = fake(
      scene(
        [cluster('member1'), cluster('member2')],
        [
          workload('web', [{ name: 'member1', replicas: 2 }]),
          workload('api', [
            { name: 'member1', replicas: 1 },
            { name: 'member2', replicas: 1 },
          ]),
          workload('elsewhere', [{ name: 'member2', replicas: 1 }]),
        ],
      ),
    );
    const { story, result } = await drain(plane);
    expect(story).toEqual([
      '0s started',
      '0s cordoned member1',
      '0s evicted web from member1=2',
      '0s scheduled web to member2=2',
      '2s evicted api from member1=1',
      '2s scheduled api to member2=2',
      '23s released web from member1',
      '23s gone web from member1',
      '25s released api from member1',
      '25s gone api from member1',
      '25s finished done',
    ]);
    expect(result).toMatchObject({ outcome: 'done', gone: 2 });
    const member1 = plane.clusters().find(({ metadata }) => metadata.name === 'member1')!;
    expect(isCordoned(member1)).toBe(true);
    expect(member1.metadata.annotations?.[DRAIN_ANNOTATION]).toBeUndefined();
  });

  test.each([1, 2])('evicts at most %i at a time as configured, at the times of the plan', async (most) => {
    const plane = fake(smallScene(4));
    const options = drainOptions({ pace: { ...drainOptions().pace, maxConcurrent: most } });
    const plan = planned(plane, options);
    const { events, result } = await drain(plane, { options });
    expect(result.outcome).toBe('done');
    let inFlight = 0;
    for (const { type } of events) {
      if (type === 'evicted') inFlight++;
      if (type === 'gone') inFlight--;
      expect(inFlight).toBeLessThanOrEqual(most);
    }
    for (const { name, evictedAt } of plan.workloads) {
      const done = events.find((one) => one.type === 'evicted' && one.workload.name === name);
      expect(Math.abs(done!.time - evictedAt!)).toBeLessThan(3000);
    }
  });

  test('pauses three times as long as a refresh takes', async () => {
    const plane = fake(smallScene(3));
    let now = 0;
    const shown: number[] = [];
    await drain(plane, {
      stopwatch: () => (now += 1000),
      onProgress: () => shown.push(plane.time.now()),
    });
    const pauses = shown.slice(1).map((at, look) => at - shown[look]!);
    expect(Math.min(...pauses)).toBe(3000);
  });

  test('keeps the mark of another drain that has just begun', async () => {
    const plane = fake(web());
    const client = plane.client();
    const mark = JSON.stringify({ clusters: ['member1', 'member2'] });
    const patch: typeof client.server.patch = (path, change, options) => {
      if (path === MEMBER1 && JSON.stringify(change).includes(`"${DRAIN_ANNOTATION}":null`))
        plane.edit(MEMBER1, ({ metadata, ...rest }) => ({
          ...rest,
          metadata: { ...metadata, annotations: { [DRAIN_ANNOTATION]: mark } },
        }));
      return client.server.patch(path, change, options);
    };
    const ending = executeDrain({ ...client.server, patch }, drainOptions(), {
      configuration: v1_18.defaults,
      openMirror: client.openMirror,
      pause: client.pause,
      stopwatch: client.stopwatch,
    });
    expect(await plane.time.until(ending)).toMatchObject({ outcome: 'done' });
    expect(plane.clusters()[0]!.metadata.annotations).toEqual({ [DRAIN_ANNOTATION]: mark });
  });

  test('marks the cluster until it ends', async () => {
    const plane = fake();
    const { ending } = begin(plane);
    await plane.time.until(plane.client().pause(5000));
    const [member1] = plane.clusters();
    expect(JSON.parse(member1!.metadata.annotations![DRAIN_ANNOTATION]!)).toMatchObject({
      clusters: ['member1'],
      hold: true,
    });
    await plane.time.until(ending);
  });

  test('sends every change with version and uid as preconditions', async () => {
    const { client } = await drain(fake());
    for (const { patch } of client.writes)
      expect(patch).toMatchObject({
        metadata: { resourceVersion: expect.any(String), uid: expect.any(String) },
      });
  });

  test('only cordons a cluster without workloads', async () => {
    const { story } = await drain(fake(scene([cluster('member1'), cluster('member2')], [])));
    expect(story).toEqual(['0s started', '0s cordoned member1', '0s finished done']);
  });

  test('succeeds although a workload tolerates the cordon, and reports that workload', async () => {
    const placement = { ...divided, clusterTolerations: [{ operator: 'Exists' as const }] };
    const tolerant = workload('tolerant', [{ name: 'member1', replicas: 2 }], { placement });
    const plane = fake(scene([cluster('member1'), cluster('member2')], [tolerant]));
    const { result, events } = await drain(plane);
    expect(types(events)).toEqual(['started', 'cordoned', 'stays', 'finished']);
    expect(result).toMatchObject({ outcome: 'done', gone: 0, workloads: [{ phase: 'stays' }] });
    expect(plane.clusters()[0]!.metadata.annotations ?? {}).not.toHaveProperty([DRAIN_ANNOTATION]);
  });

  test('of a drained cluster ends immediately', async () => {
    const plane = fake();
    await drain(plane);
    const before = plane.history.evictions.length;
    expect((await drain(plane)).result).toMatchObject({ outcome: 'done', gone: 0 });
    expect(plane.history.evictions.length).toBe(before);
  });

  test('does not hold old copies if holding is disabled', async () => {
    const plane = fake(web());
    const { events, client } = await drain(plane, { options: drainOptions({ hold: false }) });
    expect(types(events)).toEqual(['started', 'cordoned', 'evicted', 'scheduled', 'gone', 'finished']);
    expect(JSON.stringify(client.writes)).not.toContain('suppressDeletion');
  });
});

describe('a drain that ends early', () => {
  test('reports its timeout, and continues in the next run', async () => {
    const plane = fake();
    const first = await drain(plane, { timeout: 10_000 });
    expect(first.result).toMatchObject({ outcome: 'not-finished', reason: 'timed out after 10s', gone: 0 });
    const second = await drain(plane);
    expect(second.events[0]).toMatchObject({ type: 'started', resumed: true });
    expect(second.result.outcome).toBe('done');
    expect(types(second.events)).not.toContain('evicted');
    expect(new Set(plane.history.evictions).size).toBe(plane.history.evictions.length);
  });

  test('without waiting evicts and holds every workload first', async () => {
    const plane = fake();
    const { result, events } = await drain(plane, { wait: false });
    expect(result.outcome).toBe('not-finished');
    expect(types(events).filter((type) => type === 'evicted')).toHaveLength(3);
    expect(seconds(plane)).toBeLessThan(10);
    for (const { spec } of plane.bindings())
      expect(spec.gracefulEvictionTasks).toMatchObject([{ fromCluster: 'member1', suppressDeletion: true }]);
  });

  test('on Ctrl-C sends no further write, and reads the result of the current write', async () => {
    const plane = fake();
    const stop = new AbortController();
    const { ending, client } = begin(plane, {
      signal: stop.signal,
      // the response to the second eviction is lost, during Ctrl-C
      client: {
        fault: ({ verb, number }) => (verb === 'patch' && number > 8 ? lostAnswer(stop) : undefined),
      },
    });
    const result = await plane.time.until(ending);
    expect(result).toMatchObject({ outcome: 'not-finished', reason: 'interrupted' });
    const written = client.writes.length;
    await plane.time.until(plane.client().pause(60_000));
    expect(client.writes.length).toBe(written);
    expect(result.workloads.filter(({ phase }) => phase !== 'queued')).toHaveLength(
      plane.history.evictions.length,
    );
  });
});

function lostAnswer(stop: AbortController) {
  stop.abort();
  return { type: 'reset', when: 'after' } as const;
}

describe('a drain during changes by users, controllers and other drains', () => {
  test('stops if a user uncordons its cluster', async () => {
    const plane = fake(smallScene(5));
    const { ending } = begin(plane, {
      // no watch reports it
      client: { cuts: [{ path: /clusters$/, at: START + 500, milliseconds: 600_000, silent: true }] },
    });
    plane.time.plan(START + 3000, () =>
      plane.edit(MEMBER1, (object) => ({ ...object, spec: { syncMode: 'Push', taints: [] } })),
    );
    const result = await plane.time.until(ending);
    expect(result).toMatchObject({ outcome: 'stopped', reason: 'a user has uncordoned Cluster member1' });
    expect(plane.history.evictions).toHaveLength(2);
  });

  test('stops if one of its clusters is being deleted', async () => {
    const plane = fake(smallScene(5));
    const { ending } = begin(plane, { options: drainOptions({ clusters: ['member1', 'member2'] }) });
    plane.time.plan(START + 3000, () =>
      plane.edit(MEMBER1.replace('member1', 'member2'), (object) => ({
        ...object,
        metadata: { ...object.metadata, deletionTimestamp: '2026-09-01T08:00:03Z' },
      })),
    );
    expect(await plane.time.until(ending)).toMatchObject({
      outcome: 'stopped',
      reason: 'Cluster member2 is being deleted',
    });
  });

  test('pauses evictions while a watch is stale, and reports the start and end of that period', async () => {
    const plane = fake(smallScene(5));
    const cuts = [{ path: /works$/, at: START + 3000, milliseconds: 30_000, silent: false }];
    const { events, result } = await drain(plane, { client: { cuts } });
    expect(result.outcome).toBe('done');
    const evicted = events.filter(({ type }) => type === 'evicted').map(({ time }) => (time - START) / 1000);
    expect(evicted.filter((at) => at > 3.2 && at < 33)).toEqual([]);
    expect(types(events)).toEqual(expect.arrayContaining(['stale', 'heard-again']));
  });

  test('holds the old copy until its timeout if the replacement is never ready', async () => {
    const plane = createFakeControlPlane(web(), {
      start: START,
      members: { neverReady: [{ kind: 'Deployment', namespace: 'shop', name: 'web', cluster: 'member2' }] },
    });
    const { ending } = begin(plane, { timeout: 120_000 });
    expect(await plane.time.until(ending)).toMatchObject({ outcome: 'not-finished' });
    expect(plane.binding('web-deployment').spec.gracefulEvictionTasks).toMatchObject([
      { suppressDeletion: true },
    ]);
    expect(plane.history.leastReady.get('web-deployment')).toBe(2);
  });

  test('deletes the old copy of a workload that is scaled to zero', async () => {
    const plane = fake(web());
    plane.time.plan(START + 5000, () =>
      plane.edit(bindingPath('web'), (object) => ({
        ...object,
        spec: { ...(object as unknown as { spec: object }).spec, replicas: 0 },
      })),
    );
    expect((await drain(plane)).result.outcome).toBe('done');
    expect(plane.binding('web-deployment').spec.clusters).toEqual([]);
  });

  test('reads the replacement again before a release, because a watch may be stale', async () => {
    const plane = fake(web());
    const cuts = [
      { path: /resourcebindings$/, at: START + 20_000, milliseconds: 20_000, silent: false },
      { path: /works$/, at: START + 25_000, milliseconds: 600_000, silent: true },
    ];
    // ready for 23 s, as all mirrors know
    plane.time.plan(START + 30_000, () => plane.setHealth('web-deployment', 'member2', 'Unhealthy'));
    const { ending } = begin(plane, { client: { cuts }, timeout: 120_000 });
    expect(await plane.time.until(ending)).toMatchObject({ outcome: 'not-finished', gone: 0 });
    expect(plane.history.leastReady.get('web-deployment')).toBe(2);
  });

  test('completes an eviction after a conflict with another client', async () => {
    const plane = fake(web());
    const { events, result } = await drain(plane, {
      client: {
        fault: ({ verb, path }) => (verb === 'patch' && path.includes('bindings') ? once() : undefined),
      },
    });
    expect(types(events)).toContain('conflict');
    expect(result.outcome).toBe('done');
    expect(plane.history.evictions).toEqual(['web-deployment from member1']);
  });

  test('completes an eviction and a release after conflicts if the server clock has whole seconds', async () => {
    const plane = fake(web());
    let patches = 0;
    const client = plane.client({
      // another client is faster at the eviction and at the release
      fault: ({ verb, path }) =>
        verb === 'patch' && path.includes('bindings') && patches++ % 2 === 0
          ? { type: 'foreign' }
          : undefined,
    });
    const whole = () => Math.floor(plane.time.now() / 1000) * 1000;
    const { server, openMirror, pause, stopwatch } = client;
    const ending = executeDrain({ ...server, now: whole }, drainOptions(), {
      configuration: v1_18.defaults,
      openMirror,
      pause,
      stopwatch,
      timeout: 600_000,
    });
    expect(await plane.time.until(ending)).toMatchObject({ outcome: 'done', gone: 1 });
  });

  test('stops if another drain of the same cluster begins with other options', async () => {
    const plane = fake(smallScene(5));
    const first = begin(plane);
    await plane.time.until(plane.client().pause(3000));
    const second = begin(plane, { options: drainOptions({ selection: { namespace: 'shop' } }) });
    const [one, two] = await plane.time.until(Promise.all([first.ending, second.ending]));
    expect(one).toMatchObject({
      outcome: 'stopped',
      reason: 'another drain of Cluster member1 with other options has started and continues',
    });
    expect(two.outcome).toBe('done');
  });
});

let conflicts = 0;
function once() {
  return conflicts++ === 0 ? ({ type: 'foreign' } as const) : undefined;
}

describe('a drain with refused writes', () => {
  const refusing = (
    plane: FakeControlPlane,
    status: number,
    message: string,
    isRefused: (patch: unknown) => boolean = () => true,
  ) => {
    const client = plane.client();
    return {
      ...client.server,
      patch: (path: string, ...rest: [unknown]) =>
        path === bindingPath('w0') && isRefused(rest[0])
          ? Promise.reject(new ApiError(message, { status, reason: 'Invalid' }))
          : client.server.patch(path, ...rest),
    } as typeof client.server;
  };
  const run = async (plane: FakeControlPlane, server: ReturnType<typeof refusing>) => {
    const client = plane.client();
    const events: DrainEvent[] = [];
    const result = await plane.time.until(
      executeDrain(server, drainOptions(), {
        configuration: v1_18.defaults,
        openMirror: client.openMirror,
        pause: client.pause,
        stopwatch: client.stopwatch,
        onEvent: (event) => events.push(event),
      }),
    );
    return { result, story: events.map(line) };
  };

  test('skips only the workload whose eviction is refused', async () => {
    const plane = fake();
    const { result, story } = await run(plane, refusing(plane, 422, 'spec.clusters: no'));
    expect(result).toMatchObject({ outcome: 'not-finished', gone: 2 });
    expect(story.filter((one) => one.includes('skipped'))).toEqual([
      '0s skipped w0: the API server refuses the change: spec.clusters: no',
    ]);
    expect(plane.history.evictions).not.toContain('w0-deployment from member1');
  });

  test('retries a write that is refused temporarily', async () => {
    const plane = fake();
    const { result } = await run(
      plane,
      refusing(plane, 422, 'not now', () => seconds(plane) < 30),
    );
    expect(result).toMatchObject({ outcome: 'done', gone: 3 });
  });

  test('holds the old copy whose release is refused, and ends', async () => {
    const plane = fake();
    const isRelease = (patch: unknown) => !JSON.stringify(patch).includes('suppressDeletion');
    const { result } = await run(plane, refusing(plane, 422, 'no', isRelease));
    expect(result).toMatchObject({
      outcome: 'not-finished',
      reason: '1 workload is held: the API server refuses the change: no',
      gone: 2,
    });
    expect(result.workloads.find(({ workload: { name } }) => name === 'w0')?.phase).toBe('stuck');
  });

  test('reports a refused workload as gone after another client has moved it', async () => {
    const slow = { kind: 'Deployment', namespace: 'shop', name: 'w1', cluster: 'member2' };
    const plane = createFakeControlPlane(smallScene(3), { start: START, members: { neverReady: [slow] } });
    // given up by then
    plane.time.plan(START + 150_000, () =>
      plane.edit(bindingPath('w0'), (object) => ({
        ...object,
        spec: {
          ...(object as unknown as { spec: object }).spec,
          clusters: [{ name: 'member3', replicas: 2 }],
        },
      })),
    );
    const { result } = await run(plane, refusing(plane, 422, 'no'));
    expect(result.workloads.map(({ workload: { name }, phase }) => `${name} ${phase}`).sort()).toEqual([
      'w0 gone',
      'w1 stuck',
      'w2 gone',
    ]);
  });

  test('without permission fails and names the missing rule', async () => {
    const plane = fake();
    const message = 'User "eve" cannot patch resource "resourcebindings"';
    await expect(run(plane, refusing(plane, 403, message))).rejects.toThrow(/needed: apiGroups/);
  });

  test('without permission fails before the first write', async () => {
    const plane = fake();
    const client = plane.client();
    const server = {
      ...client.server,
      can: ({ resource }: { resource: string }) => Promise.resolve(resource !== 'resourcebindings'),
    };
    await expect(run(plane, server as typeof client.server)).rejects.toThrow(
      'a drain needs to patch resourcebindings.work.karmada.io, which this user may not; grant it as in docs/rbac.yaml',
    );
    expect(client.writes).toEqual([]);
  });
});

describe('a drain from a plan', () => {
  test('evicts the workloads of the plan, except those that have changed since', async () => {
    const plane = fake();
    const whole = planned(plane);
    const plan = { ...whole, workloads: whole.workloads.filter(({ name }) => name !== 'w2') };
    plane.edit(bindingPath('w0'), (object) => ({
      ...object,
      spec: {
        ...(object as unknown as { spec: object }).spec,
        replicas: 3,
        clusters: [{ name: 'member1', replicas: 3 }],
      },
    }));
    const { result } = await drain(plane, { plan });
    expect(plane.history.evictions).toEqual(['w1-deployment from member1']);
    expect(result.outcome).toBe('not-finished');
    expect(result.workloads.find(({ workload: { name } }) => name === 'w0')).toMatchObject({
      phase: 'skipped',
      waitingFor: 'it was on member1 (2) in the plan and is on member1 (3)',
    });
    expect(result.workloads.map(({ workload: { name } }) => name).sort()).toEqual(['w0', 'w1']);
  });

  test('continues after an earlier run was killed', async () => {
    const plane = fake();
    const plan = planned(plane);
    const killed = begin(plane, { plan, client: { killAt: START + 3000 } });
    await plane.time.until(Promise.race([killed.ending, killed.client.killed]));
    const { result } = await drain(plane, { plan });
    expect(result).toMatchObject({ outcome: 'done', gone: 3 });
    expect(plane.history.evictions).toHaveLength(3);
  });
});
