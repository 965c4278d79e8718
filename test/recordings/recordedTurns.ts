import { parseTaintedPairKey } from '../../src/karmada/taints/taintedPair.ts';
import type { Ordering } from '../../src/simulator/virtualTime/ordering.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import type { Recording } from './recording.ts';
import { keyOf } from './replay.ts';

/** A turn in the taint manager's paced queue that ended with an eviction. */
export interface RecordedTurn {
  /** epoch milliseconds */
  time: number;
  /** "namespace/name" */
  binding: string;
  cluster: string;
}

/** The turns in a recording, in chronological order. */
export function recordedTurns({ before, changes }: Recording): RecordedTurn[] {
  const known = new Map(before.map((object) => [keyOf(object.metadata), evictedForTaints(object)]));
  return changes.flatMap(({ time, resource, object }) => {
    if (!/^(cluster)?resourcebindings$/.test(resource)) return [];
    const binding = keyOf(object.metadata);
    const [was, is] = [known.get(binding) ?? [], evictedForTaints(object)];
    known.set(binding, is);
    return is.filter((cluster) => !was.includes(cluster)).map((cluster) => ({ time, binding, cluster }));
  });
}

function evictedForTaints(object: KubernetesObject): string[] {
  const { gracefulEvictionTasks = [] } = (object as Partial<ResourceBinding>).spec ?? {};
  return gracefulEvictionTasks
    .filter(({ producer }) => producer === 'TaintManager')
    .map(({ fromCluster }) => fromCluster);
}

/** The order in which bindings entered the paced queue, which Karmada fills from a hash table, derived from their turns. */
export function inRecordedTurns(ordering: Ordering, turns: readonly RecordedTurn[]): Ordering {
  const placeOf = (key: string) => {
    const pair = parseTaintedPairKey(key);
    const place = turns.findIndex(
      ({ binding, cluster }) => cluster === pair.cluster && binding === pair.binding,
    );
    return place === -1 ? Infinity : place;
  };
  return {
    ...ordering,
    arrange: (keys) =>
      ordering
        .arrange(keys)
        .map((one) => ({ one, place: placeOf(one.key) }))
        .sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
        .map(({ one }) => one),
  };
}
