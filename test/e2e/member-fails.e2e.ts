import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { median } from '../recordings/replay.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { bindings, heldAgainstSimulation } from './heldAgainstSimulation.ts';
import { watching } from './watching.ts';
import { createAll, deployment, namespace, policyFor, taintWhileReadyIs } from './workloads.ts';
import { turnsLostByChance } from './turns.ts';
import { byRoom, divided } from './placements.ts';

const anywhere = { clusterNames: ['member1', 'member2', 'member3', 'member4'] };
const web = deployment('shop', 'web', 2);
const api = deployment('shop', 'api', 6);
const search = deployment('shop', 'search', 9);
const payments = deployment('shop', 'payments', 3);
const pinned = deployment('shop', 'pinned', 2);
const stuck = deployment('shop', 'stuck', 1, 'member3=never');
const ledger = deployment('shop', 'ledger', 2);
const archive = deployment('shop', 'archive', 1);
const settings = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
} satisfies KubernetesObject;

const tolerating = (tolerationSeconds?: number) => ({
  clusterTolerations: [
    {
      key: 'e2e.karmada-failover/not-ready',
      operator: 'Exists',
      effect: 'NoExecute',
      ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
    } as const,
  ],
});

const objects = [
  namespace('shop'),
  taintWhileReadyIs('not-ready', 'False', 'e2e.karmada-failover/not-ready'),
  taintWhileReadyIs('unreachable', 'Unknown', 'e2e.karmada-failover/unreachable'),
  ...[web, api, search, payments, pinned, stuck, ledger, archive, settings],
  policyFor(web, { clusterAffinity: { clusterNames: ['member1', 'member2', 'member4'] } }),
  policyFor(api, {
    replicaScheduling: {
      ...divided,
      replicaDivisionPreference: 'Weighted',
      weightPreference: {
        staticWeightList: [
          { targetCluster: { clusterNames: ['member1'] }, weight: 1 },
          { targetCluster: { clusterNames: ['member3'] }, weight: 2 },
        ],
      },
    },
  }),
  policyFor(search, {
    clusterAffinity: anywhere,
    replicaScheduling: byRoom,
  }),
  policyFor(payments, {
    clusterAffinities: [
      { affinityName: 'primary', clusterNames: ['member1'] },
      { affinityName: 'backup', clusterNames: ['member2'] },
    ],
  }),
  policyFor(pinned, { clusterAffinity: { clusterNames: ['member1'] } }),
  policyFor(stuck, {
    clusterAffinities: [
      { affinityName: 'primary', clusterNames: ['member1'] },
      { affinityName: 'backup', clusterNames: ['member3'] },
    ],
  }),
  policyFor(ledger, {
    clusterAffinities: [
      { affinityName: 'primary', clusterNames: ['member1'] },
      { affinityName: 'backup', clusterNames: ['member4'] },
    ],
    ...tolerating(20),
  }),
  policyFor(archive, { clusterAffinity: { clusterNames: ['member1', 'member2'] }, ...tolerating() }),
  policyFor(settings, { clusterAffinity: anywhere }),
];
const moving = ['api', 'ledger', 'payments', 'pinned', 'search', 'settings', 'stuck', 'web'];
const neverReady = [{ kind: 'Deployment', namespace: 'shop', name: 'stuck', cluster: 'member3' }];

let bed: Bed;

beforeAll(async () => {
  bed = await up(defaultOptions, (line) => process.stderr.write(`${line}\n`));
  await createAll(bed.api(), objects);
  await eventually('steady bindings', () => isSteady(9), { within: 90_000 });
});

afterEach(() => {
  const killed = ['member1-apiserver', 'member4-agent'];
  bed.check(bed.file.processes.map(({ name }) => name).filter((name) => !killed.includes(name)));
});

afterAll(() => bed?.down());

describe('every binding takes the steps that the simulation takes, at about the same time, when', () => {
  test('the API server of a Push member dies; who watches sees it fail and empty', async () => {
    const lines = watching(bed, 'failover', 'status', 'member1', '-o', 'json');
    await eventually('the watch', () => Promise.resolve(lines.lines().length > 0));
    const { same, different, starts, durations } = await heldAgainstSimulation(bed, {
      name: 'push-member-dies',
      act: () => bed.kill('member1-apiserver'),
      cluster: 'member1',
      ready: 'False',
      neverReady,
    }).finally(() => lines.stop());
    expect(different).toEqual([]);
    expect(same.map(workload)).toEqual(moving);
    expect(Math.max(...starts)).toBeLessThan(2 + turnsLostByChance(bed));
    expect(median(durations)).toBeLessThan(1);

    const told = lines.lines().flatMap((line) => (JSON.parse(line) as Told).cluster ?? []);
    expect(told[0]).toMatchObject({ ready: { status: 'True' }, workloads: 9, evicting: 0, taints: [] });
    const evicting = told.map((one) => one.evicting);
    expect(Math.max(...evicting)).toBeGreaterThan(1);
    const last = told.at(-1)!;
    expect(last).toMatchObject({ ready: { status: 'False' } });
    expect(last.taints.map(({ taint }) => taint)).toContain('e2e.karmada-failover/not-ready:NoExecute');
    expect(last.workloads).toBeLessThan(9);
  });

  test('it comes back', async () => {
    const { same, different, starts } = await heldAgainstSimulation(bed, {
      name: 'push-member-returns',
      act: () => bed.restart('member1-apiserver'),
      cluster: 'member1',
      ready: 'True',
      neverReady,
    });
    expect(different).toEqual([]);
    expect(same.map(workload)).toEqual(['pinned', 'settings', 'web']);
    expect(Math.max(...starts)).toBeLessThan(2 + turnsLostByChance(bed));
  });

  test('the agent of a Pull member dies', async () => {
    const { same, different, starts, durations } = await heldAgainstSimulation(bed, {
      name: 'pull-member-dies',
      act: () => bed.kill('member4-agent'),
      cluster: 'member4',
      ready: 'Unknown',
      neverReady,
    });
    expect(different).toEqual([]);
    expect(same.map(workload)).toEqual(['ledger', 'search', 'settings', 'web']);
    expect(Math.max(...starts)).toBeLessThan(2 + turnsLostByChance(bed));
    expect(median(durations)).toBeLessThan(1);
  });
});

interface Told {
  cluster: {
    ready: { status: string };
    workloads: number;
    evicting: number;
    taints: { taint: string }[];
  } | null;
}

/** "web" of "shop/web-deployment". */
function workload(binding: string): string {
  return binding.replace(/^shop\/(.*)-\w+$/, '$1');
}

/** Whether everything is scheduled, applied and healthy. */
async function isSteady(count: number): Promise<boolean> {
  const found = await bindings(bed);
  return (
    found.length === count &&
    found.every(
      ({ spec, status }) =>
        (spec.clusters?.length ?? 0) > 0 &&
        status?.aggregatedStatus?.length === spec.clusters?.length &&
        status?.aggregatedStatus?.every(({ applied, health }) => applied && health === 'Healthy'),
    )
  );
}
