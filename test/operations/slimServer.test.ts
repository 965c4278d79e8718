import { expect, test } from '@jest/globals';
import { slimBinding } from '../../src/operations/controllers/slimBinding.ts';
import { slimServer } from '../../src/operations/slimServer.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { apiPath, RESOURCE_BINDINGS } from '../../src/state/live/resources.ts';
import { servingObjects } from '../state/live/servingObjects.ts';

const binding = (rest: object) =>
  ({
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: 'web-deployment', namespace: 'shop', resourceVersion: '5', managedFields: [] },
    ...rest,
  }) as unknown as KubernetesObject;
const spec = { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, requiredBy: [] };
const listed = (object: KubernetesObject) =>
  slimServer(servingObjects([object]), (one) => slimBinding(one, false)).list(apiPath(RESOURCE_BINDINGS));

test('a list contains only the kept fields of objects', async () => {
  const { items } = await listed(binding({ spec, status: { conditions: [], aggregatedStatus: [] } }));
  expect(items).toEqual([
    {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: { name: 'web-deployment', namespace: 'shop', resourceVersion: '5' },
      spec: { resource: spec.resource },
      status: { aggregatedStatus: [] },
    },
  ]);
});

test.each([
  ['no spec', {}, /shop\/web-deployment: spec: is missing/],
  ['a number as spec', { spec: 5 }, /shop\/web-deployment: spec: 5 is a number, expected an object/],
  [
    'an object as aggregatedStatus',
    { spec, status: { aggregatedStatus: {} } },
    /aggregatedStatus: is an object, expected a list/,
  ],
])('a listed binding with %s is reported as an error of the server', async (_, rest, message) => {
  await expect(listed(binding(rest))).rejects.toMatchObject({
    exitCode: 4,
    reason: 'BrokenObject',
    message: expect.stringMatching(message) as unknown,
  });
});
