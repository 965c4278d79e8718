import { expect, test } from '@jest/globals';
import { selectBindings, type BindingSelection } from '../../../src/karmada/selection/selectBindings.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';

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

test('labels are those of the template, where there is one', () => {
  expect(selected(labelled('cart'))).toEqual(['shop/cart-deployment']);
  expect(selected(labelled('of-the-binding'))).toEqual([]);
});

test('labels are those of the binding, where there is no template', () => {
  expect(selected(labelled('search'))).toEqual(['shop/search-deployment']);
});

test('all parts must hold', () => {
  const fields = [{ field: 'metadata.name', equal: true, value: 'cart-deployment' }];
  expect(selected({})).toHaveLength(3);
  expect(selected({ fields })).toEqual(['shop/cart-deployment', 'data/cart-deployment']);
  expect(selected({ fields, namespace: 'data' })).toEqual(['data/cart-deployment']);
  expect(selected({ fields, namespace: 'data', ...labelled('cart') })).toEqual([]);
});

test('a selector that Kubernetes would refuse selects nothing', () => {
  expect(selected({ labelSelector: { matchLabels: { 'a b': 'c' } } })).toEqual([]);
});
