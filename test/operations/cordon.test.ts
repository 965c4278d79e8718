import { describe, expect, test } from '@jest/globals';
import { DRAIN_ANNOTATION } from '../../src/analysis/drain/drainOptions.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import { v1_18 } from '../dialects.ts';
import { cordon, uncordon, type CordonOptions, type CordonResult } from '../../src/operations/cordon.ts';
import { executeDrain } from '../../src/operations/drain/executeDrain.ts';
import type { Client } from './fakeClient.ts';
import { createFakeControlPlane, type FakeControlPlane } from './fakeControlPlane.ts';
import { cluster, drainOptions, scene, smallScene, START } from './drain/drainScene.ts';

const CORDON = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' };
const path = (name: string) => `/apis/cluster.karmada.io/v1alpha1/clusters/${name}`;
const three = () =>
  createFakeControlPlane(
    scene(
      ['member1', 'member2', 'member3'].map((name) => cluster(name)),
      [],
    ),
    {
      start: START,
    },
  );
const taintsOf = (plane: FakeControlPlane, name: string) =>
  plane.clusters().find(({ metadata }) => metadata.name === name)!.spec?.taints ?? [];

async function all(
  plane: FakeControlPlane,
  client: Client,
  act: typeof cordon,
  names: string[],
  options: CordonOptions = {},
): Promise<CordonResult[]> {
  const results: CordonResult[] = [];
  const collect = async () => {
    for await (const one of act(client.server, names, { pause: client.pause, ...options })) results.push(one);
  };
  await plane.time.until(collect());
  return results;
}

describe('cordon', () => {
  test('adds the taint of karmadactl cordon after the existing taints', async () => {
    const plane = three();
    const mine = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
    plane.edit(path('member1'), (one) => ({ ...one, spec: { taints: [mine] } }));
    const client = plane.client();
    const results = await all(plane, client, cordon, ['member1', 'member3']);
    expect(results).toMatchObject([
      { cluster: { metadata: { name: 'member1' } }, changed: true, warnings: [] },
      { cluster: { metadata: { name: 'member3' } }, changed: true, warnings: [] },
    ]);
    expect(taintsOf(plane, 'member1')).toEqual([mine, CORDON]);
    expect(taintsOf(plane, 'member2')).toEqual([]);
    expect(taintsOf(plane, 'member3')).toEqual([CORDON]);
  });

  test('writes nothing if the cluster is already cordoned', async () => {
    const plane = three();
    await all(plane, plane.client(), cordon, ['member1']);
    const client = plane.client();
    expect(await all(plane, client, cordon, ['member1'])).toMatchObject([{ changed: false }]);
    expect(client.writes).toEqual([]);
  });

  test('writes nothing if one of the clusters does not exist', async () => {
    const plane = three();
    const client = plane.client();
    await expect(all(plane, client, cordon, ['member1', 'nope'])).rejects.toMatchObject({ status: 404 });
    expect(client.writes).toEqual([]);
  });

  test('cordons a cluster once if its name is repeated', async () => {
    expect(await all(three(), three().client(), cordon, [])).toEqual([]);
    const plane = three();
    expect(await all(plane, plane.client(), cordon, ['member1', 'member1'])).toHaveLength(1);
  });

  test('keeps the writes of other clients after conflicts and lost responses', async () => {
    const plane = three();
    const faults = [
      undefined,
      { type: 'foreign' as const },
      undefined,
      { type: 'reset' as const, when: 'after' as const },
    ];
    const client = plane.client({ fault: ({ number }) => faults[number] });
    expect(await all(plane, client, cordon, ['member1'])).toMatchObject([{ changed: true }]);
    const [member1] = plane.clusters();
    expect(member1!.metadata.annotations).toEqual({ 'somebody/edit-1': 'yes' });
    expect(taintsOf(plane, 'member1')).toEqual([CORDON]);
  });

  test('repeats the write after a lost response if the cluster has no taint', async () => {
    const plane = three();
    let lost = false;
    const client = plane.client({
      fault({ verb }) {
        if (verb !== 'patch' || lost) return undefined;
        lost = true;
        plane.edit(path('member1'), (one) => ({
          ...one,
          metadata: { ...one.metadata, annotations: { theirs: 'yes' } },
        }));
        return { type: 'reset', when: 'before' };
      },
    });
    expect(await all(plane, client, cordon, ['member1'])).toMatchObject([{ changed: true }]);
    expect(taintsOf(plane, 'member1')).toEqual([CORDON]);
  });

  test('supports dry runs of client and server', async () => {
    for (const [dryRun, writes] of [
      ['client', 0],
      ['server', 1],
    ] as const) {
      const plane = three();
      const client = plane.client();
      const [result] = await all(plane, client, cordon, ['member1'], { dryRun });
      expect(result).toMatchObject({ changed: true, cluster: { spec: { taints: [CORDON] } } });
      expect(client.writes.map((write) => write.dryRun)).toEqual(Array.from({ length: writes }, () => true));
      expect(taintsOf(plane, 'member1')).toEqual([]);
    }
  });
});

describe('uncordon', () => {
  test('removes only the cordon taint', async () => {
    const plane = three();
    const mine = { key: CORDON.key, effect: 'NoExecute' };
    plane.edit(path('member1'), (one) => ({ ...one, spec: { taints: [CORDON, mine] } }));
    expect(await all(plane, plane.client(), uncordon, ['member1'])).toMatchObject([{ changed: true }]);
    // Karmada's API server stamps NoExecute taints.
    const stamped = [{ ...mine, timeAdded: expect.any(String) as unknown }];
    expect(taintsOf(plane, 'member1')).toEqual(stamped);
    const client = plane.client();
    expect(await all(plane, client, uncordon, ['member1'])).toMatchObject([{ changed: false, warnings: [] }]);
    expect(client.writes).toEqual([]);
  });

  test('removes the mark of a killed drain, and warns of active evictions', async () => {
    const plane = createFakeControlPlane(smallScene(3), { start: START });
    const killed = plane.client({ killAt: START + 10_000 });
    const drain = executeDrain(killed.server, drainOptions(), {
      configuration: v1_18.defaults,
      openMirror: killed.openMirror,
      pause: killed.pause,
      stopwatch: killed.stopwatch,
    });
    await plane.time.until(Promise.race([drain, killed.killed]));
    const [result] = await all(plane, plane.client(), uncordon, ['member1']);
    expect(result!.warnings).toEqual([{ kind: 'evictions-go-on', evictions: 3 }]);
    const member1: Cluster = plane.clusters()[0]!;
    expect(member1.metadata.annotations?.[DRAIN_ANNOTATION]).toBeUndefined();
  });
});
