import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import { controllerProcesses, OFF, SAID, type ControllerProcesses } from './controllerProcess.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { bindings } from './heldAgainstSimulation.ts';
import { heldAgainstDesign } from './heldAgainstDesign.ts';
import { installDesign } from './installDesign.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import { READY_AFTER as READY_AFTER_ANNOTATION } from './members/replicas.ts';
import { playSimulatedClusters, type SimulatedClusters } from './members/simulatedClusters.ts';
import { aggregated, on, one } from './placements.ts';
import { endsWith } from './tool.ts';
import { createAll, deployment, namespace, policyFor } from './workloads.ts';

/** Document 001 on a Karmada whose API has it, with simulated clusters and our controllers replacing Karmada's. */
const SETTINGS = [
  '--karmada-version=proposal',
  '--feature-gates=Failover=true',
  '--leader-elect-lease-duration=10s',
  '--leader-elect-renew-deadline=7s',
  '--leader-elect-retry-period=1s',
  '--bind-address=0',
  ...SAID,
];
const RATE = 0.5;
/** --secondary-resource-eviction-rate */
const SLOW = 0.1;
const WINDOW = 5;
const READY_AFTER = 3;
/** Milliseconds of rounding of a clock of this machine and one of the API server. */
const ROUNDED = 100;
const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters';

let bed: Bed;
let controllers: ControllerProcesses;
let clusters: SimulatedClusters;

const policy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name: 'not-ready' },
  spec: {
    matchConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['False', 'Unknown'] }],
    taintsToAdd: [
      {
        key: 'e2e.karmada-failover/not-ready',
        effect: 'PreferNoExecute',
        addOnMatchSeconds: WINDOW,
        removeOnMismatchSeconds: 3,
      },
    ],
  },
} satisfies KubernetesObject & { spec: unknown };

/** All replicas on one of the clusters, as long as it has capacity: at first on the one with the most. */
const together = (...names: string[]): Placement => ({ ...on(...names), replicaScheduling: aggregated });
/** A whole copy on one of the clusters. */
const copied = (...names: string[]): Placement => ({ ...on(...names), spreadConstraints: one });

interface App {
  name: string;
  placement: Placement;
  /** its failover.cluster.tolerationSeconds; absent: it has no failover.cluster */
  toleration?: number;
  /** in the format of members/replicas.ts */
  readyAfter?: string;
  replicas?: number;
}

/** Creates Deployments one after another, so that each is older than the next, and waits until they are healthy. */
async function run(ns: string, apps: App[]): Promise<void> {
  await createAll(bed.api(), [namespace(ns)]);
  for (const { name, placement, toleration, readyAfter, replicas = 2 } of apps) {
    const object = deployment(ns, name, replicas, readyAfter);
    const cluster = { purgeMode: 'Gracefully', tolerationSeconds: toleration };
    await createAll(bed.api(), [
      object,
      policyFor(object, placement, toleration === undefined ? {} : { failover: { cluster } }),
    ]);
  }
  await steadyBindings(bed, apps.length);
}

const many = (count: number, app: Omit<App, 'name'>, name = 'app'): App[] =>
  Array.from({ length: count }, (_, i) => ({ ...app, name: `${name}-${i}` }));

const ofNamespace = async (ns: string) =>
  (await bindings(bed)).filter(({ metadata }) => metadata.namespace === ns);
const nameOf = (app: string) => `${app}-deployment`;
const keys = (ns: string, ...apps: string[]) => apps.map((app) => `${ns}/${nameOf(app)}`);

/** Waits until this many bindings of the namespace have left the cluster, whatever the state of their tasks. */
const left = (ns: string, cluster: string, count: number) =>
  eventually(
    `${count} evicted from ${cluster}`,
    async () =>
      (await ofNamespace(ns)).filter(({ spec }) => !spec.clusters?.some(({ name }) => name === cluster))
        .length >= count,
    { within: 180_000, every: 100 },
  );

/** Waits until no task is left in the namespace, except for those bindings. */
const settled = (ns: string, ...but: string[]) =>
  eventually(
    'the end of all tasks',
    async () =>
      (await ofNamespace(ns)).every(
        ({ metadata, spec }) => but.includes(metadata.name) || !spec.gracefulEvictionTasks?.length,
      ),
    { within: 180_000 },
  );

async function taintsOf(name: string) {
  const { spec } = await bed.api().get<Cluster>(`${CLUSTERS}/${name}`);
  return spec?.taints ?? [];
}

const tainted = (...names: string[]) =>
  eventually('taints', async () =>
    (await Promise.all(names.map(taintsOf))).every((taints) => taints.length > 0),
  );

/** Deletes what a test has created, and waits until Karmada has nothing left of it. */
async function cleanUp(): Promise<void> {
  const api = bed.api();
  for (const kind of ['apis/policy.karmada.io/v1alpha1/propagationpolicies', 'apis/apps/v1/deployments'])
    for (const { metadata } of (await api.list(`/${kind}`)).items)
      await api.remove(
        `/${kind.replace(/\/(?=[a-z]+$)/, `/namespaces/${metadata.namespace}/`)}/${metadata.name}?propagationPolicy=Background`,
      );
  await eventually('the end of all Works', async () => {
    const works = await api.list('/apis/work.karmada.io/v1alpha1/works');
    const left = (
      works.items as unknown as { spec: { workload: { manifests: KubernetesObject[] } } }[]
    ).filter(({ spec }) => spec.workload.manifests[0]?.kind !== 'Namespace');
    return left.length === 0 && (await bindings(bed)).length === 0;
  });
}

/** The clusters in their initial state. */
async function recovered(...names: string[]): Promise<void> {
  await clusters.recover(...names);
  await eventually('no taints', async () =>
    (await Promise.all(names.map(taintsOf))).every((taints) => taints.length === 0),
  );
}

const seconds = (times: number[]) => times.slice(1).map((time, i) => (time - times[i]!) / 1000);

beforeAll(async () => {
  const controllerManager = {
    ...OFF,
    // the Leases of clusters with played agents are not renewed
    'cluster-monitor-grace-period': '24h',
    'cluster-startup-grace-period': '24h',
  };
  bed = await up({
    ...defaultOptions,
    members: [],
    build: 'designed',
    controllerManager,
    featureGates: { Failover: true },
    readyAfter: READY_AFTER,
    garbageCollection: true,
  });
  controllers = controllerProcesses(bed.kubeconfig, SETTINGS);
  clusters = playSimulatedClusters(bed.api(), READY_AFTER);
  await clusters.join([
    ...['c01', 'c02', 'c03', 'c04', 'c05', 'c06', 'c07', 'c08', 'c09'].map((name, i) => ({
      name,
      pods: 200 - 10 * i,
    })),
    { name: 'c10', pods: 3 },
  ]);
});

afterEach(async () => {
  await controllers?.stop();
  bed.check();
  await cleanUp();
});

afterAll(async () => {
  await clusters?.stop();
  await bed?.down();
});

describe('document 001 on a live control plane', () => {
  test('without its CRDs, controllers refuse to run; controller manifests prints the CRDs', async () => {
    const refused = await endsWith(bed, 1, 'controller', 'run', ...SETTINGS);
    expect(refused.stderr).toMatch(/would not keep spec\.matchConditions of a ClusterTaintPolicy/);
    expect(refused.stderr).not.toMatch(/PreferNoExecute/);
    await installDesign(bed);
    const leader = controllers.start();
    await leader.leads();
    await createAll(bed.api(), [policy]);
  });

  test('a cluster fails: PreferNoExecute is added after the window, and workloads with failover.cluster move at the rate', async () => {
    await run('shop', [
      ...many(4, { placement: together('c01', 'c02'), toleration: 2 }, 'moves'),
      { name: 'copied', placement: copied('c01', 'c02'), toleration: 2 },
      { name: 'later', placement: together('c01', 'c02'), toleration: 20 },
      { name: 'stays', placement: together('c01', 'c02') },
      { name: 'pinned', placement: together('c01'), toleration: 2 },
    ]);
    const leader = controllers.start(`--resource-eviction-rate=${RATE}`);
    await leader.leads();
    const held = await heldAgainstDesign(bed, {
      name: 'proposal-one-fails',
      flags: { 'resource-eviction-rate': RATE },
      async act() {
        await clusters.fail('c01');
        await left('shop', 'c01', 6);
        await settled('shop');
      },
    });
    expect(held.different).toEqual([]);
    expect(held.evicted.recorded).toEqual(held.evicted.simulated);
    expect(new Set(held.evicted.recorded)).toEqual(
      new Set(keys('shop', 'moves-0', 'moves-1', 'moves-2', 'moves-3', 'copied', 'later')),
    );
    const gaps = seconds(controllers.decidedEvictions());
    expect(gaps.length).toBeGreaterThan(4);
    for (const gap of gaps) expect(gap * 1000).toBeGreaterThan(1000 / RATE - ROUNDED);
    const down = held.recording.changes.find(
      ({ resource, object }) =>
        resource === 'clusters' &&
        object.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'False'),
    )!;
    const [taint] = await taintsOf('c01');
    expect(taint).toMatchObject({ effect: 'PreferNoExecute' });
    expect(Date.parse(taint!.timeAdded!) - Date.parse(down.time)).toBeGreaterThan((WINDOW - 2) * 1000);
    expect(leader.log()).toMatch(/abandoned/i);
    await recovered('c01');
  });

  test('leaders are killed while evictions are queued, and each workload is evicted exactly once', async () => {
    await run('queue', many(9, { placement: together('c03', 'c04'), toleration: 2 }));
    const args = [`--resource-eviction-rate=${RATE}`];
    const first = controllers.start(...args);
    await first.leads();
    const second = controllers.start(...args);
    const held = await heldAgainstDesign(bed, {
      name: 'proposal-leaders-killed',
      flags: { 'resource-eviction-rate': RATE },
      async act() {
        await clusters.fail('c03');
        await left('queue', 'c03', 2);
        first.child.kill('SIGKILL');
        await second.leads();
        await left('queue', 'c03', 5);
        second.child.kill('SIGKILL');
        await controllers.start(...args).leads();
        await left('queue', 'c03', 9);
        await settled('queue');
      },
    });
    expect(held.different).toEqual([]);
    expect(held.evicted.recorded).toEqual(held.evicted.simulated);
    expect(new Set(held.evicted.recorded).size).toBe(9);
    expect(held.evicted.recorded).toHaveLength(9);
    const gaps = seconds(controllers.decidedEvictions());
    expect(gaps.length).toBeGreaterThan(5);
    for (const gap of gaps) expect(gap * 1000).toBeGreaterThan(1000 / RATE - ROUNDED);
    await recovered('c03');
  });

  test('the cluster recovers, and queued evictions are dropped', async () => {
    const rate = 0.2;
    await run('rest', many(6, { placement: together('c05', 'c06'), toleration: 1 }));
    const leader = controllers.start(`--resource-eviction-rate=${rate}`);
    await leader.leads();
    const held = await heldAgainstDesign(bed, {
      name: 'proposal-recovers',
      flags: { 'resource-eviction-rate': rate },
      async act() {
        await clusters.fail('c05');
        await left('rest', 'c05', 2);
        // its taint is removed 3 s later, in the middle between two turns
        await clusters.recover('c05');
        await recovered('c05');
        await settled('rest');
      },
    });
    expect(held.different).toEqual([]);
    expect(held.evicted.recorded).toEqual(held.evicted.simulated);
    // the API server decides which of them were created first
    expect(held.evicted.recorded).toHaveLength(2);
    const stayed = (await ofNamespace('rest')).filter(({ spec }) => spec.clusters?.[0]?.name === 'c05');
    expect(stayed).toHaveLength(4);
  });

  test('the cluster recovers, and each row of the table of system behavior holds', async () => {
    const never = { placement: together('c07', 'c08'), toleration: 0, readyAfter: 'c08=never, 1s' };
    await run('rows', [
      { ...never, name: 'running' },
      { name: 'moved', placement: together('c07', 'c08'), toleration: 0 },
      { ...never, name: 'starting' },
      { ...never, name: 'cleared' },
      { name: 'empty', placement: together('c07', 'c09'), toleration: 0 },
      { name: 'full', placement: together('c07', 'c10'), toleration: 0, replicas: 4 },
    ]);
    const api = bed.api();
    await api.merge(`${CLUSTERS}/c09`, { spec: { taints: [{ key: 'closed', effect: 'NoSchedule' }] } });
    const before = controllers.start('--resource-eviction-rate=1');
    await before.leads();
    await clusters.fail('c07');
    await left('rows', 'c07', 6);
    await settled('rows', ...['running', 'starting', 'cleared', 'empty', 'full'].map(nameOf));
    before.child.kill('SIGKILL');
    // row 4: the task is cleared by hand; row 1: the new copy still has its task, because no controller looks
    const binding = (name: string) =>
      `/apis/work.karmada.io/v1alpha2/namespaces/rows/resourcebindings/${nameOf(name)}`;
    await api.merge(binding('cleared'), { spec: { gracefulEvictionTasks: null } });
    const isReady = (name: string) =>
      api.merge(`/apis/apps/v1/namespaces/rows/deployments/${name}`, {
        metadata: { annotations: { [READY_AFTER_ANNOTATION]: '0s' } },
      });
    await isReady('running');
    await eventually('row 1 runs', async () => {
      const found = (await ofNamespace('rows')).find(({ metadata }) => metadata.name === nameOf('running'));
      return found?.status?.aggregatedStatus?.some(
        ({ clusterName, health }) => clusterName === 'c08' && health === 'Healthy',
      );
    });
    const held = await heldAgainstDesign(bed, {
      name: 'proposal-rows',
      flags: { 'resource-eviction-rate': 1 },
      neverReady: [{ kind: 'Deployment', namespace: 'rows', name: 'cleared', cluster: 'c08' }],
      async act() {
        await clusters.recover('c07');
        await controllers.start('--resource-eviction-rate=1').leads();
        await recovered('c07');
        await settled('rows', nameOf('starting'));
        await isReady('starting');
        await settled('rows');
      },
    });
    expect(held.different).toEqual([]);
    const after = new Map(
      (await ofNamespace('rows')).map(({ metadata, spec }) => [metadata.name, spec.clusters]),
    );
    const at = (name: string) => after.get(nameOf(name));
    for (const name of ['running', 'moved', 'starting', 'cleared'])
      expect([name, at(name)]).toEqual([name, [{ name: 'c08', replicas: 2 }]]);
    expect(at('empty')).toEqual([{ name: 'c07', replicas: 2 }]);
    expect(at('full')).toEqual([{ name: 'c07', replicas: 4 }]);
    await api.merge(`${CLUSTERS}/c09`, { spec: { taints: null } });
  });

  test('6 of 10 clusters fail, and evictions stop; one of them recovers, and they continue', async () => {
    await run('stop', many(4, { placement: together('c05', 'c06'), toleration: 5 }));
    const leader = controllers.start(`--resource-eviction-rate=${RATE}`);
    await leader.leads();
    // all others had failed when the workloads' cluster failed
    const failing = ['c10', 'c09', 'c08', 'c07', 'c04', 'c05'];
    const held = await heldAgainstDesign(bed, {
      name: 'proposal-6-of-10',
      flags: { 'resource-eviction-rate': RATE },
      async act({ changes }) {
        await clusters.fail(...failing);
        await tainted(...failing);
        const tasks = () =>
          ofNamespace('stop').then((all) => all.filter(({ spec }) => spec.gracefulEvictionTasks?.length));
        // five turns' time, from when the last of them could have entered the queue
        const stopped = Date.now();
        await eventually('ten seconds without an eviction', async () => {
          expect(await tasks()).toEqual([]);
          return Date.now() - stopped > 12_000 && changes.length > 0;
        });
        await recovered('c10');
        await left('stop', 'c05', 4);
        await settled('stop');
      },
    });
    expect(held.different).toEqual([]);
    expect(held.evicted.recorded).toEqual(held.evicted.simulated);
    expect(held.evicted.recorded).toHaveLength(4);
    await recovered(...failing);
  });

  test('12 of 20 clusters fail, and the rate falls; the 12th recovers, and the rate rises again', async () => {
    const joining = Array.from({ length: 10 }, (_, i) => `c${11 + i}`);
    await clusters.join(joining.map((name) => ({ name })));
    await run('slow', many(6, { placement: together('c01', 'c02'), toleration: 5 }));
    const failing = ['c10', ...joining, 'c01'];
    const leader = controllers.start(`--resource-eviction-rate=${RATE}`);
    await leader.leads();
    const held = await heldAgainstDesign(bed, {
      name: 'proposal-12-of-20',
      flags: { 'resource-eviction-rate': RATE },
      async act() {
        await clusters.fail(...failing);
        await left('slow', 'c01', 3);
        // 11 of 20 are not more than 0.55
        await recovered('c10');
        await left('slow', 'c01', 6);
        await settled('slow');
      },
    });
    expect(held.different).toEqual([]);
    expect(held.evicted.recorded).toEqual(held.evicted.simulated);
    expect(held.evicted.recorded).toHaveLength(6);
    const gaps = seconds(controllers.decidedEvictions());
    expect(gaps).toHaveLength(5);
    for (const gap of gaps.slice(0, 2)) expect(gap * 1000).toBeGreaterThan(1000 / SLOW - ROUNDED);
    for (const gap of gaps.slice(2)) expect(gap).toBeLessThan(1 / SLOW);
    await recovered(...failing);
  });
});
