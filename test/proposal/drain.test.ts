import { describe, expect, test } from '@jest/globals';
import type { DrainEvent } from '../../src/analysis/drain/decide/drainStep.ts';
import type { DrainOptions } from '../../src/analysis/drain/drainOptions.ts';
import { planDrain } from '../../src/analysis/drain/plan/planDrain.ts';
import type { World } from '../../src/karmada/world.ts';
import type { MemberAssumptions } from '../../src/karmada/members/memberAssumptions.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import { executeDrain } from '../../src/operations/drain/executeDrain.ts';
import { createFakeControlPlane } from '../operations/fakeControlPlane.ts';
import {
  cluster,
  divided,
  drainOptions,
  scene,
  smallScene,
  START,
  workload,
} from '../operations/drain/drainScene.ts';
import { evicting } from './underDesign.ts';

const proposal = evicting('proposal');
const usual: MemberAssumptions = { workloadReadyAfter: 20_000, neverReady: [] };

interface Drain {
  options?: DrainOptions;
  configuration?: Configuration;
  members?: MemberAssumptions;
}

/** Drains member1 of a control plane that follows the design; returns the events of each workload in seconds. */
async function drain(
  world: World,
  { options = drainOptions(), configuration = proposal, members = usual }: Drain = {},
) {
  const plane = createFakeControlPlane(world, { start: START, configuration, members });
  const client = plane.client();
  const events: DrainEvent[] = [];
  const ending = executeDrain(client.server, options, {
    configuration,
    openMirror: client.openMirror,
    pause: client.pause,
    stopwatch: client.stopwatch,
    onEvent: (event) => events.push(event),
  });
  const result = await plane.time.until(ending);
  const story = events.map(({ time, type, ...event }) =>
    [`${Math.round((time - START) / 1000)}s`, type, 'workload' in event ? event.workload.name : '']
      .join(' ')
      .trim(),
  );
  return { plane, result, events, story };
}

function plan(
  world: World,
  { options = drainOptions(), configuration = proposal, members = usual }: Drain = {},
) {
  return planDrain(world, options, configuration, START, { karmadaVersion: 'proposal', members });
}

const web = () =>
  scene([cluster('member1'), cluster('member2')], [workload('web', [{ name: 'member1', replicas: 2 }])]);
const stuck = {
  ...usual,
  neverReady: [{ kind: 'Deployment', namespace: 'shop', name: 'web', cluster: 'member2' }],
};

describe('001 no timeout, during a drain: the same rules end held tasks', () => {
  test('001 drain: a held copy is released once its replacement is ready, as under v1.18', async () => {
    const { story, result } = await drain(web());
    expect(result).toMatchObject({ outcome: 'done', gone: 1 });
    expect(story).toEqual((await drain(web(), { configuration: evicting('v1.18') })).story);
  });

  test.each([4, 9])(
    '001 drain: executing the plan has the planned outcome (%i workloads)',
    async (workloads) => {
      const { workloads: planned, duration } = plan(smallScene(workloads));
      const { plane, events, result } = await drain(smallScene(workloads));
      expect(result.outcome).toBe('done');
      expect(planned).toHaveLength(workloads);
      for (const { name, after, goneAt } of planned) {
        expect(
          new Map(plane.binding(`${name}-deployment`).spec.clusters?.map((one) => [one.name, one.replicas])),
        ).toEqual(new Map(after.map((one) => [one.name, one.replicas])));
        const gone = events.find((event) => event.type === 'gone' && event.workload.name === name);
        expect(Math.abs(gone!.time - goneAt!)).toBeLessThan(3000);
      }
      expect(duration.longest).toBeUndefined();
    },
  );

  test('001 drain: if a replacement is overdue, the eviction is stuck and the old copy is kept', async () => {
    const { plane, result, story } = await drain(web(), { members: stuck });
    expect(result).toMatchObject({ outcome: 'not-finished', workloads: [{ phase: 'stuck' }] });
    expect(story).toContain('600s stuck web');
    expect(plane.binding('web-deployment').spec.gracefulEvictionTasks).toMatchObject([
      { fromCluster: 'member1', suppressDeletion: true },
    ]);
  });

  test('001 drain: if the loss is accepted, the drain ends the task, since Karmada would not', async () => {
    const accept = { ...drainOptions().accept, loss: true };
    const { plane, result } = await drain(web(), { members: stuck, options: drainOptions({ accept }) });
    expect(result).toMatchObject({ outcome: 'done', gone: 1 });
    expect(plane.binding('web-deployment').spec.gracefulEvictionTasks ?? []).toEqual([]);
    const { workloads } = plan(web(), { members: stuck, options: drainOptions({ accept }) });
    expect(workloads).toMatchObject([{ fate: 'lost' }]);
  });

  test('001 drain: without the ResourceHealth plugin health ends no task, so the drain ends it', async () => {
    const configuration = evicting('proposal', { 'evict-plugins': 'InBoth' });
    const { result } = await drain(web(), { configuration });
    expect(result).toMatchObject({ outcome: 'done', gone: 1 });
    expect(plan(web(), { configuration }).workloads).toMatchObject([{ fate: 'moves' }]);
  });

  test('001 drain: without holds the plan has no longest duration', () => {
    const options = drainOptions({ hold: false });
    expect(plan(web(), { options }).duration).not.toHaveProperty('longest');
    expect(plan(web(), { options, configuration: evicting('v1.18') }).duration).toHaveProperty('longest');
  });

  test('001 no ClusterEviction, during a drain: a workload that tolerates the cordon stays, since it would return at once', async () => {
    const placement: Placement = { ...divided, clusterTolerations: [{ operator: 'Exists' }] };
    const tolerant = scene(
      [cluster('member1'), cluster('member2')],
      [workload('tolerant', [{ name: 'member1', replicas: 2 }], { placement })],
    );
    const { result } = await drain(tolerant);
    expect(result).toMatchObject({ outcome: 'done', gone: 0, workloads: [{ phase: 'stays' }] });
    expect(plan(tolerant).workloads).toMatchObject([{ fate: 'stays' }]);
  });
});

describe('001 eviction queue, during a drain by taint: Karmada evicts, at the rate of its queue', () => {
  const options = drainOptions({ method: 'taint', hold: false });
  const three = () => ['member1', 'member2', 'member3'].map((name) => cluster(name));
  const onMember1 = [{ name: 'member1', replicas: 2 }];
  const some = () =>
    scene(three(), [
      workload('web', onMember1),
      workload('shop', onMember1),
      workload('pinned', onMember1, {
        placement: { ...divided, clusterAffinity: { clusterNames: ['member1'] } },
      }),
    ]);

  test('001 drain by taint: workloads are evicted at 0.5 per second; a workload whose eviction is abandoned stays, and the drain ends', async () => {
    const { result, plane } = await drain(some(), { options });
    expect(result).toMatchObject({ outcome: 'done', gone: 2 });
    expect(result.workloads.find(({ phase }) => phase === 'stays')).toMatchObject({
      workload: { name: 'pinned' },
      waitingFor: 'Karmada abandons its eviction: no cluster besides member1 matches its affinity',
    });
    expect(plane.binding('pinned-deployment').spec.clusters).toEqual(onMember1);
  });

  test('001 drain by taint: executing the plan has the planned outcome', async () => {
    const { workloads } = plan(some(), { options });
    const { plane } = await drain(some(), { options });
    for (const { name, after } of workloads)
      expect(plane.binding(`${name}-deployment`).spec.clusters).toEqual(after);
    expect(workloads.map(({ name, fate }) => `${name} ${fate}`).sort()).toEqual([
      'pinned stays',
      'shop moves',
      'web moves',
    ]);
  });

  test('001 drain by taint: the plan covers all evictions in the queue, even if they take days', () => {
    const configuration = evicting('proposal', { 'resource-eviction-rate': 0.00001 });
    const names = ['a', 'b', 'c', 'd'];
    const world = scene(
      three(),
      names.map((name) => workload(name, onMember1)),
    );
    const { workloads, atRest } = plan(world, { options, configuration });
    expect(atRest).toBe(true);
    const hours = workloads.map(({ evictedAt }) => Math.floor((evictedAt! - START) / 3600_000));
    expect(hours).toEqual([0, 27, 55, 83]);
  });

  test('001 drain by taint: is refused if its own taints would pause the queue', () => {
    const both = drainOptions({ method: 'taint', hold: false, clusters: ['member1', 'member2'] });
    expect(plan(some(), { options }).refusals.map(({ risk }) => risk)).not.toContain('unhealthy');
    expect(plan(some(), { options: both }).refusals).toContainEqual(
      expect.objectContaining({
        risk: 'unhealthy',
        problem: expect.stringContaining('2 of 3 clusters are faulty, more than 55%'),
      }),
    );
    const shipped = plan(some(), { options: both, configuration: evicting('v1.18') });
    expect(shipped.refusals.map(({ risk }) => risk)).not.toContain('unhealthy');
  });

  test('001 drain by eviction: keeps its own pace, and its cordons make no cluster faulty', () => {
    const both = drainOptions({ clusters: ['member1', 'member2'] });
    expect(plan(some(), { options: both }).refusals.map(({ risk }) => risk)).not.toContain('unhealthy');
  });
});
