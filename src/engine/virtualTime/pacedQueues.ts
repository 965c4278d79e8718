import type { Configuration } from '../../karmada/configuration.ts';
import type { Controller } from '../controllers/controller.ts';
import {
  createEvictionQueue,
  type EvictionQueue,
  type EvictionQueueOptions,
  type SavedEvictionQueue,
} from '../taints/evictionQueue.ts';

/** The queues of controllers whose workers sleep between two keys. */
export interface PacedQueues {
  /** @param at epoch milliseconds; undefined: it is due at once */
  add(controller: string, key: string, at: number | undefined, now: number): void;
  /** milliseconds after which a key that has failed has another turn at the earliest; undefined: at once, or never */
  retry(controller: string): number | undefined;
  /** the next instant at which a worker may have a key */
  next(controller: string): number | undefined;
  /** Lets free workers take keys until there are none. */
  work(controller: string, now: number, look: (key: string) => 'succeeded' | 'failed'): void;
  /** For a new process: nothing waits, and no worker sleeps. */
  clear(controller: string): void;
  save(): Record<string, SavedEvictionQueue>;
}

/** The paced queues among those of the controllers, as they were saved if they were. */
export function createPacedQueues(
  controllers: Iterable<Controller>,
  configuration: Configuration,
  saved: Record<string, SavedEvictionQueue> = {},
): PacedQueues {
  const queues = new Map<string, EvictionQueue>();
  const optionsOf = new Map<string, EvictionQueueOptions>();
  for (const { name, queue } of controllers) {
    const options = queue?.(configuration);
    if (!options) continue;
    queues.set(name, createEvictionQueue(options, saved[name]));
    optionsOf.set(name, options);
  }
  return {
    add(controller, key, at, now) {
      const queue = queues.get(controller)!;
      if (at === undefined) queue.add(key, now);
      else queue.addAfter(key, at);
    },
    retry(controller) {
      const rate = optionsOf.get(controller)?.rate;
      return rate ? 1000 / rate : undefined;
    },
    next: (controller) => queues.get(controller)!.nextWake(),
    work(controller, now, look) {
      const queue = queues.get(controller)!;
      for (let key = queue.take(now); key !== undefined; key = queue.take(now))
        queue.done(key, now, look(key));
    },
    clear: (controller) => void queues.set(controller, createEvictionQueue(optionsOf.get(controller)!)),
    save: () => Object.fromEntries([...queues].map(([name, queue]) => [name, queue.save()])),
  };
}
