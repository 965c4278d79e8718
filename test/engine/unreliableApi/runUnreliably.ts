import type { BackOff, Controller, Step, Wake } from '../../../src/engine/controllers/controller.ts';
import { STANDARD_BACK_OFF } from '../../../src/engine/controllers/retryBackoff.ts';
import type { View } from '../../../src/engine/controllers/view.ts';
import type { Change, Write } from '../../../src/engine/controllers/write.ts';
import type { StartingWorld } from '../../../src/engine/store/startingWorld.ts';
import { createStore, type Store } from '../../../src/engine/store/store.ts';
import { createEvictionQueue, type EvictionQueue } from '../../../src/engine/taints/evictionQueue.ts';
import { createSchedule } from '../../../src/engine/virtualTime/schedule.ts';
import { takeWrite } from './apiServer.ts';
import { chance } from './chance.ts';

/** How often things go wrong, from 0 to 1. */
export interface Faults {
  /** a write is refused though nothing is wrong with it */
  refused: number;
  /** a write is made, and its answer is lost */
  lost: number;
  /** an answer takes seconds */
  late: number;
  /** an event is told a second time, as if the object had only been found */
  redelivered: number;
}

export interface Incident {
  /** epoch milliseconds, and what somebody writes then */
  events: { at: number; writes(view: View, now: number): Write[] }[];
  /** epoch milliseconds */
  until: number;
}

/** client-go's queue of a controller, with as many workers as there are keys. */
interface Queue {
  add(key: string): void;
  done(key: string, outcome: 'succeeded' | 'failed', delay: number): void;
}

/**
 * Karmada's controllers on an API server that may refuse, conflict, answer late, lose an answer and tell of changes twice: looks
 * and writes of all controllers interleave, no look is left out, and what failed is tried again with back-off. The same
 * seed gives the same run.
 *
 * Longer than a function should be: it is the one loop in which queues, watches and the API server meet.
 */
export function runUnreliably(
  start: StartingWorld,
  controllers: readonly Controller[],
  incident: Incident,
  faults: Faults,
  seed: number,
): Store {
  const { configuration } = start;
  const store = createStore(start);
  const random = chance(seed);
  const schedule = createSchedule<() => void>();
  const memories = new Map<string, unknown>();
  const failures = new Map<string, number>();
  const told = new Map<string, number>();
  const queues = new Map<string, Queue>();
  const running = controllers.filter(({ runs }) => runs?.(configuration) ?? true);
  let now = start.start;

  const after = (delay: number, task: () => void) => schedule.add(now + delay, task);
  const between = (least: number, most: number) => least + random() * (most - least);

  function publish(change: Change): void {
    for (const controller of running) {
      if (!controller.wakes[change.kind]) continue;
      // A watch tells in order, some time later.
      const at = Math.max(told.get(controller.name) ?? 0, now + between(1, 150));
      told.set(controller.name, at);
      schedule.add(at, () => hear(controller, change));
      if (random() >= faults.redelivered || !change.after) continue;
      const { kind, key, after: found } = change;
      schedule.add(at + between(0, 2000), () => hear(controller, { kind, key, after: found } as Change));
    }
  }

  function hear(controller: Controller, change: Change): void {
    const handler = controller.wakes[change.kind] as
      ((change: Change, view: View, context: unknown) => Iterable<Wake>) | undefined;
    for (const wake of handler?.(change, store, { configuration, now }) ?? []) wakeUp(controller.name, wake);
  }

  function wakeUp(name: string, { key, after: delay = 0, fresh }: Wake): void {
    if (fresh) failures.delete(`${name} ${key}`);
    if (delay > 0) after(delay, () => queues.get(name)?.add(key));
    else queues.get(name)?.add(key);
  }

  function look(controller: Controller, key: string): void {
    const id = `${controller.name} ${key}`;
    const step = controller.look({
      key,
      view: store,
      memory: memories.get(id),
      configuration,
      now,
      evidence: undefined,
    });
    // What runs in a member is the member: nothing comes in between.
    const reliable = controller.name === 'kubelet';
    send(step.writes ?? [], reliable, (written) => {
      if (written) memories.set(id, step.memory);
      for (const { queue, ...wake } of step.enqueues ?? []) wakeUp(queue, wake);
      finish(controller, key, step, written);
    });
  }

  /** One write after the other; the first that is refused, or seems to be, ends it. */
  function send(writes: readonly Write[], reliable: boolean, answered: (written: boolean) => void): void {
    const [first, ...rest] = writes;
    if (!first) return answered(true);
    after(reliable ? 0 : between(1, 60), () => {
      const fault = reliable ? 1 : random();
      if (fault < faults.refused) return answered(false);
      const change = takeWrite(store, first, now);
      if (typeof change === 'string') return answered(false);
      if (change) publish(change);
      const wait = !reliable && random() < faults.late ? between(1000, 3000) : 0;
      const lost = fault < faults.refused + faults.lost;
      after(wait, () => (lost ? answered(false) : send(rest, reliable, answered)));
    });
  }

  function finish(controller: Controller, key: string, step: Step<unknown>, written: boolean): void {
    const id = `${controller.name} ${key}`;
    const queue = queues.get(controller.name)!;
    if (written && !step.failure) {
      failures.delete(id);
      if (step.again) wakeUp(controller.name, { key, after: Math.max(step.again.after, 1) });
      queue.done(key, 'succeeded', 0);
      return;
    }
    const failed = failures.get(id) ?? 0;
    failures.set(id, failed + 1);
    queue.done(key, 'failed', delayAfter(failed, step.failure?.backOff ?? STANDARD_BACK_OFF));
  }

  function plainQueue(controller: Controller): Queue {
    const waiting = new Set<string>();
    const atWork = new Set<string>();
    const begin = (key: string) =>
      after(between(1, 80), () => {
        waiting.delete(key);
        atWork.add(key);
        look(controller, key);
      });
    return {
      add(key) {
        if (waiting.has(key)) return;
        waiting.add(key);
        if (!atWork.has(key)) begin(key);
      },
      done(key, outcome, delay) {
        atWork.delete(key);
        if (waiting.has(key)) begin(key);
        if (outcome === 'failed') after(delay, () => this.add(key));
      },
    };
  }

  function pacedQueue(controller: Controller, queue: EvictionQueue): Queue {
    const work = () => {
      for (let key = queue.take(now); key !== undefined; key = queue.take(now)) look(controller, key);
      const next = queue.nextWake();
      if (next !== undefined && next > now) schedule.add(next, work);
    };
    return {
      add(key) {
        queue.add(key, now);
        work();
      },
      done(key, outcome) {
        queue.done(key, now, outcome);
        work();
      },
    };
  }

  for (const controller of running) {
    const pace = controller.queue?.(configuration);
    queues.set(
      controller.name,
      pace ? pacedQueue(controller, createEvictionQueue(pace)) : plainQueue(controller),
    );
  }
  for (const controller of running)
    for (const wake of controller.resumes?.(store, { configuration, now }) ?? [])
      wakeUp(controller.name, wake);
  for (const { at, writes } of incident.events)
    schedule.add(at, () => {
      for (const write of writes(store, now)) {
        const change = takeWrite(store, write, now);
        if (typeof change === 'string')
          throw new Error(`${write.verb} ${write.kind} ${write.key}: ${change}`);
        if (change) publish(change);
      }
    });
  for (let next = schedule.take(); next && next.at <= incident.until; next = schedule.take()) {
    now = next.at;
    next.item();
  }
  return store;
}

function delayAfter(failures: number, { first, longest }: BackOff): number {
  return Math.min(first * 2 ** failures, longest);
}
