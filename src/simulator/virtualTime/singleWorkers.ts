import type { NamedController } from '../../karmada/controllers/controller.ts';
import { latencies } from '../../karmada/latencies.ts';
import { createFifo, type Fifo } from '../../karmada/objects/queues.ts';

/** The workers of controllers that have only one: it takes one key at a time, and the others wait in order. */
export interface SingleWorkers {
  has(controller: string): boolean;
  /**
   * The worker takes the key if it is free; otherwise the key waits behind the others. Returns whether it was taken.
   */
  take(controller: string, key: string, now: number): boolean;
  /** The first of the waiting keys, once the worker is free. */
  next(controller: string, now: number): string | undefined;
  /** Records that the worker has written, so that it is busy for a while. */
  hasWritten(controller: string, now: number, slowness: number): void;
  /** when the worker is free for the waiting keys (epoch milliseconds); undefined if none wait */
  wake(controller: string): number | undefined;
  /** Restarts like a new process: nothing waits, and the worker is free. */
  clear(controller: string): void;
  save(): SavedWorkers;
}

/** By controller: when it becomes free (epoch milliseconds), and the waiting keys. */
type SavedWorkers = Record<string, { until: number; waiting: string[] }>;

interface Worker {
  /** epoch milliseconds */
  until: number;
  queue: Fifo<string>;
  /** the keys in the queue */
  waiting: Set<string>;
}

/** @param saved the result of `save`, to resume from */
export function createSingleWorkers(
  controllers: Iterable<NamedController>,
  saved: SavedWorkers = {},
): SingleWorkers {
  const workers = new Map<string, Worker>();
  for (const { name, ownQueue } of controllers) {
    if (!ownQueue) continue;
    const { until = -Infinity, waiting = [] } = saved[name] ?? {};
    workers.set(name, { until, queue: createFifo(waiting), waiting: new Set(waiting) });
  }
  return {
    has: (controller) => workers.has(controller),
    take(controller, key, now) {
      const { until, queue, waiting } = workers.get(controller)!;
      if (waiting.size === 0 && until <= now) return true;
      if (!waiting.has(key)) queue.push(key);
      waiting.add(key);
      return false;
    },
    next(controller, now) {
      const { until, queue, waiting } = workers.get(controller)!;
      const first = until > now ? undefined : queue.take();
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
    clear: (controller) =>
      void workers.set(controller, { until: -Infinity, queue: createFifo(), waiting: new Set() }),
    save: () =>
      Object.fromEntries(
        [...workers]
          .filter(([, { until }]) => until > -Infinity)
          .map(([name, { until, queue }]) => [name, { until, waiting: queue.all() }]),
      ),
  };
}
