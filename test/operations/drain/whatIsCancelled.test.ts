import { describe, expect, test } from '@jest/globals';
import { cordoned, drainTainted, markOfDrain } from '../../../src/analysis/drain/cordon.ts';
import type { DrainOptions } from '../../../src/analysis/drain/drainOptions.ts';
import {
  clustersToRestore,
  heldOn,
  remainingMark,
  cancelledDrain,
} from '../../../src/analysis/drain/back/planCancel.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { GracefulEvictionTask } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { freeTask, on, taintTask } from '../../analysis/drain/decide/placedOn.ts';
import { heldTask } from '../../analysis/drain/aDrain.ts';
import { cluster, drainOptions, START } from './drainScene.ts';

const BEGAN = START + 500;
const byTaint = drainOptions({ method: 'taint', hold: false });

/** The cluster, drained with these options since half a second after START. */
const drained = (name: string, options: DrainOptions): Cluster => {
  const marked = cordoned(cluster(name), markOfDrain(options, new Date(BEGAN).toISOString()));
  return options.method === 'taint' ? drainTainted(marked) : marked;
};
const web = (...gracefulEvictionTasks: GracefulEvictionTask[]) =>
  on('web', 2, { member2: 2 }, { gracefulEvictionTasks });
const byKarmada = (creationTimestamp: string | undefined, fromCluster = 'member1') =>
  web(taintTask(fromCluster, creationTimestamp === undefined ? {} : { creationTimestamp }));

describe('the cancellation of a drain by taint', () => {
  const cancelled = cancelledDrain(['member1'], [drained('member1', byTaint), cluster('member2')]);

  test('restores workloads that Karmada evicted since the start of the drain, in whole seconds', () => {
    expect(clustersToRestore(byKarmada(rfc3339(START)), cancelled)).toEqual(['member1']);
    expect(clustersToRestore(byKarmada(rfc3339(START + 60_000)), cancelled)).toEqual(['member1']);
    // not processed by Karmada yet
    expect(clustersToRestore(byKarmada(undefined), cancelled)).toEqual(['member1']);
  });

  test('ignores earlier evictions, evictions from other clusters and evictions by other controllers', () => {
    expect(clustersToRestore(byKarmada(rfc3339(START - 1000)), cancelled)).toEqual([]);
    expect(clustersToRestore(byKarmada(rfc3339(START + 1000), 'member2'), cancelled)).toEqual([]);
    const failed = taintTask('member1', {
      producer: 'ApplicationFailover',
      creationTimestamp: rfc3339(START),
    });
    expect(clustersToRestore(web(failed), cancelled)).toEqual([]);
  });

  test('ignores evictions by Karmada from a cluster with another NoExecute taint', () => {
    const failed = drained('member1', byTaint);
    const notReady = { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' as const };
    const taints = [...failed.spec!.taints!, notReady];
    const both = cancelledDrain(['member1'], [{ ...failed, spec: { ...failed.spec, taints } }]);
    expect(clustersToRestore(byKarmada(rfc3339(START + 1000)), both)).toEqual([]);
    expect(clustersToRestore(web(heldTask('member1')), both)).toEqual(['member1']);
  });

  test('ignores evictions from clusters that stay drained', () => {
    const other = cancelledDrain(['member2'], [drained('member1', byTaint), cluster('member2')]);
    expect(clustersToRestore(byKarmada(rfc3339(START + 1000)), other)).toEqual([]);
  });
});

test('the cancellation of a drain by eviction restores only workloads with eviction tasks of drains', () => {
  const cancelled = cancelledDrain(['member1'], [drained('member1', drainOptions())]);
  expect(clustersToRestore(byKarmada(rfc3339(START + 1000)), cancelled)).toEqual([]);
  expect(clustersToRestore(web(freeTask('member1')), cancelled)).toEqual(['member1']);
  expect(clustersToRestore(web(heldTask('member2')), cancelled)).toEqual([]);
});

test('the mark of a partly cancelled drain keeps only the remaining clusters', () => {
  const three = drainOptions({ clusters: ['member1', 'member2', 'member3'] });
  const remaining = (one: Cluster, ...names: string[]) => remainingMark(one, new Set(names))?.clusters;
  expect(remaining(drained('member2', three), 'member1')).toEqual(['member2', 'member3']);
  expect(remaining(drained('member1', three), 'member1')).toBeUndefined();
  expect(remaining(drained('member2', three), 'member4')).toBeUndefined();
  expect(remaining(cluster('member2'), 'member1')).toBeUndefined();
});

test('the count of held copies includes only held eviction tasks of drains', () => {
  const bindings = [
    web(heldTask('member1')),
    web(heldTask('member2')),
    web(freeTask('member1')),
    web(taintTask('member1', { suppressDeletion: true })),
  ];
  expect(heldOn('member1', bindings)).toBe(1);
});
