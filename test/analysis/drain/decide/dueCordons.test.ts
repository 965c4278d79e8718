import { describe, expect, test } from '@jest/globals';
import {
  cordoned,
  drainMarkOf,
  drainTainted,
  markOfDrain,
  uncordoned,
} from '../../../../src/analysis/drain/cordon.ts';
import type { DrainOptions } from '../../../../src/analysis/drain/drainOptions.ts';
import { CORDON_TAINT, DRAIN_TAINT } from '../../../../src/karmada/taints/manualTaints.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import { failoverOn, START } from '../../../simulator/simulation/controlPlane.ts';
import { cordonedFor, drainer, lookOf, viewOf, writesOf } from '../aDrain.ts';
import { drainOf } from '../drainOf.ts';
import { changed, cordonedEast, east, fleet, on } from './placedOn.ts';

const web = on('web', 4, { 'east-1': 2, 'west-1': 2 });
const both = drainOf(['east-1', 'east-2']);
const byTaint = drainOf(['east-1'], { method: 'taint' });
const begun = '2026-09-01T07:00:00Z';

/** The cluster has been written again. */
const newer = (one: Cluster): Cluster => ({
  ...one,
  metadata: { ...one.metadata, generation: (one.metadata.generation ?? 0) + 1 },
});
const withoutTaint = (one: Cluster): Cluster =>
  newer({
    ...one,
    spec: { ...one.spec, taints: one.spec!.taints!.filter(({ key }) => key !== DRAIN_TAINT.key) },
  });
/** A drain of these clusters, run by Anna. */
function byAnna(clusters: Cluster[], options: DrainOptions = east) {
  return drainer({ clusters, bindings: [] }, options, undefined, 'anna');
}
const markedBy = (by: string | undefined, options: DrainOptions = east, started = begun) =>
  changed(fleet, 'east-1', (one) => cordoned(one, markOfDrain(options, started, by)));

describe('the mark of a drain', () => {
  test('has the name of the user, and is written once', () => {
    const drain = byAnna(fleet);
    const [write] = drain.step().writes;
    const after = write?.kind === 'Cluster' ? write.object : undefined;
    expect(drainMarkOf(after!)).toMatchObject({ by: 'anna', clusters: ['east-1'] });
    expect(drain.step().writes).toEqual([]);
  });

  test('stays the same if the same user runs the drain again', () => {
    expect(byAnna(markedBy('anna')).step().writes).toEqual([]);
  });

  test('gets the name of the user who continues the drain, and keeps its start time', () => {
    for (const before of ['bob', undefined]) {
      const drain = byAnna(markedBy(before));
      expect(writesOf(drain.step())).toEqual(['cordon east-1']);
      expect(drainMarkOf(drain.stage.clusters[0]!)).toMatchObject({ by: 'anna', started: begun });
      expect(drain.step().writes).toEqual([]);
    }
  });

  test('keeps the latest user: two runs of the same drain do not overwrite each other', () => {
    const drain = byAnna(fleet);
    drain.step();
    const bobs = newer(cordoned(drain.stage.clusters[0]!, markOfDrain(east, begun, 'bob')));
    drain.stage = { ...drain.stage, clusters: [bobs, ...fleet.slice(1)] };
    const step = drain.step();
    expect(step.writes).toEqual([]);
    expect(step.stopped).toBeUndefined();
  });

  test('is not rewritten by a run without a user name, even if it has no start time', () => {
    expect(drainer({ clusters: markedBy('bob'), bindings: [] }, east).step().writes).toEqual([]);
    expect(drainer({ clusters: markedBy('bob', east, ''), bindings: [] }, east).step().writes).toEqual([]);
  });

  test('gets a missing start time when a run continues the drain', () => {
    const others = drainOf(['east-1'], { selection: { namespace: 'data' } });
    const drain = drainer({ clusters: markedBy('bob', others, ''), bindings: [] }, east);
    drain.step();
    expect(drainMarkOf(drain.stage.clusters[0]!)).toMatchObject({ started: '2026-09-01T08:00:00Z' });
  });

  test('has no effect without a cordon, and the drain cordons the cluster', () => {
    const bare = changed(cordonedEast, 'east-1', (one) => ({ ...one, spec: { ...one.spec, taints: [] } }));
    const drain = drainer({ clusters: bare, bindings: [] }, east);
    expect(writesOf(drain.step())).toEqual(['cordon east-1']);
    expect(drain.stage.clusters[0]!.spec!.taints).toEqual([CORDON_TAINT]);
  });
});

describe('a cordon that a user removes', () => {
  test('stops a drain that started with the cluster cordoned', () => {
    const drain = drainer({ clusters: cordonedEast, bindings: [] }, east);
    expect(drain.step().stopped).toBeUndefined();
    drain.stage = { ...drain.stage, clusters: changed(cordonedEast, 'east-1', uncordoned) };
    expect(drain.step()).toMatchObject({
      writes: [],
      finished: true,
      stopped: 'a user has uncordoned Cluster east-1',
    });
  });
});

test('a drain of several clusters evicts nothing before all are cordoned', () => {
  for (const first of ['east-1', 'east-2']) {
    const some = changed(fleet, first, (one) => cordoned(one, markOfDrain(both, begun)));
    const drain = drainer({ clusters: some, bindings: [web] }, both);
    expect(writesOf(drain.step())).toEqual([`cordon ${first === 'east-1' ? 'east-2' : 'east-1'}`]);
    expect(writesOf(drain.step())).toEqual(['evict web from east-1']);
  }
});

describe('a drain by taint', () => {
  const stepsOf = (options: DrainOptions, clusters: readonly Cluster[]) =>
    drainer({ clusters, bindings: [] }, options, failoverOn);

  test('stops if a user removes its taint', () => {
    const drain = stepsOf(byTaint, fleet);
    expect(writesOf(drain.step())).toEqual(['cordon east-1']);
    expect(writesOf(drain.step())).toEqual(['taint east-1']);
    expect(drain.step()).toMatchObject({ writes: [], finished: true });
    drain.stage = { ...drain.stage, clusters: changed(drain.stage.clusters, 'east-1', withoutTaint) };
    expect(drain.step()).toMatchObject({
      writes: [],
      stopped: "a user has removed the drain's taint from Cluster east-1",
    });
  });

  test('stops if a user removes the taint of an earlier run', () => {
    const tainted = changed(cordonedFor(byTaint, fleet), 'east-1', drainTainted);
    const drain = stepsOf(byTaint, tainted);
    expect(drain.step()).toMatchObject({ writes: [], finished: true });
    drain.stage = { ...drain.stage, clusters: changed(tainted, 'east-1', withoutTaint) };
    expect(drain.step().stopped).toMatch(/a user has removed the drain's taint/);
  });

  test('retries a taint that the API server has refused, and does not stop', () => {
    const { drain, stage } = stepsOf(byTaint, cordonedFor(byTaint, fleet));
    for (let look = 0; look < 2; look++) {
      const step = lookOf(drain, viewOf(stage));
      expect(writesOf(step)).toEqual(['taint east-1']);
      expect(step.stopped).toBeUndefined();
    }
  });

  test('that continues with its own evictions ignores the removal of the earlier taint', () => {
    const tainted = changed(cordonedEast, 'east-1', drainTainted);
    const drain = drainer({ clusters: tainted, bindings: [] }, east);
    expect(drain.step()).toMatchObject({ writes: [], finished: true });
    drain.stage = { ...drain.stage, clusters: changed(tainted, 'east-1', withoutTaint) };
    const step = drain.step(START + 1000);
    expect(step.stopped).toBeUndefined();
    expect(step.writes).toEqual([]);
  });
});
