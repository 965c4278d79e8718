import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import {
  type BindingSelection,
  findBindings,
  selectBindings,
} from '../../../src/karmada/selection/selectBindings.ts';

const workload = (name: string, namespace: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace,
  name,
});
const binding = (name: string, namespace: string, labels: Record<string, string>): ResourceBinding => ({
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: { name: `${name}-deployment`, namespace, labels },
  spec: { resource: workload(name, namespace) },
});
const template = (name: string, namespace: string, labels: Record<string, string>): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels },
});

const bindings = [
  binding('cart', 'shop', { app: 'of-the-binding' }),
  binding('search', 'shop', { app: 'search' }),
  binding('cart', 'data', {}),
];
const others = [
  template('cart', 'shop', { app: 'cart' }),
  // not the template of any binding: other kinds and namespaces do not count
  { ...template('search', 'shop', { app: 'cart' }), kind: 'Service' },
  template('search', 'data', { app: 'cart' }),
];

const selected = (selection: BindingSelection) =>
  selectBindings({ bindings, others }, selection).map(
    ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
  );
const labelled = (value: string) => ({ labelSelector: { matchLabels: { app: value } } });

test('a label selector matches the labels of the template', () => {
  expect(selected(labelled('cart'))).toEqual(['shop/cart-deployment']);
  expect(selected(labelled('of-the-binding'))).toEqual([]);
});

test('a label selector matches the labels of the binding if its template is missing', () => {
  expect(selected(labelled('search'))).toEqual(['shop/search-deployment']);
});

test('a selection contains only bindings that match all its parts', () => {
  const fields = [{ field: 'metadata.name', equal: true, value: 'cart-deployment' }];
  expect(selected({})).toHaveLength(3);
  expect(selected({ fields })).toEqual(['shop/cart-deployment', 'data/cart-deployment']);
  expect(selected({ fields, namespace: 'data' })).toEqual(['data/cart-deployment']);
  expect(selected({ fields, namespace: 'data', ...labelled('cart') })).toEqual([]);
});

test('an invalid label selector selects nothing', () => {
  expect(selected({ labelSelector: { matchLabels: { 'a b': 'c' } } })).toEqual([]);
});

const bindingFor = (namespace: string, kind: string, name: string) =>
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
const all = [
  bindingFor('shop', 'Deployment', 'cart'),
  bindingFor('test', 'Deployment', 'cart'),
  bindingFor('shop', 'StatefulSet', 'cart'),
  clusterWide,
];
const found = (kind: string, name: string, namespace?: string) =>
  findBindings(all, { kind, name, ...(namespace ? { namespace } : {}) }).map(
    ({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`,
  );

describe('the search for a binding', () => {
  test('finds it by its workload, in one namespace or all namespaces', () => {
    expect(found('deploy', 'cart')).toEqual(['shop/cart-deployment', 'test/cart-deployment']);
    expect(found('deployments.apps', 'cart', 'test')).toEqual(['test/cart-deployment']);
  });

  test('finds it by its own name', () => {
    expect(found('rb', 'cart-statefulset')).toEqual(['shop/cart-statefulset']);
    expect(found('clusterresourcebinding', 'reader-clusterrole')).toEqual(['/reader-clusterrole']);
  });

  test('finds nothing for another kind', () => {
    expect(found('ds', 'cart')).toEqual([]);
    expect(found('rb', 'reader-clusterrole')).toEqual([]);
  });
});
