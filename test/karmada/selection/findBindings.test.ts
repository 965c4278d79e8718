import { describe, expect, test } from '@jest/globals';
import { findBindings } from '../../../src/karmada/selection/findBindings.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';

const binding = (namespace: string, kind: string, name: string) =>
  ({
    kind: 'ResourceBinding',
    metadata: { namespace, name: `${name}-${kind.toLowerCase()}` },
    spec: { resource: { apiVersion: 'apps/v1', kind, namespace, name } },
  }) as ResourceBinding;
const clusterWide = {
  kind: 'ClusterResourceBinding',
  metadata: { name: 'reader-clusterrole' },
  spec: {
    resource: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'reader' },
  },
} as ResourceBinding;
const bindings = [
  binding('shop', 'Deployment', 'cart'),
  binding('test', 'Deployment', 'cart'),
  binding('shop', 'StatefulSet', 'cart'),
  clusterWide,
];
const found = (kind: string, name: string, namespace?: string) =>
  findBindings(bindings, { kind, name, ...(namespace ? { namespace } : {}) }).map(
    ({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`,
  );

describe('a binding is found', () => {
  test('by its workload, in all namespaces or one', () => {
    expect(found('deploy', 'cart')).toEqual(['shop/cart-deployment', 'test/cart-deployment']);
    expect(found('deployments.apps', 'cart', 'test')).toEqual(['test/cart-deployment']);
  });

  test('by its own name', () => {
    expect(found('rb', 'cart-statefulset')).toEqual(['shop/cart-statefulset']);
    expect(found('clusterresourcebinding', 'reader-clusterrole')).toEqual(['/reader-clusterrole']);
  });

  test('or not, with a kind that it is not', () => {
    expect(found('ds', 'cart')).toEqual([]);
    expect(found('rb', 'reader-clusterrole')).toEqual([]);
  });
});
