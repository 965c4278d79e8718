import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { ApiError } from '../../src/state/live/apiError.ts';
import { cordonClusters } from '../../src/useCases/cordon/cordonClusters.ts';
import { cluster } from '../simulator/simulation/controlPlane.ts';
import { servingObjects } from '../state/live/servingObjects.ts';
import { problemOf } from './quietPorts.ts';

const TAINT = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' } as const;
const serving = (readOnly: string[] = []) =>
  servingObjects([cluster('east'), cluster('west', [TAINT])] as unknown as KubernetesObject[], { readOnly });
const options = { dryRun: 'none', pause: async () => undefined } as const;

describe('cordoning clusters', () => {
  test('taints the clusters without the taint, and reports each cluster', async () => {
    const server = serving();
    const reported: unknown[] = [];
    await cordonClusters(server, 'cordon', ['east', 'west'], options, (result) => void reported.push(result));
    expect(reported).toMatchObject([
      { cluster: { metadata: { name: 'east' }, spec: { taints: [TAINT] } }, changed: true },
      { cluster: { metadata: { name: 'west' } }, changed: false },
    ]);
    expect(server.writes).toEqual(['patch /apis/cluster.karmada.io/v1alpha1/clusters/east']);
  });

  test('writes nothing if a cluster is unknown, and lists the known clusters', async () => {
    const server = serving();
    const reported: unknown[] = [];
    const cordoning = () =>
      cordonClusters(server, 'cordon', ['east', 'mars'], options, (result) => void reported.push(result));
    expect(await problemOf(cordoning)).toEqual({
      code: 'unknown-cluster',
      input: 'clusters',
      cluster: 'mars',
      known: ['east', 'west'],
    });
    expect({ reported, writes: server.writes }).toEqual({ reported: [], writes: [] });
  });

  test('fails with the error of the API server', async () => {
    const uncordoning = cordonClusters(
      serving(['clusters.cluster.karmada.io']),
      'uncordon',
      ['west'],
      options,
      () => undefined,
    );
    await expect(uncordoning).rejects.toThrow(ApiError);
  });
});
