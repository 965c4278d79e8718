import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { PropagationPolicy, ResourceSelector } from '../../../src/karmada/api/policy.ts';
import { matchingPolicy } from '../../../src/karmada/propagation/matchingPolicy.ts';
import { highestPrioritySelector } from '../../../src/karmada/propagation/resourceSelector.ts';

const cart: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'cart', namespace: 'shop', labels: { app: 'cart' } },
};
const any: ResourceSelector = { apiVersion: 'apps/v1', kind: 'Deployment' };
const byLabel = { ...any, labelSelector: { matchLabels: { app: 'cart' } } };
const byName = { ...any, name: 'cart' };

describe('a resource selector', () => {
  test.each([
    ['kind', any],
    ['kind', { ...any, namespace: 'shop' }],
    ['labels', byLabel],
    ['labels', { ...any, labelSelector: {} }],
    ['name', byName],
    ['name', { ...byName, labelSelector: { matchLabels: { app: 'other' } } }],
  ])('selects by %s: %j', (closeness, selector) => {
    expect(highestPrioritySelector(cart, [selector])?.priority).toBe(closeness);
  });

  test.each([
    { ...any, apiVersion: 'apps/v2' },
    { ...any, kind: 'StatefulSet' },
    { ...any, namespace: 'bank' },
    { ...byName, name: 'pay' },
    { ...any, labelSelector: { matchLabels: { app: 'pay' } } },
    { ...any, labelSelector: { matchExpressions: [{ key: 'app', operator: 'Resembles' }] } },
  ])('rejects a resource that does not match: %j', (selector) => {
    expect(highestPrioritySelector(cart, [selector])).toBeUndefined();
  });

  test('has priority over less specific selectors', () => {
    expect(highestPrioritySelector(cart, [any, byName, byLabel])).toEqual({ index: 1, priority: 'name' });
  });
});

describe('the policy of a resource', () => {
  const policy = (name: string, selector = any, priority?: number, namespace: string | null = 'shop') =>
    ({
      kind: namespace ? 'PropagationPolicy' : 'ClusterPropagationPolicy',
      metadata: { name, ...(namespace && { namespace }) },
      spec: { resourceSelectors: [selector], ...(priority !== undefined && { priority }) },
    }) as PropagationPolicy;
  const chosen = (...policies: PropagationPolicy[]) => matchingPolicy(cart, policies)?.policy.metadata.name;

  test('has the highest priority, by default 0', () => {
    expect(chosen(policy('a', byName, 1), policy('b', any, 2))).toBe('b');
    expect(chosen(policy('a', any, -1), policy('b', any))).toBe('b');
  });

  test('has the closest selector among policies of equal priority', () => {
    expect(chosen(policy('a', any), policy('b', byLabel), policy('c', byName))).toBe('c');
  });

  test('has the first name among policies that are otherwise equal', () => {
    expect(chosen(policy('b'), policy('a'), policy('c'))).toBe('a');
  });

  test('is a PropagationPolicy of its namespace before any ClusterPropagationPolicy', () => {
    expect(chosen(policy('a', byName, 9, null), policy('b', any, 0))).toBe('b');
    expect(chosen(policy('a', any, 0, null), policy('b', any, 0, 'bank'))).toBe('a');
  });

  test('is never a policy that is being deleted', () => {
    const deleting = policy('a');
    deleting.metadata.deletionTimestamp = '2024-01-01T00:00:00Z';
    expect(chosen(deleting)).toBeUndefined();
  });

  test('has evidence for its selector and against the other policy', () => {
    const match = matchingPolicy(cart, [policy('a', byLabel), policy('b', byName)]);
    expect(match?.evidence.map(({ rule }) => rule)).toEqual([
      'the policy selects the resource by name',
      'selects by name, PropagationPolicy a only by labels',
    ]);
  });
});
