import type { Wake, WakeContext } from '../../karmada/controllers/controller.ts';
import type { Kind } from '../../karmada/controllers/kinds.ts';
import type { Change } from '../../karmada/controllers/write.ts';
import type { Store } from '../store/store.ts';
import type { PacedQueues } from './pacedQueues.ts';
import type { ParkedKeys } from './parkedKeys.ts';
import type { Handler, Queue } from './queues.ts';

/** Whether a key of a controller is looked at by the process that is restarted. */
export type Restarted = (controller: string, key: string) => boolean;

interface Running {
  store: Store;
  queues: ReadonlyMap<string, Queue>;
  handlers: ReadonlyMap<Kind, readonly Handler[]>;
  parked: ParkedKeys;
  paced: PacedQueues;
  context: WakeContext;
  add(queue: Queue, wake: Wake, change: Change): void;
}

/**
 * Another process takes the place of one that ran: its memory, timers and counts are gone, and its controllers see
 * every object as new, as after an informer's first list.
 */
export function restart(
  { store, queues, handlers, parked, paced, context, add }: Running,
  isRestarted: Restarted,
): void {
  for (const queue of queues.values()) {
    const { name } = queue.controller;
    const forgotten = (key: string) => isRestarted(name, key);
    for (const known of [queue.due, queue.memories, queue.failing])
      for (const key of [...known.keys()]) if (forgotten(key)) known.delete(key);
    for (const one of parked.all())
      if (one.controller === name && forgotten(one.key)) parked.leave(name, one.key);
    // All keys of a queue whose workers sleep belong to one process.
    if (queue.paced && forgotten('')) paced.clear(name, context.now);
  }
  for (const [kind, own] of handlers)
    for (const [key, after] of [...store.entries(kind)]) {
      const change = { kind, key, after } as Change;
      for (const { queue, wakes } of own)
        for (const wake of wakes(change, store, context)) {
          const { controller, memories } = queue;
          if (!isRestarted(controller.name, wake.key)) continue;
          if (controller.started && !memories.has(wake.key))
            memories.set(wake.key, controller.started(wake.key));
          add(queue, wake, change);
        }
    }
}
