import { describe, expect, test } from '@jest/globals';
import {
  clusterKey,
  createDrainPacer,
  isBehind,
  noteEvicted,
  noteWritten,
} from '../../../../src/analysis/drain/decide/drainPacer.ts';
import type { DrainWrite } from '../../../../src/analysis/drain/decide/drainStep.ts';
import { bindingKey } from '../../../../src/karmada/objects/identities.ts';
import type { ResourceBinding } from '../../../../src/karmada/api/work.ts';
import { cluster, deployment, START } from '../../../simulator/simulation/controlPlane.ts';
import { byRoom } from '../aDrain.ts';

const versioned = <T extends { metadata: object }>(object: T, resourceVersion = '7', generation = 3): T => ({
  ...object,
  metadata: { ...object.metadata, uid: 'u', resourceVersion, generation },
});
const web: ResourceBinding = versioned(
  deployment('web', {
    placement: byRoom,
    replicas: 4,
    clusters: [
      { name: 'east-1', replicas: 1 },
      { name: 'west-1', replicas: 3 },
    ],
  }),
);
const east = versioned(cluster('east-1'));
const write = (one: object) => one as DrainWrite;

describe('what a drain remembers of its writes', () => {
  test('of an eviction: when it was, what left, and that the view is behind until another version is seen', () => {
    const pacer = createDrainPacer();
    noteWritten(pacer, write({ type: 'evict', binding: web, clusters: ['east-1'] }), START);
    expect(pacer.lastEvictionAt).toBe(START);
    expect(pacer.evicted.get(bindingKey(web))).toMatchObject({
      from: [{ name: 'east-1', replicas: 1 }],
      evictions: 1,
      certain: true,
      workload: { kind: 'Deployment', name: 'web' },
    });
    expect(isBehind(pacer, bindingKey(web), web.metadata)).toBe(true);
    noteWritten(pacer, write({ type: 'evict', binding: web, clusters: ['east-1'] }), START + 5);
    expect(pacer.evicted.get(bindingKey(web))!.evictions).toBe(2);
    expect(pacer.lastEvictionAt).toBe(START + 5);
  });

  test.each(['release', 'hold-dependent', 'release-dependent'])('of a %s: the version alone', (type) => {
    const pacer = createDrainPacer();
    noteWritten(pacer, write({ type, binding: web }), START);
    expect(pacer.lastEvictionAt).toBeUndefined();
    expect(pacer.evicted.size).toBe(0);
    expect(isBehind(pacer, bindingKey(web), web.metadata)).toBe(true);
  });

  test.each([
    ['cordon', ['east-1'], [], ['east-1']],
    ['taint', [], ['east-1'], []],
  ])('of a %s: the cluster, by what was written', (type, cordoned, tainted, named) => {
    const pacer = createDrainPacer('anna');
    noteWritten(pacer, write({ type, cluster: east }), START);
    expect([pacer.cordoned, pacer.tainted, pacer.named].map((names) => [...names])).toEqual([
      cordoned,
      tainted,
      named,
    ]);
    expect(isBehind(pacer, clusterKey('east-1'), east.metadata)).toBe(true);
    expect(pacer.runner).toBe('anna');
  });

  test('a view is behind only with the very version that was replaced', () => {
    const pacer = createDrainPacer();
    const key = clusterKey('east-1');
    expect(isBehind(pacer, key, east.metadata)).toBe(false);
    noteWritten(pacer, write({ type: 'cordon', cluster: east }), START);
    expect(isBehind(pacer, key, versioned(east, '8').metadata)).toBe(false);
    expect(isBehind(pacer, key, versioned(east, '7', 4).metadata)).toBe(false);
    expect(isBehind(pacer, key, { ...east.metadata, uid: 'another' })).toBe(false);
    expect(isBehind(pacer, clusterKey('west-1'), east.metadata)).toBe(false);
  });
});

test('what a Work alone showed is corrected once by a task, and a task is not by a Work', () => {
  const pacer = createDrainPacer();
  const from = (replicas: number) => [{ name: 'east-1', replicas }];
  noteEvicted(pacer, web, from(1), false);
  noteEvicted(pacer, web, from(2), false);
  expect(pacer.evicted.get(bindingKey(web))).toMatchObject({ from: from(1), certain: false, evictions: 0 });
  noteEvicted(pacer, web, from(3), true);
  noteEvicted(pacer, web, from(4), true);
  noteEvicted(pacer, web, from(5), false);
  expect(pacer.evicted.get(bindingKey(web))).toMatchObject({ from: from(3), certain: true });
});
