import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dump } from 'js-yaml';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { compareSteps, median, recordedSteps, simulatedSteps } from '../recordings/replay.ts';
import { simulateFiles } from '../recordings/simulateFiles.ts';
import { captureState, record, type Recording } from './capture.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { createAll, deployment, namespace, policyFor, taintWhileReadyIs } from './workloads.ts';

const anywhere = { clusterNames: ['member1', 'member2', 'member3', 'member4'] };
const divided = { replicaSchedulingType: 'Divided' };
const web = deployment('shop', 'web', 2);
const api = deployment('shop', 'api', 6);
const search = deployment('shop', 'search', 9);
const payments = deployment('shop', 'payments', 3, '12s');
const pinned = deployment('shop', 'pinned', 2);
const stuck = deployment('shop', 'stuck', 1, 'member3=never, 8s');
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
    replicaScheduling: {
      ...divided,
      replicaDivisionPreference: 'Weighted',
      weightPreference: { dynamicWeight: 'AvailableReplicas' },
    },
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
const bindings = 9;

describe('a Push member dies', () => {
  let bed: Bed;

  beforeAll(async () => {
    bed = await up(defaultOptions, console.info);
  });

  afterAll(() => bed?.down());

  test('every binding takes the steps that the simulation took, at about the same time', async () => {
    await createAll(bed.api(), objects);
    await eventually('steady bindings', () => isSteady(bed), { within: 90_000 });
    await sleep(3000);

    const files = join(process.env.E2E_RECORDINGS ?? bed.file.directory, 'member-fails');
    mkdirSync(files, { recursive: true });
    const state = join(files, '01-before.json');
    await captureState(bed.api(), state);
    const start = Date.now();
    const recording = record(bed.api());
    await sleep(1000);
    await bed.kill('member1-apiserver');

    const notReady = await eventually('member1 not ready', async () => readyIsFalse(recording, 'member1'), {
      within: 60_000,
    });
    await sleep(10_000);
    await eventually('no more evictions', () => isQuiet(bed, recording), { within: 120_000 });
    await recording.stop();
    bed.check(bed.file.processes.map(({ name }) => name).filter((name) => name !== 'member1-apiserver'));

    const { featureGates, controllerManager, readyAfter } = bed.file.options;
    const scenario = join(files, 'scenario.yaml');
    writeFileSync(
      scenario,
      dump({
        start: new Date(start).toISOString(),
        until: new Date().toISOString(),
        assume: {
          featureGates,
          controllerManager,
          workloadReadyAfter: `${readyAfter}s`,
          neverReady: [{ kind: 'Deployment', namespace: 'shop', name: 'stuck', cluster: 'member3' }],
        },
        events: [
          {
            at: notReady.time,
            condition: {
              cluster: 'member1',
              type: 'Ready',
              status: 'False',
              reason: notReady.reason,
            },
          },
        ],
      }),
    );
    writeFileSync(join(files, 'watch.jsonl'), recording.text());

    const recorded = recordedSteps(recording.text());
    const simulation = await simulateFiles(state, scenario);
    const { same, different, off } = compareSteps(recorded, simulatedSteps(simulation, recorded));
    expect(different).toEqual([]);
    expect(same).toEqual(
      ['api', 'ledger', 'payments', 'pinned', 'search', 'stuck', 'web']
        .map((name) => `shop/${name}-deployment`)
        .concat('shop/settings-configmap')
        .sort(),
    );
    expect(median(off)).toBeLessThanOrEqual(1.5);
  });
});

async function listBindings(bed: Bed): Promise<ResourceBinding[]> {
  const { items } = await bed.api().list('/apis/work.karmada.io/v1alpha2/resourcebindings');
  return items as unknown as ResourceBinding[];
}

/** Whether everything is scheduled, applied and healthy. */
async function isSteady(bed: Bed): Promise<boolean> {
  const found = await listBindings(bed);
  return (
    found.length === bindings &&
    found.every(
      ({ spec, status }) =>
        (spec.clusters?.length ?? 0) > 0 &&
        status?.conditions?.some(({ type, status: is }) => type === 'FullyApplied' && is === 'True') &&
        status.aggregatedStatus?.length === spec.clusters?.length &&
        status.aggregatedStatus?.every(({ health }) => health === 'Healthy'),
    )
  );
}

function readyIsFalse({ changes }: Recording, cluster: string) {
  for (const { time, resource, object } of changes) {
    if (resource !== 'clusters' || object.metadata.name !== cluster) continue;
    const ready = object.status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status === 'False') return { time, reason: ready.reason };
  }
  return undefined;
}

/** Whether no eviction is under way, and no binding has changed for some seconds. */
async function isQuiet(bed: Bed, { changes }: Recording): Promise<boolean> {
  const last = changes.filter(({ resource }) => resource.endsWith('bindings')).at(-1)?.time ?? '';
  const evicting = (await listBindings(bed)).some(
    ({ spec }) => (spec.gracefulEvictionTasks ?? []).length > 0,
  );
  return !evicting && Date.now() - Date.parse(last) > 8000;
}
