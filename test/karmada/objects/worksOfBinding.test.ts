import { expect, test } from '@jest/globals';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { bindingOwnership } from '../../../src/karmada/objects/worksOfBinding.ts';

const spec = { resource: { apiVersion: 'v1', kind: 'ConfigMap', name: 'site' } };
const binding = (metadata: ResourceBinding['metadata']): ResourceBinding => ({
  kind: 'ResourceBinding',
  metadata,
  spec,
});

test('a Work of a ResourceBinding bears its permanent id, its namespace and its name', () => {
  const labels = { 'resourcebinding.karmada.io/permanent-id': 'id-1', team: 'shop' };
  expect(bindingOwnership(binding({ name: 'site-configmap', namespace: 'shop', labels }))).toEqual({
    labels: { 'resourcebinding.karmada.io/permanent-id': 'id-1' },
    annotations: {
      'resourcebinding.karmada.io/namespace': 'shop',
      'resourcebinding.karmada.io/name': 'site-configmap',
    },
  });
});

test('a Work of a ClusterResourceBinding bears other names for the same, and no namespace', () => {
  const labels = {
    'clusterresourcebinding.karmada.io/permanent-id': 'id-2',
    'resourcebinding.karmada.io/permanent-id': 'id-1',
  };
  expect(bindingOwnership(binding({ name: 'site-namespace', labels }))).toEqual({
    labels: { 'clusterresourcebinding.karmada.io/permanent-id': 'id-2' },
    annotations: { 'clusterresourcebinding.karmada.io/name': 'site-namespace' },
  });
});

test('a binding that has no permanent id yet gives no label', () => {
  expect(bindingOwnership(binding({ name: 'site-configmap', namespace: 'shop' })).labels).toEqual({});
  expect(bindingOwnership(binding({ name: 'site-namespace', labels: {} })).labels).toEqual({});
});
