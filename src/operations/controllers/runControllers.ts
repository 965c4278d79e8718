import type { Controller, Failure, Step, Wake } from '../../engine/controllers/controller.ts';
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
 * Runs controllers on an API until the signal aborts. One worker at a time looks at each key of a controller, on the
 * view as it is then, and sends its writes one by one. If a write is not made, the memory stays as it was, and the key
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
  for (const queue of queues.values()) queue.route(enqueue);
  const stop = host.subscribe((change) => {
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
  /** Sets the function that takes keys for other controllers. */
  route(enqueue: (controller: string, wake: Wake) => void): void;
  work(signal: AbortSignal): Promise<void>;
  /** Stops waiting. */
  end(): void;
}

/** The keys of one controller and their memories; one key is looked at after the other. */
function createQueue(controller: Controller, host: ControllerHost): Queue {
  const due = new Map<string, number>();
  const memories = new Map<string, unknown>();
  const failures = new Map<string, number>();
  const rest = restBetween(controller, host.configuration);
  let enqueue: (controller: string, wake: Wake) => void = () => undefined;
  let wakeUp: () => void = () => undefined;

  function at(key: string, instant: number): void {
    const planned = due.get(key);
    if (planned !== undefined && planned <= instant) return;
    due.set(key, instant);
    wakeUp();
  }

  async function look(key: string): Promise<void> {
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
    for (const { queue, ...wake } of step.enqueues ?? []) enqueue(queue, wake);
    if (step.failure) return failed(key, step.failure);
    failures.delete(key);
    if (step.again) at(key, host.now() + step.again.after);
  }

  function remember(key: string, { memory }: Step<unknown>): void {
    if (memory === undefined) memories.delete(key);
    else memories.set(key, memory);
  }

  function failed(key: string, { backOff = STANDARD_BACK_OFF }: Failure): void {
    const count = failures.get(key) ?? 0;
    failures.set(key, count + 1);
    at(key, host.now() + Math.min(backOff.first * 2 ** count, backOff.longest));
  }

  /** The key that is due first, and its time; undefined if none waits. */
  function next(): [string, number] | undefined {
    let first: [string, number] | undefined;
    for (const entry of due) if (!first || entry[1] < first[1]) first = entry;
    return first;
  }

  return {
    add({ key, after = 0, fresh }) {
      if (fresh) failures.delete(key);
      at(key, host.now() + after);
    },
    route: (given) => void (enqueue = given),
    end: () => wakeUp(),
    async work(signal) {
      while (!signal.aborted) {
        const first = next();
        if (first && first[1] <= host.now()) {
          due.delete(first[0]);
          await look(first[0]);
          if (rest > 0) await host.sleep(rest, signal);
          continue;
        }
        const woken = new AbortController();
        wakeUp = () => woken.abort();
        await host.sleep(first ? first[1] - host.now() : Infinity, woken.signal);
      }
    },
  };
}

/** Milliseconds between two keys of a paced queue, over all its workers; 0 if it is not paced. */
function restBetween({ queue }: Controller, configuration: Configuration): number {
  const paced = queue?.(configuration);
  if (paced?.rate === undefined) return 0;
  return paced.rate === 0 ? 1_800_000 / paced.workers : 1000 / (paced.rate * paced.workers);
}
