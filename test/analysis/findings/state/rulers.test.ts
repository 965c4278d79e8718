import { describe, expect, test } from '@jest/globals';
import { diagnosed, explained } from './diagnosed.ts';
import { exampleOf } from './examples/examples.ts';
import { changed, type Written } from './healthyWorld.ts';

// Objects besides its policy that rule a workload: an explanation names what is wrong with them, if they are for this workload.

const ids = [
  'quota-used-up',
  'quota-not-enforced',
  'override-cluster-unknown',
  'multi-cluster-service-gate-off',
  'service-points-to-failed-cluster',
  'interpreter-unused',
  'impossible-scaling',
];

const checksOf = async (objects: Written[]) => {
  await diagnosed(objects);
  return (await explained()).map(({ check }) => check);
};

describe('an explanation opens with', () => {
  test.each(ids)('%s, about an object that affects the workload', async (id) => {
    expect((await checksOf(changed(exampleOf(id))))[0]).toBe(id);
  });

  test.each(ids.filter((id) => !/^(?:interpreter|override)-/.test(id)))(
    'nothing about %s if the object is in another namespace',
    async (id) => {
      const kinds = /Quota|MultiClusterService|FederatedHPA/;
      const objects = changed(exampleOf(id)).map((one) =>
        kinds.test(one.kind) ? { ...one, metadata: { ...one.metadata, namespace: 'other' } } : one,
      );
      expect(await checksOf(objects)).toEqual([]);
    },
  );

  test('the gate that the operator object switches off, without Deployments in the state', async () => {
    const karmada: Written = {
      apiVersion: 'operator.karmada.io/v1alpha1',
      kind: 'Karmada',
      metadata: { namespace: 'karmada-system', name: 'karmada' },
      spec: { components: { karmadaControllerManager: { featureGates: { Failover: false } } } },
    };
    const objects = changed({}).filter(({ metadata }) => !metadata.name.startsWith('karmada-'));
    expect((await checksOf([...objects, karmada]))[0]).toBe('failover-gate-off');
  });

  test('a used-up quota, before the effects of a refused scheduling result', async () => {
    const [quota] = exampleOf('quota-used-up').patches ?? [];
    const refused = {
      type: 'Scheduled',
      status: 'False',
      reason: 'QuotaExceeded',
      lastTransitionTime: '2026-05-04T09:00:00Z',
    };
    const objects = changed({
      ...exampleOf('quota-used-up'),
      patches: [
        quota!,
        {
          target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
          merge: { status: { conditions: [refused] } },
        },
      ],
    });
    const { findings } = await diagnosed(objects);
    expect(findings[0]).toMatchObject({ check: 'quota-used-up', severity: 'error' });
    expect((await explained())[0]).toMatchObject({ check: 'quota-used-up', severity: 'error' });
  });
});
