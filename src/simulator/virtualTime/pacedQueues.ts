import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { NamedController, PacedQueue } from '../../karmada/controllers/controller.ts';
import { createPacedKeys, type PacedKeys, type SavedPacedKeys } from '../../karmada/queues/pacedKeys.ts';
import type { View } from '../../karmada/controllers/view.ts';
import type { Change } from '../../karmada/controllers/write.ts';

/** The result of reconciling a key that had its turn. */
export interface Turn {
  outcome: 'succeeded' | 'failed';
  /** unused: in a queue with one rate, the next key may have the turn */
  turn: 'used' | 'unused';
}

/** The queues of controllers whose workers pause between two keys. */
export interface PacedQueues {
  /**
   * Adds a key at an instant (epoch milliseconds), or at once if undefined; `since`: when it became due, unless just
   * now.
   */
  add(
    controller: string,
    key: string,
    due: { at?: number | undefined; since?: number | undefined },
    now: number,
  ): void;
  /** Removes a key; returns whether it waited for its turn. */
  drop(controller: string, key: string): boolean;
  /** whether keys keep the order in which they were added */
  isOrdered(controller: string): boolean;
  /** the shortest time in milliseconds until a failed key has another turn; undefined: at once, or never */
  retry(controller: string): number | undefined;
  /** the next instant at which a worker may take a key */
  next(controller: string): number | undefined;
  /** the queues whose pace a change may affect */
  setBy(change: Change): readonly string[];
  /** Lets free workers take keys until none are left. */
  work(controller: string, now: number, reconcile: (key: string) => Turn): void;
  /** Restarts like a new process: nothing waits, and no worker sleeps. */
  clear(controller: string, now: number): void;
  save(): Record<string, SavedPacedKeys>;
}

const NONE: readonly string[] = [];

/** The paced queues of the controllers, restored if they were saved. */
export function createPacedQueues(
  controllers: Iterable<NamedController>,
  configuration: Configuration,
  view: View,
  { now, saved = {} }: { now: number; saved?: Record<string, SavedPacedKeys> | undefined },
): PacedQueues {
  const queues = new Map<string, PacedKeys>();
  const paces = new Map<string, PacedQueue>();
  for (const { name, queue } of controllers) {
    const pace = queue?.(configuration);
    if (!pace) continue;
    queues.set(name, createPacedKeys(pace, view, { now, saved: saved[name] }));
    paces.set(name, pace);
  }
  const rated = [...paces].flatMap(([name, pace]) => ('rateIn' in pace ? [{ name, pace }] : []));
  return {
    add(controller, key, { at, since }, now) {
      const queue = queues.get(controller)!;
      if (at === undefined) queue.add(key, now, since);
      else queue.addAfter(key, at);
    },
    drop: (controller, key) => queues.get(controller)!.drop?.(key) ?? false,
    isOrdered: (controller) => rated.some(({ name }) => name === controller),
    retry(controller) {
      const pace = paces.get(controller)!;
      const rate = 'rateIn' in pace ? pace.rateIn(view) : pace.rate;
      return rate ? 1000 / rate : undefined;
    },
    next: (controller) => queues.get(controller)!.nextWake(),
    setBy(change) {
      if (rated.length === 0) return NONE;
      const concerned = rated.filter(({ pace }) => pace.setBy(change)).map(({ name }) => name);
      for (const name of concerned) queues.get(name)!.paceChanged?.();
      return concerned;
    },
    work(controller, now, reconcile) {
      const queue = queues.get(controller)!;
      for (let key = queue.take(now); key !== undefined; key = queue.take(now)) {
        const { outcome, turn } = reconcile(key);
        queue.done(key, now, outcome, turn);
      }
    },
    clear: (controller, now) =>
      void queues.set(controller, createPacedKeys(paces.get(controller)!, view, { now })),
    save: () => Object.fromEntries([...queues].map(([name, queue]) => [name, queue.save()])),
  };
}
