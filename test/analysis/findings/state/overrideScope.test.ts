import { describe, expect, test } from '@jest/globals';
import { patched } from './applied.ts';
import { diagnosed } from './diagnosed.ts';
import { changed, type Written } from './healthyWorld.ts';

// v1.18, overridemanager: an override without resourceSelectors applies to every resource in its scope.

/** An override for all resources of a namespace; without one, of all namespaces. */
const overrideOfAll = (path: string, value: unknown, namespace?: string): Written => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: namespace ? 'OverridePolicy' : 'ClusterOverridePolicy',
  metadata: { ...(namespace && { namespace }), name: 'all' },
  spec: {
    overrideRules: [{ overriders: { plaintext: [{ path, operator: 'replace', value }] } }],
  },
});

const messages = async (check: string, ...adds: Written[]) => {
  const { findings } = await diagnosed([...changed({}), ...adds], { only: [check] });
  return findings.map(({ message }) => message);
};

describe('given an override without resourceSelectors', () => {
  test.each(['shop', undefined])(
    'in its scope (namespace %s) it writes the replicas of workloads',
    async (namespace) => {
      expect(
        await messages('override-writes-replicas', overrideOfAll('/spec/replicas', 1, namespace)),
      ).toEqual([expect.stringMatching(/member1 runs 1 of Deployment shop\/web, where \d are placed/)]);
    },
  );

  test('of another namespace, it changes no workload of this one', async () => {
    expect(await messages('override-writes-replicas', overrideOfAll('/spec/replicas', 1, 'other'))).toEqual([
      expect.not.stringContaining('shop/web'),
    ]);
  });

  test('a Work that does not list it is out of date', async () => {
    const objects = patched(
      [...changed({}), overrideOfAll('/metadata/labels/a', 'b', 'shop')],
      { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
      {
        spec: {
          workload: { manifests: [{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } }] },
        },
      },
    );
    const { findings } = await diagnosed(objects, { only: ['override-outdated'] });
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/the Work for member1 lacks the override of OverridePolicy shop\/all/),
    ]);
  });

  test('resources whose kind lacks the field get no Work', async () => {
    expect(await messages('override-does-not-apply', overrideOfAll('/data/a', 'b', 'shop'))).toEqual([
      expect.stringMatching(/is for Deployment shop\/web, too, which has no \/data\/a: no Work is written/),
    ]);
  });
});
