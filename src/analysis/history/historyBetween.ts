import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { Changed } from '../../karmada/controllers/write.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { bindingIdentity, identityOf, objectKey } from '../../karmada/objects/identities.ts';
import type { World } from '../../karmada/world.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { appendAll } from '../../kubernetes/longLists.ts';
import { changeEvents } from '../../simulator/simulation/timeline/timelineOf.ts';
import { type History, type HistoryEvent, type HistoryGap, historySince } from './history.ts';
import { reconstructedHistory } from './reconstructedHistory.ts';
import { writerOfChange } from './observedHistory.ts';
import { observedWorld } from './observedWorld.ts';

/** A control plane at an instant, epoch milliseconds. */
export interface StateAt {
  world: World;
  now: number;
}

/**
 * The history between two states of one control plane: the records of that time in the later state, and other
 * differences, whose time is unknown (`since`).
 */
export function historyBetween(earlier: StateAt, later: StateAt, configuration: Configuration): History {
  const recorded = historySince(reconstructedHistory(later.world, later.now, configuration), earlier.now);
  const { changes, doubts } = differences(earlier.world, later.world);
  const world = observedWorld(earlier.world);
  const differing = changes.flatMap((seen): HistoryEvent[] => {
    const change = world.take({ ...seen, at: later.now });
    if (!change) return [];
    const controller = writerOfChange(change, configuration.rules);
    return changeEvents(change, controller, world).map(({ evidence: _, ...event }) => ({
      time: later.now,
      since: earlier.now,
      controller,
      ...event,
    }));
  });
  const unrecorded = differing.filter((event) => !isRecorded(event, recorded.events));
  return {
    ...recorded,
    start: earlier.now,
    twoStates: true,
    events: [...recorded.events, ...unrecorded],
    doubts: [
      { text: 'Only the two states are known: changes that began and ended between them are not.' },
      ...doubts,
    ],
  };
}

/** Whether the later state records the time of a difference: for each cluster, if it concerns several. */
function isRecorded({ cluster = '', ...difference }: HistoryEvent, events: readonly HistoryEvent[]): boolean {
  return cluster
    .split(',')
    .every((one) =>
      events.some(
        (event) =>
          event.type === difference.type &&
          objectKey(event.object) === objectKey(difference.object) &&
          (event.cluster ?? '') === one &&
          deepEqual(event.taint, difference.taint) &&
          (!event.clusters || !difference.clusters || deepEqual(event.clusters, difference.clusters)),
      ),
    );
}

type Difference = Changed<KubernetesObject>;

/** The differences, causes first; lists missing from one of the states were not captured, and are ignored. */
function differences(earlier: World, later: World): { changes: Difference[]; doubts: HistoryGap[] } {
  const changes: Difference[] = [];
  const doubts: HistoryGap[] = [];
  const compare = (name: string, had: readonly KubernetesObject[], has: readonly KubernetesObject[]) => {
    const lacking = had.length === 0 ? 'earlier' : 'later';
    if ((had.length === 0) === (has.length === 0)) appendAll(changes, differing(had, has));
    else doubts.push({ text: `The ${lacking} state has no ${name}: they are not compared.` });
  };
  compare('Clusters', named('Cluster', earlier.clusters), named('Cluster', later.clusters));
  compare('bindings', earlier.bindings.flatMap(namedBinding), later.bindings.flatMap(namedBinding));
  compare('Works', named('Work', earlier.works), named('Work', later.works));
  return { changes, doubts };
}

/** Objects with their kind, which lists omit. */
function named(kind: string, objects: readonly Partial<KubernetesObject>[]): KubernetesObject[] {
  return objects.flatMap(({ metadata, ...one }) =>
    metadata ? [{ apiVersion: '', ...one, kind, metadata }] : [],
  );
}

function namedBinding(binding: ResourceBinding): KubernetesObject[] {
  return named(bindingIdentity(binding).kind, [binding]);
}

function differing(had: readonly KubernetesObject[], has: readonly KubernetesObject[]): Difference[] {
  const key = (one: KubernetesObject) => objectKey(identityOf(one));
  const before = new Map(had.map((one) => [key(one), one]));
  const present = new Set(has.map(key));
  const gone = had.filter((one) => !present.has(key(one))).map((one) => ({ before: one }));
  const others = has.flatMap((one): Difference[] => {
    const old = before.get(key(one));
    if (!old) return [{ after: one }];
    return deepEqual(old, one) ? [] : [{ before: old, after: sharing(old, one) }];
  });
  return [...gone, ...others];
}

/** An object that shares equal parts with an earlier one, so that readers find differences by identity. */
function sharing(before: KubernetesObject, after: KubernetesObject): KubernetesObject {
  const known = new Map<string, unknown>(Object.entries(before));
  const equal = Object.entries(after).flatMap(([name, value]) =>
    deepEqual(known.get(name), value) ? [[name, known.get(name)] as const] : [],
  );
  return { ...after, ...Object.fromEntries(equal) };
}
