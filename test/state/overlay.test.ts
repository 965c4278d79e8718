import { describe, expect, test } from '@jest/globals';
import type { World } from '../../src/engine/world.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { overlay } from '../../src/state/overlay.ts';
import { object } from './temporaryFiles.ts';

const policy = (name: string, priority: number) =>
  object('PropagationPolicy', name, { spec: { priority } }) as unknown as KubernetesObject;
const world = {
  clusters: [],
  bindings: [],
  works: [],
  policies: [policy('a', 1), policy('b', 2)],
  taintPolicies: [],
  others: [],
} as unknown as World;

describe('manifests laid over a world', () => {
  test('replace the object they name in its place, and add others behind', () => {
    const result = overlay(world, [policy('c', 3), policy('a', 9), object('ConfigMap', 'a') as never]);
    expect(result.policies).toEqual([policy('a', 9), policy('b', 2), policy('c', 3)]);
    expect(result.others).toHaveLength(1);
  });

  test('leave the world and themselves as they are, and share what does not change', () => {
    const before = structuredClone(world);
    const manifest = policy('a', 9);
    const result = overlay(world, [manifest]);
    expect(world).toEqual(before);
    expect(result.policies[0]).not.toBe(manifest);
    expect(result.policies[1]).toBe(world.policies[1]);
    expect(result.bindings).toBe(world.bindings);
  });

  test('are refused where their shape is wrong, or where two name one object', () => {
    const wrong = object('PropagationPolicy', 'a', {
      spec: { priority: 'high' },
    }) as unknown as KubernetesObject;
    expect(() => overlay(world, [wrong], 'change.yaml')).toThrow(
      'change.yaml: PropagationPolicy shop/a: spec.priority: "high" is a string, expected an integer',
    );
    expect(() => overlay(world, [policy('a', 1), policy('a', 2)], 'change.yaml')).toThrow(
      'change.yaml: PropagationPolicy shop/a is there twice; give it once',
    );
  });
});
