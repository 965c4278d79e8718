import type { Controller } from '../controllers/controller.ts';
import { latencies } from '../latencies.ts';

/** Workers that do one key at a time, and those after it meanwhile wait in order: of each controller that has only one. */
export interface SingleWorkers {
  has(controller: string): boolean;
  /** The worker takes the key, or if it is at another one puts it behind those that wait; gives whether it has taken it. */
  take(controller: string, key: string, now: number): boolean;
  /** The first of the keys that wait, once the worker is free. */
  next(controller: string, now: number): string | undefined;
  /** The worker has written something, which keeps it from other keys for a while. */
  hasWritten(controller: string, now: number, slowness: number): void;
  /** when the worker is free again for those that wait (epoch milliseconds); undefined if nobody waits */
  wake(controller: string): number | undefined;
  save(): SavedWorkers;
}

/** By controller: until when it is at a key (epoch milliseconds), and which wait. */
export type SavedWorkers = Record<string, { until: number; waiting: string[] }>;

/** @param saved what `save` gave, to go on from there */
export function createSingleWorkers(
  controllers: Iterable<Controller>,
  saved: SavedWorkers = {},
): SingleWorkers {
  const workers = new Map(
    Array.from(controllers)
      .filter(({ ownQueue }) => ownQueue)
      .map(({ name }) => [
        name as string,
        { until: saved[name]?.until ?? -Infinity, waiting: new Set(saved[name]?.waiting) },
      ]),
  );
  return {
    has: (controller) => workers.has(controller),
    take(controller, key, now) {
      const { until, waiting } = workers.get(controller)!;
      if (waiting.size === 0 && until <= now) return true;
      waiting.add(key);
      return false;
    },
    next(controller, now) {
      const { until, waiting } = workers.get(controller)!;
      if (until > now) return undefined;
      const [first] = waiting;
      if (first !== undefined) waiting.delete(first);
      return first;
    },
    hasWritten(controller, now, slowness) {
      const worker = workers.get(controller);
      if (worker) worker.until = now + latencies.singleWorker * slowness;
    },
    wake(controller) {
      const { until, waiting } = workers.get(controller)!;
      return waiting.size > 0 ? until : undefined;
    },
    save: () =>
      Object.fromEntries(
        [...workers]
          .filter(([, { until }]) => until > -Infinity)
          .map(([name, { until, waiting }]) => [name, { until, waiting: [...waiting] }]),
      ),
  };
}
