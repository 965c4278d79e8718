import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import type { ResourceBinding, TargetCluster } from '../../src/karmada/api/work.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import { readyReplicas, startMonitor, type Monitor } from './monitor.ts';
import { endsWith } from './tool.ts';
import { createAll, deployment, namespace, policyFor } from './workloads.ts';
import { aggregated, byWeight, groups, on } from './placements.ts';

const oneOf = (...names: string[]): Placement => ({
  ...on(...names),
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
});
const packed = (...names: string[]): Placement => ({
  ...on(...names),
  replicaScheduling: aggregated,
});
const weighted = (weights: Record<string, number>): Placement => ({
  replicaScheduling: byWeight(weights),
});

type Workloads = [name: string, replicas: number, placement: Placement, readyAfter?: string][];
const workloads = {
  // all of them are on member1
  moving: [
    ['one', 2, oneOf('member1', 'member2')],
    ['grouped', 2, groups('member1', 'member3')],
    ['pulled', 2, groups('member1', 'member4')],
    ['halves', 4, weighted({ member1: 1, member2: 1 })],
    ['thirds', 12, weighted({ member1: 3, member2: 2, member3: 1 })],
    ['packed', 4, packed('member1', 'member3')],
    ['copied', 2, on('member1', 'member2')],
    ['pinned', 2, on('member1')],
    ['elsewhere', 2, on('member2', 'member3')],
  ],
  stuck: [
    ['never', 2, groups('member1', 'member2'), 'member2=never, 1s'],
    ['fine', 2, groups('member1', 'member3'), '1s'],
  ],
  pair: [
    ['chain', 2, groups('member1', 'member2', 'member3')],
    ['shared', 6, weighted({ member1: 1, member2: 1, member3: 1 })],
    ['second', 2, groups('member2', 'member4')],
  ],
  alone: [['captive', 2, on('member1')]],
} satisfies Record<string, Workloads>;

let bed: Bed;
let monitor: Monitor;

beforeAll(async () => {
  bed = await up({
    ...defaultOptions,
    // as installed: no evictions for taints, and failover is off
    featureGates: {},
    controllerManager: { 'cluster-status-update-frequency': '5s', 'graceful-eviction-timeout': '10s' },
    readyAfter: 2,
  });
  for (const [ns, all] of Object.entries(workloads) as [string, Workloads][])
    await createAll(bed.api(), [
      namespace(ns),
      ...all.flatMap(([name, replicas, placement, readyAfter]) => {
        const object = deployment(ns, name, replicas, readyAfter);
        return [object, policyFor(object, placement)];
      }),
    ]);
  await steadyBindings(bed, Object.values(workloads).flat().length);
  monitor = await startMonitor(bed);
  await eventually('the monitor to have seen everything', () => Promise.resolve(monitor.bindings.size >= 15));
});

afterAll(async () => {
  await monitor?.stop();
  await bed?.down();
});

const cluster = (name: string) =>
  bed.api().get<Cluster>(`/apis/cluster.karmada.io/v1alpha1/clusters/${name}`);
const taintsOf = async (name: string) => (await cluster(name)).spec?.taints ?? [];
const binding = (ns: string, name: string): ResourceBinding => {
  const found = monitor.newest.get(`${ns}/${name}-deployment`);
  if (!found) throw new Error(`no binding ${ns}/${name}-deployment`);
  return found;
};
const placement = (clusters: TargetCluster[] = []) =>
  Object.fromEntries(clusters.map(({ name, replicas }) => [name, replicas]));
const placementOf = (ns: string, name: string) => placement(binding(ns, name).spec.clusters);
const tasksOf = (ns: string, name: string) => binding(ns, name).spec.gracefulEvictionTasks ?? [];
/** Ready replicas before a moment, and the fewest since. */
const readySince = (name: string, since: number) => readyReplicas(monitor.ready.get(name) ?? [], since);

interface PlanDocument {
  workloads: {
    namespace: string;
    name: string;
    fate: string;
    order?: number;
    before: TargetCluster[];
    after: TargetCluster[];
  }[];
  refusals: { risk: string; accepted: boolean }[];
}

test('cordon and uncordon write only the taint of karmadactl', async () => {
  const before = await cluster('member4');
  await endsWith(bed, 0, 'cordon', 'member4');
  const cordoned = await cluster('member4');
  expect(cordoned.spec).toEqual({
    ...before.spec,
    taints: [{ key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' }],
  });
  expect(cordoned.metadata.annotations).toEqual(before.metadata.annotations);
  await endsWith(bed, 0, 'uncordon', 'member4');
  expect((await cluster('member4')).spec).toEqual(before.spec);
});

test('given a workload that cannot leave, a drain without --allow-blocked writes nothing', async () => {
  const refused = await endsWith(bed, 1, 'drain', 'member1', '-n', 'alone', '--yes');
  expect(refused.stdout + refused.stderr).toContain('alone/deployment/captive');
  expect(refused.stderr).toContain('--allow-blocked');
  expect(await taintsOf('member1')).toEqual([]);
  expect(tasksOf('alone', 'captive')).toEqual([]);
});

test('a drain by taint is refused if Karmada does not evict for taints', async () => {
  const refused = await endsWith(bed, 2, 'drain', 'member1', '--method=taint', '--yes');
  expect(refused.stderr).toContain('enable-no-execute-taint-eviction');
  expect(await taintsOf('member1')).toEqual([]);
});

test('with default feature gates, Karmada carries out the drain as planned', async () => {
  const args = ['drain', 'member1', '-n', 'moving', '--allow-blocked', '--eviction-rate', '2'];
  const planned = await endsWith(bed, 0, ...args, '--dry-run=client', '-o', 'json');
  const plan = JSON.parse(planned.stdout) as PlanDocument;
  const chosen = plan.workloads.filter(({ namespace }) => namespace === 'moving');
  const fates = Object.fromEntries(chosen.map(({ name, fate }) => [name, fate]));
  expect(fates).toMatchObject({
    ...Object.fromEntries(
      ['one', 'grouped', 'pulled', 'halves', 'thirds', 'packed'].map((name) => [name, 'moves']),
    ),
    copied: 'leaves',
    pinned: 'blocked',
  });

  const since = Date.now();
  // workloads that cannot leave are left
  await endsWith(bed, 3, ...args, '--yes', '-o', 'json');
  const evictions = new Map<string, number>();
  for (const { name, after, fate } of chosen) {
    expect({ name, at: placementOf('moving', name) }).toEqual({ name, at: placement(after) });
    expect({ name, tasks: tasksOf('moving', name) }).toEqual({ name, tasks: [] });
    const ready = readySince(name, since);
    const floor = fate === 'leaves' ? ready.before - 2 : ready.before;
    expect({ name, enough: ready.fewest >= floor, before: ready.before > 0 }).toEqual({
      name,
      enough: true,
      before: true,
    });
    const evicted = monitor.bindings
      .get(`moving/${name}-deployment`)
      ?.find(({ time, leaving }) => time > since && leaving.includes('member1'));
    if (evicted) evictions.set(name, evicted.time);
  }
  const order = chosen
    .filter((workload) => workload.order !== undefined)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .map(({ name }) => name);
  expect([...evictions].sort(([, a], [, b]) => a - b).map(([name]) => name)).toEqual(order);
  expect(placementOf('moving', 'elsewhere')).toEqual({ member2: 2, member3: 2 });

  await endsWith(bed, 0, 'uncordon', 'member1');
  expect(await cluster('member1')).toMatchObject({ metadata: { name: 'member1' } });
  expect(await taintsOf('member1')).toEqual([]);
});

test('given a replacement that never becomes ready, the old copy stays held past the timeout, until the drain is cancelled', async () => {
  const since = Date.now();
  const drained = await endsWith(
    bed,
    3,
    ...['drain', 'member1', '-n', 'stuck', '--yes', '--eviction-rate', '5', '--timeout', '25s'],
  );
  expect(drained.stdout + drained.stderr).toContain('never');
  expect(tasksOf('stuck', 'never')).toMatchObject([
    { fromCluster: 'member1', producer: 'karmada-failover', suppressDeletion: true },
  ]);
  expect(placementOf('stuck', 'never')).toEqual({ member2: 2 });
  // the task is older than Karmada's timeout by now, and the old copy still runs
  expect(Date.now() - since).toBeGreaterThan(12_000);
  expect(readySince('never', since)).toMatchObject({ before: 2, fewest: 2 });
  expect(placementOf('stuck', 'fine')).toEqual({ member3: 2 });
  expect(tasksOf('stuck', 'fine')).toEqual([]);

  await endsWith(bed, 0, 'drain', 'member1', '--cancel', '--yes');
  await eventually('the monitor to see it', () => Promise.resolve(tasksOf('stuck', 'never').length === 0));
  expect(placementOf('stuck', 'never')).toEqual({ member1: 2 });
  expect(await taintsOf('member1')).toEqual([]);
  expect((await cluster('member1')).metadata.annotations ?? {}).not.toHaveProperty([
    'karmada-failover/drain',
  ]);
  expect(readySince('never', since)).toMatchObject({ before: 2, fewest: 2 });
});

test('given a drain of two clusters, a workload leaves both in one write, and moves to neither', async () => {
  const since = Date.now();
  await endsWith(bed, 0, ...['drain', 'member1', 'member2', '-n', 'pair', '--yes', '--eviction-rate', '5']);
  expect(placementOf('pair', 'chain')).toEqual({ member3: 2 });
  expect(placementOf('pair', 'shared')).toEqual({ member3: 6 });
  expect(placementOf('pair', 'second')).toEqual({ member4: 2 });
  const seen = (monitor.bindings.get('pair/shared-deployment') ?? []).filter(({ time }) => time > since);
  for (const { clusters } of seen) expect(placement(clusters).member2 ?? 0).toBeLessThanOrEqual(2);
  expect(seen.find(({ leaving }) => leaving.length > 0)?.leaving.toSorted()).toEqual(['member1', 'member2']);
  for (const name of ['chain', 'shared', 'second']) {
    const { before, fewest } = readySince(name, since);
    expect({ name, fewest }).toEqual({ name, fewest: before });
  }
  await endsWith(bed, 0, 'uncordon', 'member1', 'member2');
});
