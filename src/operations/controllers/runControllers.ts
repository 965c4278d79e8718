import type { Controller, Failure, PacedQueue, Step, Wake } from '../../engine/controllers/controller.ts';
import { createPacedKeys } from '../../engine/controllers/pacedKeys.ts';
import { STANDARD_BACK_OFF } from '../../engine/controllers/retryBackoff.ts';
import type { View } from '../../engine/controllers/view.ts';
import type { Change, Write } from '../../engine/controllers/write.ts';
import type { Configuration } from '../../karmada/configuration.ts';

/** Takes writes: an API that may refuse, conflict, answer late, or lose its answer. */
export interface WriteApi {
  /**
   * Sends one write to the API. Resolves to the result as far as it is known: `lost` means that no answer came, so
   * nobody knows whether the write was made.
   */
  write(write: Write): Promise<'written' | 'conflict' | 'refused' | 'lost'>;
}

/** What the loop needs: caches, their changes, time. */
export interface ControllerHost {
  /** the caches as they are now; they may lag behind the API */
  readonly view: View;
  readonly configuration: Configuration;
  api: WriteApi;
  /** epoch milliseconds */
  now(): number;
  /** Resolves after so many milliseconds, or once the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Calls `listener` for each change of the caches, maybe more than once. Returns a function that ends that. */
  subscribe(listener: (change: Change) => void): () => void;
}

/**
 * Runs controllers on an API until the signal aborts. One worker looks at the keys of a controller, as many as its pace
 * lets at those of a paced queue, never two at one key; each look is at the view as it is then, and its writes are sent
 * one by one. If a write is not made, the memory stays as it was, and the key
 * is looked at again with back-off. Every look decides anew, so a write whose answer was lost is not made twice once
 * the cache shows it. No command uses this yet: tests run the controllers with it against an API that fails.
 */
export async function runControllers(
  controllers: readonly Controller[],
  host: ControllerHost,
  signal: AbortSignal,
): Promise<void> {
  const { configuration } = host;
  const running = controllers.filter((one) => one.runs?.(configuration) ?? true);
  const queues = new Map(
    running.map((controller) => [controller.name as string, createQueue(controller, host)]),
  );
  const enqueue = (controller: string, wake: Wake) => queues.get(controller)?.add(wake);
  const drop = (controller: string, key: string) => queues.get(controller)?.drop(key);
  for (const queue of queues.values()) queue.route({ add: enqueue, drop });
  const stop = host.subscribe((change) => {
    for (const queue of queues.values()) queue.changed(change);
    for (const controller of running) {
      const wakes = controller.wakes[change.kind] as
        ((change: Change, view: View, context: unknown) => Iterable<Wake>) | undefined;
      for (const wake of wakes?.(change, host.view, { configuration, now: host.now() }) ?? [])
        enqueue(controller.name, wake);
    }
  });
  for (const controller of running)
    for (const wake of controller.resumes?.(host.view, { configuration, now: host.now() }) ?? [])
      enqueue(controller.name, wake);
  signal.addEventListener('abort', () => queues.forEach((queue) => queue.end()), { once: true });
  try {
    await Promise.all([...queues.values()].map((queue) => queue.work(signal)));
  } finally {
    stop();
  }
}

interface Queue {
  add(wake: Wake): void;
  /** A key leaves the queue and is forgotten. */
  drop(key: string): void;
  /** Sets the functions that reach other controllers' queues. */
  route(others: OtherQueues): void;
  /** Looks anew how fast it may go, if that hangs on the change. */
  changed(change: Change): void;
  work(signal: AbortSignal): Promise<void>;
  /** Stops waiting. */
  end(): void;
}

interface OtherQueues {
  add(controller: string, wake: Wake): void;
  drop(controller: string, key: string): void;
}

/** What comes of a look: whether it failed, and whether it used its turn in a queue with one rate. */
interface Looked {
  outcome: 'succeeded' | 'failed';
  turn: 'used' | 'unused';
}

/** Which keys of a controller wait, and for what. */
interface Keys {
  add(key: string, at: number): void;
  drop(key: string): void;
  /** a key whose turn it is */
  take(now: number): string | undefined;
  /** epoch milliseconds at which a key may have its turn; undefined if none waits */
  next(): number | undefined;
  paceChanged?(): void;
  /** A key has been looked at; `again` (epoch milliseconds) is when it failed and is tried again, if nobody else says it. */
  done(key: string, looked: Looked, again: number | undefined): void;
  /** how many keys may be looked at at one time */
  readonly atOnce: number;
}

/** The keys of one controller and their memories. */
function createQueue(controller: Controller, host: ControllerHost): Queue {
  const pace = controller.queue?.(host.configuration);
  const keys = pace ? pacedKeys(pace, host) : plainKeys();
  const memories = new Map<string, unknown>();
  const failures = new Map<string, number>();
  let others: OtherQueues = { add: () => undefined, drop: () => undefined };
  let wakeUp: () => void = () => undefined;

  async function look(key: string): Promise<{ looked: Looked; again?: number }> {
    const { view, configuration } = host;
    const now = host.now();
    const step = controller.look({
      key,
      view,
      memory: memories.get(key),
      configuration,
      now,
      evidence: undefined,
    });
    for (const write of step.writes ?? []) {
      const answer = await host.api.write(write);
      if (answer !== 'written') return failed(key, { reason: 'NotWritten', message: answer, unless: [] });
    }
    remember(key, step);
    const turn = step.turn ?? 'used';
    for (const { queue, key: other } of step.dequeues ?? []) others.drop(queue, other);
    for (const { queue, ...wake } of step.enqueues ?? []) others.add(queue, wake);
    if (step.failure) return failed(key, step.failure, turn);
    failures.delete(key);
    return {
      looked: { outcome: 'succeeded', turn },
      ...(step.again && { again: host.now() + step.again.after }),
    };
  }

  function remember(key: string, { memory }: Step<unknown>): void {
    if (memory === undefined) memories.delete(key);
    else memories.set(key, memory);
  }

  function failed(
    key: string,
    { backOff = STANDARD_BACK_OFF }: Failure,
    turn: Looked['turn'] = 'used',
  ): { looked: Looked; again: number } {
    const count = failures.get(key) ?? 0;
    failures.set(key, count + 1);
    const again = host.now() + Math.min(backOff.first * 2 ** count, backOff.longest);
    return { looked: { outcome: 'failed', turn }, again };
  }

  async function lookAt(key: string): Promise<void> {
    const { looked, again } = await look(key);
    keys.done(key, looked, again);
    wakeUp();
  }

  return {
    add({ key, after = 0, fresh, memory }) {
      if (fresh) failures.delete(key);
      if (memory !== undefined && !memories.has(key)) memories.set(key, memory);
      keys.add(key, host.now() + after);
      wakeUp();
    },
    drop(key) {
      keys.drop(key);
      memories.delete(key);
      failures.delete(key);
    },
    route: (given) => void (others = given),
    changed(change) {
      if (!pace || !('setBy' in pace) || !pace.setBy(change)) return;
      keys.paceChanged?.();
      wakeUp();
    },
    end: () => wakeUp(),
    async work(signal) {
      const looks = new Set<Promise<void>>();
      let broken: { error: unknown } | undefined;
      while (!signal.aborted && !broken) {
        const free = looks.size < keys.atOnce;
        const key = free ? keys.take(host.now()) : undefined;
        if (key !== undefined) {
          const one: Promise<void> = lookAt(key)
            .catch((error: unknown) => void (broken = { error }))
            .finally(() => {
              looks.delete(one);
              wakeUp();
            });
          looks.add(one);
          continue;
        }
        const woken = new AbortController();
        wakeUp = () => woken.abort();
        const next = free ? keys.next() : undefined;
        await host.sleep(next === undefined ? Infinity : Math.max(0, next - host.now()), woken.signal);
      }
      await Promise.all(looks);
      if (broken) throw broken.error;
    },
  };
}

/** Keys that are looked at once they are due, one after the other. */
function plainKeys(): Keys {
  const due = new Map<string, number>();

  function at(key: string, instant: number): void {
    const planned = due.get(key);
    if (planned === undefined || planned > instant) due.set(key, instant);
  }

  /** The key that is due first, and its time; undefined if none waits. */
  function first(): [string, number] | undefined {
    let found: [string, number] | undefined;
    for (const entry of due) if (!found || entry[1] < found[1]) found = entry;
    return found;
  }

  return {
    add: at,
    drop: (key) => void due.delete(key),
    take(now) {
      const next = first();
      if (!next || next[1] > now) return undefined;
      due.delete(next[0]);
      return next[0];
    },
    next: () => first()?.[1],
    done(key, _, again) {
      if (again !== undefined) at(key, again);
    },
    atOnce: 1,
  };
}

/** Keys of a paced queue, which says itself when one that has failed is tried again. */
function pacedKeys(pace: PacedQueue, { view, now }: ControllerHost): Keys {
  const queue = createPacedKeys(pace, view, { now: now() });
  return {
    add(key, at) {
      if (at > now()) queue.addAfter(key, at);
      else queue.add(key, now());
    },
    drop: (key) => void queue.drop?.(key),
    paceChanged: () => queue.paceChanged?.(),
    take: (at) => queue.take(at),
    next: () => queue.nextWake(),
    done(key, { outcome, turn }, again) {
      queue.done(key, now(), outcome, turn);
      if (again !== undefined && outcome === 'succeeded') queue.addAfter(key, again);
    },
    atOnce: Infinity,
  };
}
