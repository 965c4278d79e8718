import type { Wake, WakeContext } from '../../karmada/controllers/controller.ts';
import type { Kind } from '../../karmada/controllers/kinds.ts';
import { processOf } from '../../karmada/controllers/registry.ts';
import type { Change } from '../../karmada/controllers/write.ts';
import type { Store } from '../store/store.ts';
import type { Retries } from './failures.ts';
import type { PacedQueues } from './pacedQueues.ts';
import type { ParkedKeys } from './parkedKeys.ts';
import type { Handler, Queue } from './queues.ts';
import type { SingleWorkers } from './singleWorkers.ts';

interface Running {
  store: Store;
  queues: ReadonlyMap<string, Queue>;
  handlers: ReadonlyMap<Kind, readonly Handler[]>;
  parked: ParkedKeys;
  retries: Retries;
  paced: PacedQueues;
  single: SingleWorkers;
}

/** A process ends: its memory, timers and counts are lost. */
export function clearProcessMemory(
  component: string,
  { store, queues, parked, retries, paced, single }: Running,
  now: number,
): void {
  for (const queue of queues.values()) {
    const { name } = queue.controller;
    const forgotten = (key: string) => processOf(name, key, store) === component;
    for (const known of [queue.due, queue.memories, queue.failing, queue.outdated])
      for (const key of [...known.keys()]) if (forgotten(key)) known.delete(key);
    for (const one of parked.all())
      if (one.controller === name && forgotten(one.key)) {
        parked.leave(name, one.key);
        retries.resume(one, now);
      }
    if (forgotten('')) retries.restart(name);
    // All keys of these queues belong to one process.
    if (queue.paced && forgotten('')) paced.clear(name, now);
    if (single.has(name) && forgotten('')) single.clear(name);
  }
}

/** A process begins: its controllers treat every object as new, as after an informer's first list. */
export function relistAll(
  component: string,
  { store, handlers }: Running,
  context: WakeContext,
  add: (queue: Queue, wake: Wake, change: Change) => void,
): void {
  for (const [kind, own] of handlers)
    for (const [key, after] of [...store.entries(kind)]) {
      const change = { kind, key, after } as Change;
      for (const { queue, wakes } of own)
        for (const wake of wakes(change, store, context)) {
          const { controller, memories } = queue;
          if (processOf(controller.name, wake.key, store) !== component) continue;
          const memory = memories.has(wake.key) ? undefined : controller.started?.(wake.key, store, context);
          if (memory !== undefined) memories.set(wake.key, memory);
          add(queue, wake, change);
        }
    }
}
