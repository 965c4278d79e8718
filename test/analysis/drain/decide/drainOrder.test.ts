import { describe, expect, test } from '@jest/globals';
import { drainOrder } from '../../../../src/analysis/drain/decide/drainOrder.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../../../src/karmada/api/work.ts';
import { deployment } from '../../../simulator/simulation/controlPlane.ts';
import { everywhere } from '../aDrain.ts';

function on(name: string, replicas: number, spec: Partial<ResourceBindingSpec> = {}): ResourceBinding {
  return deployment(name, {
    placement: everywhere,
    replicas,
    clusters: [
      { name: 'east-1', replicas },
      { name: 'west-1', replicas: 50 },
    ],
    spec,
  });
}
const asking = (cpu: string, memory = '0') => ({ replicaRequirements: { resourceRequest: { cpu, memory } } });

function orderOf(...bindings: ResourceBinding[]): string[] {
  return bindings.toSorted(drainOrder(new Set(['east-1']))).map(({ spec }) => spec.resource.name);
}

describe('the order of a drain', () => {
  test('starts with the highest schedule priority', () => {
    const urgent = on('urgent', 1, { schedulePriority: { priority: 1000 } });
    const late = on('late', 9, { schedulePriority: { priority: -5 } });
    expect(orderOf(late, on('usual', 9), urgent)).toEqual(['urgent', 'usual', 'late']);
  });

  test('within a priority uses the freed CPU, then memory, then replicas', () => {
    expect(
      orderOf(
        on('small', 2, asking('100m')),
        on('big', 1, asking('2')),
        on('many', 30, asking('100m')),
        on('hungry', 1, asking('2', '8Gi')),
      ),
    ).toEqual(['many', 'hungry', 'big', 'small']);
    const none = { replicaRequirements: {} };
    expect(orderOf(on('one', 1, none), on('three', 3, none))).toEqual(['three', 'one']);
  });

  test('counts the memory of all replicas on the drained clusters', () => {
    const same = (name: string, replicas: number, cpu: string, memory: string) =>
      on(name, replicas, asking(cpu, memory));
    expect(orderOf(same('few', 1, '4', '3Gi'), same('many', 4, '1', '1Gi'))).toEqual(['many', 'few']);
    const onlyMemory = { replicaRequirements: { resourceRequest: { memory: '1Gi' } } };
    const onlyCpu = { replicaRequirements: { resourceRequest: { cpu: '1' } } };
    expect(orderOf(on('memory', 9, onlyMemory), on('cpu', 1, onlyCpu))).toEqual(['cpu', 'memory']);
  });

  test('ignores replicas on other clusters', () => {
    const elsewhere = on('elsewhere', 1);
    const more = {
      ...elsewhere.spec,
      clusters: [
        { name: 'east-1', replicas: 1 },
        { name: 'west-1', replicas: 900 },
      ],
    };
    expect(orderOf({ ...elsewhere, spec: more }, on('here', 2))).toEqual(['here', 'elsewhere']);
  });

  test('is alphabetical if nothing else differs', () => {
    expect(orderOf(on('b', 1), on('c', 1), on('a', 1))).toEqual(['a', 'b', 'c']);
  });

  test('accepts resource requests that cannot be parsed', () => {
    expect(orderOf(on('broken', 1, asking('much')), on('fine', 1, asking('1')))).toEqual(['fine', 'broken']);
  });
});
