import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { bindings } from './heldAgainstSimulation.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import { standingText } from '../operations/recordedPlane.ts';
import { readyReplicas, startMonitor, type Monitor } from './monitor.ts';
import { byWeight, groups, on } from './placements.ts';
import { endsWith } from './tool.ts';
import { createAll, deployment, namespace, policyFor } from './workloads.ts';

/** A replacement does not become ready during a test. */
const SLOW = 'member1=1s, member2=1s, 600s';

function configMap(ns: string, name: string): KubernetesObject {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: ns }, data: { a: 'b' } };
  return object as KubernetesObject;
}

/** A Deployment with a ConfigMap as dependency. */
function needing(ns: string, readyAfter: string): KubernetesObject[] {
  const object = deployment(ns, 'needing', 2, readyAfter) as KubernetesObject & {
    spec: { template: { spec: { containers: object[] } } };
  };
  const { spec } = object.spec.template;
  const envFrom = [{ configMapRef: { name: 'needed' } }];
  spec.containers = spec.containers.map((one) => ({ ...one, envFrom }));
  return [
    configMap(ns, 'needed'),
    object,
    policyFor(object, groups('member1', 'member3'), { propagateDeps: true }),
  ];
}

function placed(
  ns: string,
  name: string,
  replicas: number,
  placement: Placement,
  readyAfter = SLOW,
): KubernetesObject[] {
  const object = deployment(ns, name, replicas, readyAfter);
  return [object, policyFor(object, placement)];
}

const silent = ['a', 'b', 'c', 'd', 'e', 'f'];
const objects = [
  namespace('pair'),
  ...placed('pair', 'first', 2, groups('member1', 'member3')),
  ...placed('pair', 'second', 2, groups('member2', 'member3')),
  ...placed('pair', 'both', 4, {
    ...on('member1', 'member2', 'member3'),
    replicaScheduling: byWeight({ member1: 1, member2: 1 }),
  }),
  namespace('deps'),
  ...needing('deps', 'member3=8s, 1s'),
  namespace('silent'),
  ...silent.flatMap((name) => placed('silent', name, 2, groups('member1', 'member3'), '1s')),
];

let bed: Bed;
let monitor: Monitor;

beforeAll(async () => {
  bed = await up({
    ...defaultOptions,
    featureGates: {},
    controllerManager: { 'cluster-status-update-frequency': '5s', 'graceful-eviction-timeout': '60s' },
    readyAfter: 1,
  });
  await createAll(bed.api(), objects);
  await steadyBindings(bed, objects.filter(({ kind }) => ['Deployment', 'ConfigMap'].includes(kind)).length);
  monitor = await startMonitor(bed);
  await eventually('the monitor to have seen everything', () =>
    Promise.resolve(monitor.bindings.size >= 11 && monitor.ready.size >= 10),
  );
});

afterAll(async () => {
  await monitor?.stop();
  await bed?.down();
});

const cluster = (name: string) =>
  bed.api().get<Cluster>(`/apis/cluster.karmada.io/v1alpha1/clusters/${name}`);
const isCordoned = async (name: string) =>
  ((await cluster(name)).spec?.taints ?? []).some(({ key }) => key === 'cluster.karmada.io/unschedulable');
const markOf = async (name: string) => (await cluster(name)).metadata.annotations?.['karmada-failover/drain'];

/** "first: on member3=2, held on member1" for each binding of a namespace, as Karmada has it now. */
async function standing(ns: string): Promise<string[]> {
  const own = (await bindings(bed)).filter(({ metadata }) => metadata.namespace === ns);
  return own.map(({ spec }) => standingText(spec)).sort();
}
const worksOf = async (name: string) => {
  const { items } = await bed.api().list('/apis/work.karmada.io/v1alpha1/works');
  return items
    .filter(({ metadata }) => metadata.name.startsWith(`${name}-`) && !metadata.deletionTimestamp)
    .map(({ metadata }) => metadata.namespace!.replace('karmada-es-', ''))
    .sort();
};

test('given a drain of two clusters, one is cancelled and the other stays drained', async () => {
  const since = Date.now();
  const drain = ['drain', 'member1', 'member2', '-n', 'pair', '--yes', '--eviction-rate', '5'];
  await endsWith(bed, 3, ...drain, '--timeout', '8s');
  expect(await standing('pair')).toEqual([
    'both: on member3=4, held on member1, held on member2',
    'first: on member3=2, held on member1',
    'second: on member3=2, held on member2',
  ]);

  const cancelled = await endsWith(bed, 0, 'drain', 'member1', '--cancel', '--yes');
  expect(cancelled.stdout + cancelled.stderr).toContain('member2');
  expect(await standing('pair')).toEqual([
    'both: on member1=2 member3=2, held on member2',
    'first: on member1=2',
    'second: on member3=2, held on member2',
  ]);
  expect([await isCordoned('member1'), await isCordoned('member2')]).toEqual([false, true]);
  expect(await markOf('member1')).toBeUndefined();
  expect(JSON.parse((await markOf('member2'))!)).toMatchObject({ clusters: ['member2'] });

  await endsWith(bed, 0, 'drain', 'member2', '--cancel', '--yes');
  expect(await standing('pair')).toEqual([
    'both: on member1=2 member2=2',
    'first: on member1=2',
    'second: on member2=2',
  ]);
  expect([await isCordoned('member2'), await markOf('member2')]).toEqual([false, undefined]);
  for (const name of ['first', 'second', 'both']) {
    const { before, fewest } = readyReplicas(monitor.ready.get(name) ?? [], since);
    expect({ name, before, fewest }).toEqual({ name, before, fewest: before });
  }
});

test('dependents of a held workload stay with its old copy, by a task on their own binding', async () => {
  const drain = ['drain', 'member1', '-n', 'deps', '--yes'];
  await endsWith(bed, 3, ...drain, '--timeout', '4s');
  expect(await standing('deps')).toEqual([
    'needed: on none, held on member1',
    'needing: on member3=2, held on member1',
  ]);
  expect(await worksOf('needed')).toEqual(['member1', 'member3']);
  expect(await worksOf('needing')).toEqual(['member1', 'member3']);

  // the same command continues
  await endsWith(bed, 0, ...drain, '--timeout', '40s');
  expect(await standing('deps')).toEqual(['needed: on none', 'needing: on member3=2']);
  expect(await worksOf('needed')).toEqual(['member3']);
  await endsWith(bed, 0, 'uncordon', 'member1');
});

test('while the scheduler is down, the drain pauses and reports the reason, and all evictions can be cancelled', async () => {
  await bed.kill('karmada-scheduler');
  const drain = ['drain', 'member1', '-n', 'silent', '--yes', '--eviction-rate', '0.09'];
  const drained = await endsWith(bed, 3, ...drain, '--timeout', '45s');
  expect(drained.stdout + drained.stderr).toMatch(
    /pace paused: the scheduler has not rescheduled any eviction for 3\ds/,
  );
  const standings = await standing('silent');
  const evicted = standings.filter((text) => text.endsWith(': on none, held on member1'));
  // at 0, 11 and 22 s; at 33 s it was silent for half a minute
  expect(evicted).toHaveLength(3);
  expect(standings.filter((text) => text.endsWith(': on member1=2'))).toHaveLength(3);

  bed.restart('karmada-scheduler');
  // a binding cancelled while it is being scheduled may be placed by its old spec
  await eventually('places for what was evicted', async () =>
    (await standing('silent')).every((text) => !text.includes(': on none')),
  );
  await endsWith(bed, 0, 'drain', 'member1', '--cancel', '--yes');
  expect(await standing('silent')).toEqual(silent.map((name) => `${name}: on member1=2`));
  for (const name of silent) expect(await worksOf(name)).toEqual(['member1']);
});
