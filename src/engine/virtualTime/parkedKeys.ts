import type { ResourceBinding } from '../../karmada/api/work.ts';
import { APPLIED_PLACEMENT_ANNOTATION } from '../../karmada/names.ts';
import type { Interest } from '../controllers/controller.ts';
import type { ParkedKey } from '../controllers/savedQueues.ts';
import type { Change } from '../controllers/write.ts';
import { nextRetry } from '../controllers/retryBackoff.ts';

/** The keys that wait for a change, instead of being looked at again and again. */
export interface ParkedKeys {
  park(parked: ParkedKey): void;
  /** The key is looked at anyway; gives what it waited for, if it was parked. */
  leave(controller: string, key: string): ParkedKey | undefined;
  /** Those for which a change may matter; they are parked no longer. */
  concernedBy(change: Change): ParkedKey[];
  all(): ParkedKey[];
}

export function createParkedKeys(): ParkedKeys {
  const parkedKeys = new Map<string, ParkedKey>();
  const byInterest = new Map<string, Set<string>>();
  const idOf = (controller: string, key: string) => `${controller} ${key}`;

  function leave(id: string): ParkedKey | undefined {
    const parked = parkedKeys.get(id);
    if (!parked) return undefined;
    parkedKeys.delete(id);
    for (const interest of parked.interests) byInterest.get(interestKey(interest))?.delete(id);
    return parked;
  }

  return {
    park(parked) {
      const id = idOf(parked.controller, parked.key);
      leave(id);
      parkedKeys.set(id, parked);
      for (const interest of parked.interests) {
        const key = interestKey(interest);
        const waiting = byInterest.get(key);
        if (waiting) waiting.add(id);
        else byInterest.set(key, new Set([id]));
      }
    },
    leave: (controller, key) => leave(idOf(controller, key)),
    concernedBy(change) {
      if (parkedKeys.size === 0) return [];
      const found = new Map<string, ParkedKey>();
      for (const key of interestsIn(change))
        for (const id of byInterest.get(key) ?? []) found.set(id, parkedKeys.get(id)!);
      for (const id of found.keys()) leave(id);
      return [...found.values()];
    },
    all: () => [...parkedKeys.values()],
  };
}

/** The first of the instants that were left out which is not over yet (epoch milliseconds). */
export function nextBeat({ since, beat }: ParkedKey, now: number): number {
  if ('backOff' in beat) return nextRetry(since, now, beat.backOff);
  return since + Math.max(1, Math.ceil((now - since) / beat.every)) * beat.every;
}

/**
 * The instant of the next look that was asked for periodically, if that has not come yet: a look in between cannot call it off.
 */
export function lastBeat(parked: ParkedKey, now: number): number | undefined {
  if ('backOff' in parked.beat) return undefined;
  const last = parked.last ?? nextBeat(parked, now);
  return last > now ? last : undefined;
}

function interestKey(interest: Interest): string {
  if ('key' in interest) return `${interest.kind} ${interest.key}`;
  if ('off' in interest) return `off ${interest.off}`;
  return 'on' in interest ? `on ${interest.on}` : interest.kind;
}

function interestsIn(change: Change): string[] {
  const keys = [change.kind, `${change.kind} ${change.key}`];
  if (change.kind === 'Binding') {
    const { before, after } = change;
    const was = new Set(before?.spec.clusters?.map(({ name }) => name));
    const is = new Set(after?.spec.clusters?.map(({ name }) => name));
    for (const name of was) if (!is.has(name)) keys.push(`off ${name}`);
    const sameTolerations = before && after && placementOf(before) === placementOf(after);
    for (const name of is) if (!was.has(name) || !sameTolerations) keys.push(`on ${name}`);
  }
  return keys;
}

function placementOf({ metadata: { annotations } }: ResourceBinding): string | undefined {
  return annotations?.[APPLIED_PLACEMENT_ANNOTATION];
}
