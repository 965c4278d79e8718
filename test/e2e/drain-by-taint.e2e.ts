import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import type { TargetCluster } from '../../src/karmada/api/work.ts';
import type { Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { assumedOn, evictingBed, runInShop } from './evictingBed.ts';
import { bindings } from './heldAgainstSimulation.ts';
import { endsWith } from './tool.ts';
import { createAll, deployment, policyFor } from './workloads.ts';
import { groups, on } from './placements.ts';

const workloads: [name: string, placement: Placement][] = [
  ['grouped', groups('member1', 'member2')],
  ['pulled', groups('member1', 'member4')],
  ['copied', on('member1', 'member3')],
  ['pinned', on('member1')],
  [
    'stays',
    {
      ...on('member1'),
      clusterTolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
    },
  ],
];
const byTaint = [
  ...['drain', 'member1', '--method=taint'],
  ...assumedOn('Failover', 'enable-taint-manager', 'enable-no-execute-taint-eviction'),
];

let bed: Bed;

beforeAll(async () => {
  bed = await evictingBed();
  await runInShop(bed, workloads);
});

afterAll(() => bed?.down());

test('given a workload that would be lost, a drain by taint is refused and writes nothing', async () => {
  const refused = await endsWith(bed, 1, ...byTaint, '--yes');
  expect(refused.stdout + refused.stderr).toContain('shop/deployment/pinned');
  expect(refused.stderr).toContain('--allow-loss');
  const { spec } = await bed
    .api()
    .get<{ spec: object }>('/apis/cluster.karmada.io/v1alpha1/clusters/member1');
  expect(spec).not.toHaveProperty('taints');
});

test('evictions by Karmada for the taint end on the planned clusters', async () => {
  const args = [...byTaint, '--allow-loss'];
  const planned = await endsWith(bed, 0, ...args, '--dry-run=client', '-o', 'json');
  const { workloads: plan } = JSON.parse(planned.stdout) as {
    workloads: { name: string; fate: string; after: TargetCluster[] }[];
  };
  expect(Object.fromEntries(plan.map(({ name, fate }) => [name, fate]))).toEqual({
    grouped: 'moves',
    pulled: 'moves',
    copied: 'leaves',
    pinned: 'lost',
    stays: 'stays',
  });
  await endsWith(bed, 0, ...args, '--yes', '--timeout', '60s');
  const found = new Map((await bindings(bed)).map(({ metadata, spec }) => [metadata.name, spec]));
  for (const { name, after } of plan) {
    const spec = found.get(`${name}-deployment`);
    expect({ name, clusters: spec?.clusters ?? [], tasks: spec?.gracefulEvictionTasks ?? [] }).toEqual({
      name,
      clusters: after,
      tasks: [],
    });
  }
});

test('cancelling a drain by taint returns evicted workloads, and removes the taint', async () => {
  await endsWith(bed, 0, 'uncordon', 'member1');
  const slow = deployment('shop', 'slow', 2, 'member3=600s, 1s');
  await createAll(bed.api(), [slow, policyFor(slow, groups('member1', 'member3'))]);
  const binding = async () => {
    const found = (await bindings(bed)).find(({ metadata }) => metadata.name === 'slow-deployment');
    return {
      on: found?.spec.clusters ?? [],
      leaves: (found?.spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster),
      ready: found?.status?.aggregatedStatus?.some(({ health }) => health === 'Healthy') ?? false,
    };
  };
  await eventually('the new workload to run', async () => (await binding()).ready);

  await endsWith(bed, 3, ...byTaint, '--allow-loss', '--yes', '--timeout', '5s');
  expect(await binding()).toMatchObject({ on: [{ name: 'member3', replicas: 2 }], leaves: ['member1'] });

  await endsWith(bed, 0, 'drain', 'member1', '--cancel', '--yes');
  expect(await binding()).toMatchObject({ on: [{ name: 'member1', replicas: 2 }], leaves: [] });
  const { metadata, spec } = await bed
    .api()
    .get<Cluster>('/apis/cluster.karmada.io/v1alpha1/clusters/member1');
  expect(spec?.taints ?? []).toEqual([]);
  expect(metadata.annotations ?? {}).not.toHaveProperty(['karmada-failover/drain']);
});
