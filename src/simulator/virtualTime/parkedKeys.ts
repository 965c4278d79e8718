import type { ResourceBinding } from '../../karmada/api/work.ts';
import { APPLIED_PLACEMENT_ANNOTATION } from '../../karmada/api/names.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { Interest } from '../../karmada/controllers/controller.ts';
import type { ParkedKey } from '../../karmada/queues/savedQueues.ts';
import type { Change, ChangeOf } from '../../karmada/controllers/write.ts';
import { nextRetry } from '../../karmada/queues/retryBackoff.ts';
import { appliedPlacement } from '../../karmada/objects/appliedPlacement.ts';

/** Keys that wait for a change instead of being reconciled repeatedly. */
export interface ParkedKeys {
  park(parked: ParkedKey): void;
  /** Removes a key that is reconciled anyway; returns its parked entry, if any. */
  leave(controller: string, key: string): ParkedKey | undefined;
  /** Removes and returns the keys that a change may concern. */
  concernedBy(change: Change): ParkedKey[];
  all(): ParkedKey[];
}

/** No key is parked yet. */
export function createParkedKeys(): ParkedKeys {
  const parkedKeys = new Set<ParkedKey>();
  const byController = new Map<string, Map<string, ParkedKey>>();
  const waiting = createWaiting();

  function leave(controller: string, key: string): ParkedKey | undefined {
    const parked = byController.get(controller)?.get(key);
    if (!parked) return undefined;
    byController.get(controller)!.delete(key);
    parkedKeys.delete(parked);
    for (const interest of parked.interests) {
      const [group, name] = waiting.group(interest);
      const own = group.get(name);
      if (own?.delete(parked) && own.size === 0) group.delete(name);
    }
    return parked;
  }

  return {
    park(parked) {
      const { controller, key, interests } = parked;
      leave(controller, key);
      parkedKeys.add(parked);
      const own = byController.get(controller);
      if (own) own.set(key, parked);
      else byController.set(controller, new Map([[key, parked]]));
      for (const interest of interests) {
        const [group, name] = waiting.group(interest);
        const others = group.get(name);
        if (others) others.add(parked);
        else group.set(name, new Set([parked]));
      }
    },
    leave,
    concernedBy(change) {
      if (parkedKeys.size === 0) return [];
      const found = waiting.for(change);
      for (const { controller, key } of found) leave(controller, key);
      return found;
    },
    all: () => [...parkedKeys],
  };
}

type Group = Map<string, Set<ParkedKey>>;

/** The waiting keys, grouped by the kind of their interest, then by its name. */
function createWaiting() {
  const kinds: Group = new Map();
  const keys = new Map<string, Group>();
  const on: Group = new Map();
  const off: Group = new Map();

  function group(interest: Interest): [Group, string] {
    if ('off' in interest) return [off, interest.off];
    if ('on' in interest) return [on, interest.on];
    const { kind } = interest;
    if (!('key' in interest)) return [kinds, kind];
    let own = keys.get(kind);
    if (!own) keys.set(kind, (own = new Map()));
    return [own, interest.key];
  }

  /** The keys that wait for a cluster that the binding leaves, then those for a cluster that it gains. */
  function moves({ before, after }: ChangeOf<'Binding'>): Set<ParkedKey>[] {
    if (on.size === 0 && off.size === 0) return [];
    const sameText = before && after && placementText(before) === placementText(after);
    if (sameText && before.spec.clusters === after.spec.clusters) return [];
    const found: Set<ParkedKey>[] = [];
    for (const { name } of before?.spec.clusters ?? []) {
      const waiting = off.get(name);
      if (waiting && !isOn(after, name)) found.push(waiting);
    }
    for (const { name } of after?.spec.clusters ?? []) {
      const waiting = on.get(name);
      const stays = waiting && isOn(before, name);
      if (stays && (sameText || deepEqual(tolerationsOf(before!), tolerationsOf(after!)))) continue;
      if (waiting) found.push(waiting);
    }
    return found;
  }

  return {
    group,
    /** The keys that a change may concern. */
    for(change: Change): ParkedKey[] {
      const some = kinds.get(change.kind);
      const one = keys.get(change.kind)?.get(change.key);
      const moving = change.kind === 'Binding' ? moves(change) : [];
      // Most changes concern no parked key.
      if (!some && !one && moving.length === 0) return [];
      return [...new Set([some, one, ...moving].flatMap((group) => [...(group ?? [])]))];
    },
  };
}

/** The first skipped instant that is not in the past (epoch milliseconds). */
export function nextPeriodic({ since, beat }: ParkedKey, now: number): number {
  if ('backOff' in beat) return nextRetry(since, now, beat.backOff);
  return since + Math.max(1, Math.ceil((now - since) / beat.every)) * beat.every;
}

/** The next periodic reconcile that was requested, if still due: an earlier reconcile does not cancel it. */
export function requestedPeriodic(parked: ParkedKey, now: number): number | undefined {
  if ('backOff' in parked.beat) return undefined;
  const last = parked.last ?? nextPeriodic(parked, now);
  return last > now ? last : undefined;
}

function isOn(binding: ResourceBinding | undefined, cluster: string): boolean {
  return binding?.spec.clusters?.some(({ name }) => name === cluster) ?? false;
}

function placementText({ metadata: { annotations } }: ResourceBinding): string | undefined {
  return annotations?.[APPLIED_PLACEMENT_ANNOTATION];
}

/** The taint manager's tolerations from the applied placement, or the error that hides them. */
function tolerationsOf({ metadata }: ResourceBinding): unknown {
  const applied = appliedPlacement(metadata);
  if ('error' in applied || !applied.placement) return applied;
  return applied.placement.clusterTolerations ?? [];
}
