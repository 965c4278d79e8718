import { describe, expect, test } from '@jest/globals';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { RESOURCE_BINDING_PERMANENT_ID_LABEL } from '../../../src/karmada/api/names.ts';
import { cancelDrain } from '../../../src/operations/drain/cancelDrain.ts';
import { executeDrain } from '../../../src/operations/drain/executeDrain.ts';
import { v1_18 } from '../../dialects.ts';
import type { Client } from '../fakeClient.ts';
import { createFakeControlPlane, type FakeControlPlane } from '../fakeControlPlane.ts';
import { cluster, drainOptions, scene, START, workload } from './drainScene.ts';
import { clientWith } from './faults.ts';

const web = workload('web', [{ name: 'member1', replicas: 2 }]);
const parent: ResourceBinding = { ...web, spec: { ...web.spec, propagateDeps: true } };
/** A ConfigMap that follows `web`. */
const config: ResourceBinding = {
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: {
    name: 'settings-configmap',
    namespace: 'shop',
    uid: 'uid-of-settings',
    generation: 1,
    labels: { [RESOURCE_BINDING_PERMANENT_ID_LABEL]: 'id-of-settings' },
  },
  spec: {
    resource: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: 'shop',
      name: 'settings',
      uid: 'template-settings',
    },
    requiredBy: [{ namespace: 'shop', name: parent.metadata.name, clusters: web.spec.clusters! }],
  },
};

const begin = () =>
  createFakeControlPlane(
    scene(
      ['member1', 'member2', 'member3'].map((name) => cluster(name)),
      [parent, config],
    ),
    { start: START },
  );

function drainWith({ server, openMirror, pause, stopwatch }: Client, onProgress = () => {}) {
  return executeDrain(server, drainOptions(), {
    configuration: v1_18.defaults,
    openMirror,
    pause,
    stopwatch,
    onProgress,
  });
}

/** Names of objects with a Work on member1 that is not being deleted. */
const onMember1 = (plane: FakeControlPlane) =>
  plane
    .works()
    .filter(({ metadata }) => metadata.namespace === 'karmada-es-member1' && !metadata.deletionTimestamp)
    .map(({ metadata }) => metadata.labels?.[RESOURCE_BINDING_PERMANENT_ID_LABEL])
    .sort();

describe('a dependent of a drained workload', () => {
  test('keeps its old copy until the old copy of the workload is deleted', async () => {
    const plane = begin();
    const seen = new Set<string>();
    const look = () => void seen.add(onMember1(plane).join(' '));
    const result = await plane.time.until(drainWith(plane.client(), look));
    expect(result).toMatchObject({ outcome: 'done' });
    expect(result.workloads.map(({ workload, phase }) => `${workload.name} ${phase}`).sort()).toEqual([
      'settings gone',
      'web gone',
    ]);
    expect([...seen]).toEqual(['id-of-settings id-of-web', 'id-of-settings', '']);
    expect(plane.binding('settings-configmap').spec).not.toHaveProperty('gracefulEvictionTasks');
  });

  test('keeps its copy without interruption if the drain is cancelled', async () => {
    const plane = begin();
    const killed = plane.client(clientWith({ faults: [], cuts: [], watchLags: [20], killAt: 10 }, START));
    await plane.time.until(Promise.race([drainWith(killed), killed.killed]));
    expect(plane.binding('settings-configmap').spec.gracefulEvictionTasks).toMatchObject([
      { fromCluster: 'member1', suppressDeletion: true },
    ]);
    const { server, pause } = plane.client();
    const taken: string[] = [];
    const watched = async (milliseconds: number, signal?: AbortSignal) => {
      taken.push(onMember1(plane).join(' '));
      await pause(milliseconds, signal);
    };
    const cancelling = cancelDrain(server, ['member1'], { configuration: v1_18.defaults, pause: watched });
    expect(await plane.time.until(cancelling)).toMatchObject({ outcome: 'done', restored: 2, left: [] });
    await plane.time.until(pause(60_000));
    expect(new Set([...taken, onMember1(plane).join(' ')])).toEqual(new Set(['id-of-settings id-of-web']));
    for (const { spec } of plane.bindings()) expect(spec.gracefulEvictionTasks ?? []).toEqual([]);
    expect(plane.binding('settings-configmap').spec.clusters ?? []).toEqual([]);
  });
});
