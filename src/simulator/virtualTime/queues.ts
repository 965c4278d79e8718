import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { NamedController, Wake, WakeContext } from '../../karmada/controllers/controller.ts';
import type { Kind } from '../../karmada/controllers/kinds.ts';
import type { SavedQueues } from '../../karmada/queues/savedQueues.ts';
import type { View } from '../../karmada/controllers/view.ts';
import type { Change } from '../../karmada/controllers/write.ts';
import type { KnownFailure } from './failures.ts';
import type { Plannable } from './schedule.ts';

export interface Queue {
  readonly controller: NamedController;
  /** its workers sleep between two keys */
  readonly paced: boolean;
  /** when its keys are due; any other planned reconcile of a key is obsolete */
  readonly due: Map<string, DueReconcile>;
  readonly memories: Map<string, unknown>;
  /** the memory of a key */
  readonly recall: (key: string) => unknown;
  /** keys that have failed since their last success */
  readonly failing: Map<string, KnownFailure>;
  /** bindings with an older version in its cache, by key: the earliest first */
  readonly outdated: Map<string, OutdatedBinding[]>;
}

/** A binding before a change that is not in a cache yet. */
interface OutdatedBinding {
  object: ResourceBinding;
  /** epoch milliseconds at which the event of the change arrives */
  until: number;
}

/** A reconcile of a key, and its instant. */
export interface DueReconcile extends Plannable {
  controller: string;
  key: string;
}

/** The queues of the controllers that these gates and flags start, in order. */
export function createQueues(
  controllers: readonly NamedController[],
  configuration: Configuration,
  saved: SavedQueues | undefined,
): Map<string, Queue> {
  const queues = new Map<string, Queue>();
  for (const controller of controllers) {
    if (!controller.runs(configuration)) continue;
    const memories = new Map<string, unknown>(Object.entries(saved?.memories[controller.name] ?? {}));
    queues.set(controller.name, {
      controller,
      paced: controller.queue?.(configuration) !== undefined,
      due: new Map(),
      memories,
      recall: (key) => memories.get(key),
      failing: new Map(),
      outdated: new Map(),
    });
  }
  for (const [id, failure] of Object.entries(saved?.failing ?? {})) {
    const [name, key] = named(id);
    queues.get(name)?.failing.set(key, failure);
  }
  return queues;
}

/** The state of the queues besides the due keys. */
export function saveQueues(queues: ReadonlyMap<string, Queue>): Pick<SavedQueues, 'memories' | 'failing'> {
  const failing: SavedQueues['failing'] = {};
  for (const [name, queue] of queues)
    for (const [key, failure] of queue.failing) failing[`${name} ${key}`] = failure;
  const memories = Object.fromEntries(
    [...queues].map(([name, queue]) => [name, Object.fromEntries(queue.memories)]),
  );
  return { memories, failing };
}

/** Controllers' names have no spaces. */
function named(id: string): [controller: string, key: string] {
  const space = id.indexOf(' ');
  return [id.slice(0, space), id.slice(space + 1)];
}

export interface Handler {
  queue: Queue;
  wakes: (change: Change, view: View, context: WakeContext) => Iterable<Wake>;
}

/** The handlers for changes of each kind, in the order of the queues. */
export function handlersByKind(queues: Iterable<Queue>): ReadonlyMap<Kind, readonly Handler[]> {
  const handlers = new Map<Kind, Handler[]>();
  for (const queue of queues)
    for (const [kind, wakes] of Object.entries(queue.controller.wakes) as [Kind, Handler['wakes']][]) {
      const own = handlers.get(kind);
      if (own) own.push({ queue, wakes });
      else handlers.set(kind, [{ queue, wakes }]);
    }
  return handlers;
}
