import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ConditionStatus, Taint } from '../../../src/karmada/api/meta.ts';
import { conditionTaints } from '../../../src/karmada/detection/conditionTaints.ts';
import { v1_18 } from '../../dialects.ts';

const now = Date.UTC(2026, 2, 14);
const timeAdded = '2026-03-14T00:00:00Z';
const notReady: Taint = { key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' };
const unreachable: Taint = { key: 'cluster.karmada.io/unreachable', effect: 'NoSchedule' };
const manual: Taint = { key: 'maintenance', effect: 'NoExecute' };

const cluster = (status: ConditionStatus | undefined, taints?: Taint[]): Cluster => ({
  metadata: { name: 'm1' },
  spec: taints ? { taints } : {},
  status: { conditions: status ? [{ type: 'Ready', status }] : [{ type: 'Other', status: 'True' }] },
});
const taintsAfter = (status: ConditionStatus | undefined, taints?: Taint[]) =>
  conditionTaints(cluster(status, taints), now, v1_18.rules).taints;

describe('the taints of the Ready condition', () => {
  test('with Ready=False, not-ready replaces unreachable at the end of the list, with its time', () => {
    expect(taintsAfter('False', [unreachable, manual])).toEqual([manual, { ...notReady, timeAdded }]);
  });

  test('with Ready=Unknown, unreachable replaces not-ready', () => {
    expect(taintsAfter('Unknown', [notReady])).toEqual([{ ...unreachable, timeAdded }]);
  });

  test('with Ready=True, both taints are removed', () => {
    expect(taintsAfter('True', [notReady, manual, unreachable])).toEqual([manual]);
  });

  test('without a Ready condition, not-ready is added and unreachable stays', () => {
    expect(taintsAfter(undefined, [unreachable])).toEqual([unreachable, { ...notReady, timeAdded }]);
    expect(taintsAfter(undefined)).toEqual([{ ...notReady, timeAdded }]);
  });

  test('an existing taint keeps its value and time, and a taint with another effect is unchanged', () => {
    const old = { ...notReady, value: 'x', timeAdded: '2020-01-01T00:00:00Z' };
    const noExecute: Taint = { ...unreachable, effect: 'NoExecute' };
    const before = cluster('False', [old, noExecute]);
    const { taints, evidence } = conditionTaints(before, now, v1_18.rules);
    expect(taints).toBe(before.spec?.taints);
    expect(evidence).toEqual([]);
  });

  test('a second reconcile changes nothing', () => {
    for (const status of ['True', 'False', 'Unknown', undefined] as const) {
      const once = cluster(status, taintsAfter(status, [manual, unreachable, notReady]));
      expect(conditionTaints(once, now + 1000, v1_18.rules).taints).toBe(once.spec?.taints);
    }
  });

  test('a cluster that is being deleted gets no taint', () => {
    const deleting = cluster('False');
    deleting.metadata.deletionTimestamp = timeAdded;
    expect(conditionTaints(deleting, now, v1_18.rules).taints).toEqual([]);
  });
});
