import { describe, expect, test } from '@jest/globals';
import {
  cordoned,
  drainMarkOf,
  drainTainted,
  hasDrainTaint,
  isCordoned,
  uncordoned,
} from '../../../src/analysis/drain/cordon.ts';
import { createMergePatch } from '../../../src/kubernetes/mergePatch.ts';
import { cluster } from '../../simulator/simulation/controlPlane.ts';

const mark = {
  started: '2026-09-01T08:00:00Z',
  clusters: ['east-1', 'east-2'],
  selection: { namespace: 'shop' },
  hold: true,
};
const other = { key: 'maintenance', effect: 'NoSchedule' as const };

describe('a cordon', () => {
  test('appends the taint of karmadactl cordon to the existing taints', () => {
    const before = cluster('east-1', [other]);
    expect(cordoned(before).spec?.taints).toEqual([
      other,
      { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' },
    ]);
    expect(isCordoned(before)).toBe(false);
    expect(isCordoned(cordoned(before))).toBe(true);
  });

  test('is written together with the mark of the drain', () => {
    const after = cordoned(cluster('east-1'), mark);
    expect(createMergePatch(cluster('east-1'), after)).toEqual({
      metadata: { annotations: { 'karmada-failover/drain': JSON.stringify(mark) } },
      spec: { taints: [{ key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' }] },
    });
    expect(drainMarkOf(after)).toEqual(mark);
  });

  test('changes nothing if the cluster is already cordoned', () => {
    const there = cordoned(cluster('east-1'), mark);
    expect(cordoned(there, mark)).toBe(there);
    expect(cordoned(there)).toBe(there);
  });

  test('is removed together with the mark and the NoExecute taint of the drain; other taints stay', () => {
    const before = cluster('east-1', [other]);
    const annotated = { ...before, metadata: { ...before.metadata, annotations: { owner: 'ops' } } };
    const drained = drainTainted(cordoned(annotated, mark));
    expect(hasDrainTaint(drained)).toBe(true);
    expect(uncordoned(drained)).toEqual(annotated);
    expect(uncordoned(annotated)).toBe(annotated);
  });

  test.each(['', 'null', '[]', '{"clusters":"east-1"}', '{broken'])(
    'has no drain mark if the annotation is %j',
    (text) => {
      const one = cluster('east-1');
      const annotated = {
        ...one,
        metadata: { ...one.metadata, annotations: { 'karmada-failover/drain': text } },
      };
      expect(drainMarkOf(annotated)).toBeUndefined();
    },
  );

  test('belongs to a drain of all workloads with holds if its mark has no details', () => {
    const one = cluster('east-1');
    const annotations = { 'karmada-failover/drain': '{"clusters":["east-1"]}' };
    expect(drainMarkOf({ ...one, metadata: { ...one.metadata, annotations } })).toEqual({
      started: '',
      clusters: ['east-1'],
      selection: {},
      hold: true,
    });
  });
});
