import { expect, test } from '@jest/globals';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { bindingOwnership } from '../../../src/karmada/objects/worksOfBinding.ts';

const spec = { resource: { apiVersion: 'v1', kind: 'ConfigMap', name: 'site' } };
const binding = (metadata: ResourceBinding['metadata']): ResourceBinding => ({
  kind: 'ResourceBinding',
  metadata,
  spec,
});

test('a Work of a ResourceBinding has its permanent id, namespace and name', () => {
  const labels = { 'resourcebinding.karmada.io/permanent-id': 'id-1', team: 'shop' };
  expect(bindingOwnership(binding({ name: 'site-configmap', namespace: 'shop', labels }))).toEqual({
    labels: { 'resourcebinding.karmada.io/permanent-id': 'id-1' },
    annotations: {
      'resourcebinding.karmada.io/namespace': 'shop',
      'resourcebinding.karmada.io/name': 'site-configmap',
    },
  });
});

test('a Work of a ClusterResourceBinding has its permanent id and name under other keys', () => {
  const labels = {
    'clusterresourcebinding.karmada.io/permanent-id': 'id-2',
    'resourcebinding.karmada.io/permanent-id': 'id-1',
  };
  expect(bindingOwnership(binding({ name: 'site-namespace', labels }))).toEqual({
    labels: { 'clusterresourcebinding.karmada.io/permanent-id': 'id-2' },
    annotations: { 'clusterresourcebinding.karmada.io/name': 'site-namespace' },
  });
});

test('a binding without a permanent id sets no label', () => {
  expect(bindingOwnership(binding({ name: 'site-configmap', namespace: 'shop' })).labels).toEqual({});
  expect(bindingOwnership(binding({ name: 'site-namespace', labels: {} })).labels).toEqual({});
});
