import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { evictCluster } from '../../src/karmada/eviction/evictionTasks.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import type { GracefulEvictionTask, ResourceBinding, TargetCluster } from '../../src/karmada/api/work.ts';
import { ApiError } from './controlPlane/api.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { enact } from './happening.ts';
import { eventually } from './controlPlane/processes.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import { readyReplicas, startMonitor, type Monitor } from './monitor.ts';
import { karmadaFailover } from './tool.ts';
import { watching } from './watching.ts';
import { createAll, deployment, namespace, policyFor } from './workloads.ts';
import { aggregated, divided, groups, on } from './placements.ts';

const oneOf = (...names: string[]): Placement => ({
  ...on(...names),
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
});
const packed = (...names: string[]): Placement => ({
  ...on(...names),
  replicaScheduling: aggregated,
});
const equally = (...names: string[]): Placement => ({
  ...on(...names),
  replicaScheduling: {
    ...divided,
    replicaDivisionPreference: 'Weighted',
    weightPreference: {
      staticWeightList: names.map((name) => ({ targetCluster: { clusterNames: [name] }, weight: 1 })),
    },
  },
});

const SLOWLY = 'member2=20s, 1s';
const workloads: [name: string, replicas: number, placement: Placement, readyAfter?: string][] = [
  ['slow', 2, groups('member1', 'member2'), SLOWLY],
  ['never', 2, groups('member1', 'member2'), 'member2=never, 1s'],
  ['one', 2, oneOf('member1', 'member2'), SLOWLY],
  ['grouped', 3, groups('member1', 'member2'), SLOWLY],
  ['halves', 4, equally('member1', 'member2'), SLOWLY],
  ['packed', 3, packed('member1'), SLOWLY],
  ['copied', 2, on('member1', 'member2'), '1s'],
  ['direct', 2, groups('member1', 'member2'), SLOWLY],
  ['tainted', 2, oneOf('member3', 'member4'), '20s'],
  ['undone', 2, on('member1'), '1s'],
];
/** Seconds that a task may take on this control plane. */
const TIMEOUT = 15;

let bed: Bed;
let monitor: Monitor;

beforeAll(async () => {
  bed = await up({
    ...defaultOptions,
    controllerManager: {
      ...defaultOptions.controllerManager,
      'graceful-eviction-timeout': `${TIMEOUT}s`,
    },
    readyAfter: 1,
  });
  await createAll(bed.api(), [
    namespace('shop'),
    ...workloads.flatMap(([name, replicas, placement, readyAfter]) => {
      const object = deployment('shop', name, replicas, readyAfter);
      return [object, policyFor(object, placement)];
    }),
  ]);
  await steadyBindings(bed, workloads.length);
  monitor = await startMonitor(bed);
  await eventually('the monitor to have seen everything', () =>
    Promise.resolve(monitor.bindings.size === workloads.length && monitor.ready.size === workloads.length),
  );
});

afterAll(async () => {
  await monitor?.stop();
  await bed?.down();
});

const path = (name: string) =>
  `/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/${name}-deployment`;
const read = (name: string) => bed.api().get<ResourceBinding>(path(name));
const tasksOf = async (name: string) => (await read(name)).spec.gracefulEvictionTasks ?? [];
const placed = (clusters: TargetCluster[] = []) =>
  Object.fromEntries(clusters.map(({ name, replicas = 0 }) => [name, replicas]));
/** The fewest ready replicas since a moment, against those before it. */
const missing = (name: string, since: number) => {
  const { before, fewest } = readyReplicas(monitor.ready.get(name) ?? [], since);
  return before - fewest;
};

/** The clusters with a Work of the workload that is not being deleted. */
async function copies(name: string): Promise<string[]> {
  const { items } = await bed.api().list('/apis/work.karmada.io/v1alpha1/works');
  return items
    .filter(({ metadata }) => metadata.name.startsWith(`${name}-`) && !metadata.deletionTimestamp)
    .map(({ metadata }) => metadata.namespace!.replace('karmada-es-', ''))
    .sort();
}

/** Evicts a workload as another client would, and waits until Karmada has placed it again. */
async function evict(name: string, cluster: string, more: Partial<GracefulEvictionTask> = {}): Promise<void> {
  await leave(name, cluster, more);
  await placedAnew(name);
}

/** Writes an eviction, again if Karmada wrote first. */
async function leave(name: string, cluster: string, more: Partial<GracefulEvictionTask> = {}): Promise<void> {
  const options = { purgeMode: 'Gracefully', reason: 'ByHand', producer: 'somebody', ...more } as const;
  for (;;) {
    const { metadata, spec } = await read(name);
    const { clusters, gracefulEvictionTasks } = evictCluster(spec, cluster, options);
    const { resourceVersion } = metadata;
    try {
      await bed
        .api()
        .merge(path(name), { metadata: { resourceVersion }, spec: { clusters, gracefulEvictionTasks } });
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
    }
  }
}

function placedAnew(name: string): Promise<unknown> {
  return eventually(`${name} to be placed anew`, async () => {
    const { metadata, spec, status } = await read(name);
    const reported = status?.aggregatedStatus ?? [];
    return (
      Boolean(spec.gracefulEvictionTasks?.[0]?.creationTimestamp) &&
      status?.schedulerObservedGeneration === metadata.generation &&
      (spec.clusters ?? []).every(({ name: target }) => reported.some((item) => item.clusterName === target))
    );
  });
}

interface Item {
  result: string;
  message: string | null;
  next: string;
  taskEnds: string;
  deadline: string | null;
  oldCopy: string;
  affinityName: string | null;
  clusters: TargetCluster[];
  warnings: string[];
}

/** Acts on one eviction, and returns the message about it. */
async function act(action: string, name: string, ...args: string[]): Promise<Item & { code: number | null }> {
  const words = ['eviction', action, `deployment/${name}`, '-n', 'shop', '-o', 'json', ...args];
  const timeout = `graceful-eviction-timeout=${TIMEOUT}s`;
  const { code, stdout, stderr } = await karmadaFailover(bed, ...words, '--assume', timeout);
  if (!stdout) throw new Error(stderr);
  const { items } = JSON.parse(stdout) as { items: Item[] };
  return { ...items[0]!, code };
}

/** Karmada does what was predicted for a workload that left a cluster. */
async function comesTrue(name: string, from: string, said: Item): Promise<void> {
  await sleep(4000);
  const { spec } = await read(name);
  const there = (spec.gracefulEvictionTasks ?? []).some(({ fromCluster }) => fromCluster === from);
  const all = await copies(name);
  expect({
    name,
    task: there,
    copy: all.includes(from) && !placed(spec.clusters)[from] ? 'old' : undefined,
    clusters: placed(spec.clusters),
  }).toEqual({
    name,
    task: said.taskEnds === 'never' || said.taskEnds === 'later',
    copy: said.oldCopy === 'stays' && said.taskEnds !== 'no-task' ? 'old' : undefined,
    clusters: placed(said.clusters),
  });
}

test('a held copy stays past the timeout; after its release, it is deleted once its replacement is ready', async () => {
  const since = Date.now();
  await evict('slow', 'member1');
  const held = await act('hold', 'slow');
  expect(held).toMatchObject({ code: 0, result: 'changed', taskEnds: 'never', oldCopy: 'stays' });
  expect(await act('hold', 'slow')).toMatchObject({ code: 0, result: 'unchanged' });
  // not ready yet: releasing would leave it to the deadline
  const early = await act('release', 'slow');
  expect(early).toMatchObject({ code: 1, result: 'refused' });
  expect(early.message).toMatch(/member2: 0 of 2 replicas ready.*--allow-loss/);

  await sleep((TIMEOUT + 10) * 1000);
  await comesTrue('slow', 'member1', held);
  const released = await act('release', 'slow');
  expect(released).toMatchObject({ code: 0, result: 'changed', taskEnds: 'now', oldCopy: 'deleted' });
  await comesTrue('slow', 'member1', released);
  expect(await copies('slow')).toEqual(['member2']);
  expect(missing('slow', since)).toBe(0);
  expect(await act('release', 'slow', '--from', 'member1')).toMatchObject({ code: 0, result: 'unchanged' });
});

test('if the deadline passed during a hold, releasing the task deletes the old copy at once', async () => {
  const since = Date.now();
  await evict('never', 'member1', { suppressDeletion: true, gracePeriodSeconds: 3 });
  await sleep(4000);
  const refused = await act('release', 'never');
  expect(refused).toMatchObject({ code: 1, result: 'refused', taskEnds: 'now', oldCopy: 'deleted' });
  expect(refused.message).toMatch(/^Karmada would delete the copy on member1 at once/);
  expect(await tasksOf('never')).toMatchObject([{ suppressDeletion: true }]);
  expect(missing('never', since)).toBe(0);

  const released = await act('release', 'never', '--allow-loss');
  expect(released).toMatchObject({ code: 0, result: 'changed', taskEnds: 'now', oldCopy: 'deleted' });
  await comesTrue('never', 'member1', released);
  expect(missing('never', since)).toBe(2);
});

test.each([
  ['one', { member1: 2 }],
  ['halves', { member1: 2, member2: 2 }],
])('%s: a cancelled workload returns to its clusters without downtime', async (name, before) => {
  const from = name === 'one' ? Object.keys(placed((await read(name)).spec.clusters))[0]! : 'member1';
  const since = Date.now();
  // held, because Karmada may judge by a status from before the replicas were added
  await evict(name, from, { suppressDeletion: true });
  const cancelled = await act('cancel', name, '--from', from);
  expect(cancelled).toMatchObject({ code: 0, result: 'changed', taskEnds: 'no-task', oldCopy: 'stays' });
  if (name !== 'one') expect(placed(cancelled.clusters)).toEqual(before);
  await comesTrue(name, from, cancelled);
  expect(missing(name, since)).toBe(0);
  expect(await act('cancel', name, '--from', from)).toMatchObject({ code: 0, result: 'unchanged' });
});

test('cancelling returns a workload to an earlier affinity group; an edit of the spec does not', async () => {
  const since = Date.now();
  await evict('grouped', 'member1');
  const cancelled = await act('cancel', 'grouped');
  expect(cancelled).toMatchObject({
    code: 0,
    result: 'changed',
    affinityName: 'member1',
    clusters: [{ name: 'member1', replicas: 3 }],
  });
  await comesTrue('grouped', 'member1', cancelled);
  expect(missing('grouped', since)).toBe(0);

  await evict('grouped', 'member1');
  await bed.api().merge(path('grouped'), {
    spec: { clusters: [{ name: 'member1', replicas: 3 }], gracefulEvictionTasks: [] },
  });
  await eventually(
    'grouped to be taken off member1',
    async () => (await copies('grouped')).join() === 'member2',
  );
  expect(placed((await read('grouped')).spec.clusters)).toEqual({ member2: 3 });
});

test('given a workload without another cluster, its task cannot be completed, and cancelling returns the workload', async () => {
  const since = Date.now();
  await bed.api().merge('/apis/cluster.karmada.io/v1alpha1/clusters/member1', {
    spec: { taints: [{ key: 'full', effect: 'NoSchedule' }] },
  });
  await leave('packed', 'member1');
  await sleep(2000);
  expect(await act('complete', 'packed')).toMatchObject({ code: 1, result: 'refused' });
  const cancelled = await act('cancel', 'packed');
  expect(cancelled).toMatchObject({ code: 0, result: 'changed', oldCopy: 'stays' });
  await comesTrue('packed', 'member1', cancelled);
  expect(missing('packed', since)).toBe(0);
  await bed.api().merge('/apis/cluster.karmada.io/v1alpha1/clusters/member1', { spec: { taints: null } });
});

test('completing a task ends it at once; if its cluster accepts workloads, the scheduler uses the cluster again', async () => {
  // held, otherwise Karmada would end the task itself: the other copy is healthy
  await evict('copied', 'member1', { suppressDeletion: true });
  const completed = await act('complete', 'copied');
  expect(completed).toMatchObject({ code: 0, result: 'changed', taskEnds: 'now', oldCopy: 'deleted' });
  expect(completed.next).toMatch(/the scheduler then places it on member1 again, where it restarts/);
  await eventually('copied to be on both again', async () => {
    const { spec } = await read('copied');
    return !spec.gracefulEvictionTasks?.length && spec.clusters?.length === 2;
  });
});

test('a directly purged copy cannot be held or restored', async () => {
  await evict('direct', 'member1', { purgeMode: 'Directly' });
  const held = await act('hold', 'direct');
  expect(held).toMatchObject({ code: 0, result: 'changed', oldCopy: 'gone' });
  expect(held.warnings.join()).toMatch(/purge mode Directly/);
  expect(await act('cancel', 'direct')).toMatchObject({ code: 1, result: 'impossible' });
  const completed = await act('complete', 'direct');
  expect(completed).toMatchObject({ code: 0, result: 'changed', taskEnds: 'now' });
  await comesTrue('direct', 'member1', completed);
});

test('tasks of the taint manager can be held and cancelled too; a watch reports every change of a task', async () => {
  const since = Date.now();
  const [from] = Object.keys(placed((await read('tainted')).spec.clusters)) as [string];
  const lines = watching(bed, 'eviction', 'inspect', '-n', 'shop', '-o', 'json');
  const cluster = `/apis/cluster.karmada.io/v1alpha1/clusters/${from}`;
  try {
    await bed.api().merge(cluster, { spec: { taints: [{ key: 'maintenance', effect: 'NoExecute' }] } });
    await eventually('tainted to be evicted', async () => (await tasksOf('tainted')).length === 1);
    await placedAnew('tainted');
    expect(await tasksOf('tainted')).toMatchObject([{ producer: 'TaintManager' }]);
    expect(await act('hold', 'tainted')).toMatchObject({ code: 0, result: 'changed' });
    const gates = ['--assume', 'Failover=true', '--assume', 'enable-no-execute-taint-eviction=true'];
    const warned = await act('cancel', 'tainted', '--dry-run=server', ...gates);
    expect(warned.warnings).toEqual([`${from} has the taint maintenance:NoExecute: Karmada evicts it again`]);
    await bed.api().merge(cluster, { spec: { taints: null } });
    const cancelled = await act('cancel', 'tainted');
    expect(cancelled).toMatchObject({ code: 0, result: 'changed', warnings: [] });
    await comesTrue('tainted', from, cancelled);
    expect(missing('tainted', since)).toBe(0);
  } finally {
    await lines.stop();
  }
  const listed = lines
    .lines()
    .map((line) => JSON.parse(line) as Reported)
    .filter(({ task }) => task.workload.name === 'tainted');
  expect(listed[0]).toMatchObject({ type: 'ADDED' });
  expect(listed.map(({ task }) => task.verdict)).toContain('held');
  expect(listed.at(-1)).toMatchObject({ type: 'DELETED', ended: 'returned' });
});

test('deleting a Work deletes its copy until the spec of its binding changes', async () => {
  const [work] = (await bed.api().list('/apis/work.karmada.io/v1alpha1/works')).items.filter(({ metadata }) =>
    metadata.name.startsWith('undone-'),
  );
  const { namespace: space, name } = work!.metadata;
  await enact(bed.api(), { delete: { kind: 'Work', namespace: space!, name } });
  await eventually('the copy to go', async () => (await copies('undone')).length === 0);
  await sleep(30_000);
  expect(await copies('undone')).toEqual([]);
  const target = { kind: 'Deployment', namespace: 'shop', name: 'undone' };
  await enact(bed.api(), { patch: { ...target, merge: { spec: { replicas: 3 } } } });
  await eventually('the Work to be written again', async () => (await copies('undone')).length === 1);
});

interface Reported {
  type: string;
  ended: string | null;
  task: { workload: { name: string }; verdict: string };
}
