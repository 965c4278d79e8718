import { beforeAll, describe, expect, test } from '@jest/globals';
import type { World } from '../../src/karmada/world.ts';
import {
  bindingNamed,
  bindingsNamed,
  isSelective,
  knownCluster,
  selectedBindings,
} from '../../src/useCases/selection/selection.ts';
import { openState } from '../../src/useCases/state/openState.ts';
import { problemOf, quietPorts } from './quietPorts.ts';

let world: World;
beforeAll(async () => {
  ({ world } = await openState({ source: { files: ['examples/shop'] } }, quietPorts()));
});

describe('a workload name', () => {
  test.each([
    ['deployment/cart', undefined],
    ['deploy.apps/cart', 'shop'],
    ['shop/deployment/cart', undefined],
    ['rb/cart-deployment', 'shop'],
  ])('finds the binding by %s in %s', (target, namespace) => {
    expect(bindingNamed(target, world.bindings, namespace).metadata.name).toBe('cart-deployment');
  });

  test.each([
    ['cart', undefined, { code: 'no-target', same: ['deployment/cart'] }],
    ['deployment/crat', undefined, { code: 'no-binding', names: expect.arrayContaining(['cart']), same: [] }],
    ['statefulset/cart', 'shop', { code: 'no-binding', same: ['deployment/cart'] }],
    ['deployment/cart', 'data', { code: 'no-binding', elsewhere: ['shop'] }],
    ['shop/deployment/cart', 'data', { code: 'two-namespaces', namespace: 'data' }],
  ])('fails for %s in %s, with suggestions', async (target, namespace, data) => {
    expect(await problemOf(() => bindingsNamed(target, world.bindings, namespace))).toMatchObject({
      target,
      ...data,
    });
  });

  test('fails if it exists in several namespaces', async () => {
    const [cart] = bindingsNamed('deployment/cart', world.bindings, undefined);
    const elsewhere = { ...cart!, metadata: { ...cart!.metadata, namespace: 'other' } };
    expect(await problemOf(() => bindingNamed('deployment/cart', [cart!, elsewhere], undefined))).toEqual({
      code: 'many-namespaces',
      target: 'deployment/cart',
      namespaces: ['other', 'shop'],
    });
  });
});

describe('a selection', () => {
  test('without criteria selects all bindings', () => {
    expect(isSelective({})).toBe(false);
    expect(selectedBindings(world, {})).toBe(world.bindings);
  });

  test('by namespace selects its bindings, and refuses a namespace without bindings', async () => {
    const chosen = selectedBindings(world, { namespace: 'data' });
    expect(new Set(chosen.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['data']));
    expect(await problemOf(() => selectedBindings(world, { namespace: 'dat' }))).toEqual({
      code: 'empty-namespace',
      namespace: 'dat',
      known: ['data', 'platform', 'shop'],
    });
  });

  test('by field selects the bindings with that value', () => {
    const fields = [{ field: 'metadata.name', value: 'cart-deployment', equal: true }];
    expect(selectedBindings(world, { fields }).map(({ metadata }) => metadata.name)).toEqual([
      'cart-deployment',
    ]);
  });
});

test('an unknown cluster is refused with its input and the known clusters', async () => {
  expect(knownCluster('fail', 'tokyo', world)).toBe('tokyo');
  expect(await problemOf(() => knownCluster('fail', 'tokio', world))).toEqual({
    code: 'unknown-cluster',
    input: 'fail',
    cluster: 'tokio',
    known: ['frankfurt', 'dublin', 'virginia', 'oregon', 'tokyo'],
  });
});
