import type { Dequeue, Failure, NamedController, Step, Wake } from '../../karmada/controllers/controller.ts';
import type { Kind } from '../../karmada/controllers/kinds.ts';
import type { Change } from '../../karmada/controllers/write.ts';
import { keyOf } from '../../karmada/controllers/keys.ts';
import { createPacedKeys, type PacedKeys } from '../../karmada/queues/pacedKeys.ts';
import { STANDARD_BACK_OFF } from '../../karmada/queues/retryBackoff.ts';
import type { View } from '../../karmada/controllers/view.ts';
import type { Evidence } from '../../karmada/evidence.ts';
import { createWorkerQueue } from '../../karmada/queues/workerQueue.ts';
import { linkedSignal } from '../../state/live/requests/linkedSignal.ts';
import { CONFLICTS, retries } from '../retries.ts';
import type { ControllerHost, Written } from './controllerHost.ts';

/** How many keys of a controller are processed at a time. */
const SIDE_BY_SIDE = 16;
/** Milliseconds after which a loop yields to the rest of the process. */
const TURN = 10;
/** Milliseconds between two checks whether stale caches have caught up. */
const WHILE_STALE = 500;

interface RunOptions {
  /** stops the run: no further reconcile starts, and writes in progress are settled */
  signal: AbortSignal;
  /**
   * `resumed`: continues the process that ran until the capture. `fresh`: starts like a new process, to which every
   * object is new.
   */
  begins?: 'resumed' | 'fresh';
  /** the controllers' memories, by name and key: initially those of an earlier process, if any; then kept up to date */
  remembered?: Record<string, Map<string, unknown>>;
}

/**
 * Runs controllers on an API until the signal aborts. Each has a queue with workers: one worker at a time reconciles a
 * key in the current view and sends its writes one by one; different keys run in parallel. After a conflict it
 * reconciles again at the API's newest state, with the pauses and the limit of `retries`. If a write fails, the memory
 * is kept, and the key is retried with back-off. Every reconcile decides again, so a write whose answer was lost is not
 * repeated once the cache shows it. No reconcile starts while the caches may be stale.
 */
export async function runControllers<Name extends string>(
  controllers: readonly NamedController<Name>[],
  host: ControllerHost<Name>,
  { signal, begins = 'resumed', remembered = {} }: RunOptions,
): Promise<void> {
  const { configuration } = host;
  const running = controllers.filter((one) => one.runs(configuration));
  const queues: ReadonlyMap<string, Queue> = new Map(
    running.map(
      (controller) =>
        [
          controller.name,
          createQueue(controller, host, signal, (remembered[controller.name] ??= new Map<string, unknown>())),
        ] as const,
    ),
  );
  const enqueue = (controller: string, wake: Wake) => queues.get(controller)?.add(wake);
  const drop = (controller: string, key: string) => queues.get(controller)?.drop(key) ?? false;
  for (const queue of queues.values()) queue.route({ add: enqueue, drop });
  const context = () => ({ configuration, now: host.now() });
  for (const { name, begins } of running)
    begins?.({ view: host.view, recall: (key) => remembered[name]?.get(key), now: host.now() });
  function changed(change: Change, begin: (controller: NamedController, wake: Wake) => void): void {
    for (const controller of running) {
      const wakes = controller.wakes[change.kind] as
        ((change: Change, view: View, context: unknown) => Iterable<Wake>) | undefined;
      for (const wake of wakes?.(change, host.view, context()) ?? []) begin(controller, wake);
    }
  }
  const stop = host.subscribe((change) => {
    for (const queue of queues.values()) queue.changed(change);
    changed(change, ({ name }, wake) => enqueue(name, wake));
  });
  if (begins === 'fresh')
    for (const change of everything(running, host.view))
      changed(change, (controller, wake) => queues.get(controller.name)!.begin(wake));
  else
    for (const controller of running)
      for (const wake of controller.resumes?.(host.view, context()) ?? []) enqueue(controller.name, wake);
  try {
    await Promise.all([...queues.values()].map((queue) => queue.work()));
  } finally {
    stop();
  }
}

/** All objects that any controller watches, as changes, like an informer's first list. */
function* everything(controllers: readonly NamedController[], view: View): Iterable<Change> {
  const kinds = new Set(controllers.flatMap(({ wakes }) => Object.keys(wakes) as Exclude<Kind, 'Copy'>[]));
  for (const kind of kinds)
    for (const after of view.all(kind)) yield { kind, key: keyOf(kind, after), after } as Change;
}

interface Queue {
  add(wake: Wake): void;
  /** Like `add` for a new process: the key gets its initial memory. */
  begin(wake: Wake): void;
  /** Removes a key and its memory; returns whether it was waiting. */
  drop(key: string): boolean;
  /** Sets the functions that reach the queues of other controllers. */
  route(others: OtherQueues): void;
  /** Reevaluates the pace, if it depends on the change. */
  changed(change: Change): void;
  work(): Promise<void>;
}

interface OtherQueues {
  add(controller: string, wake: Wake): void;
  drop(controller: string, key: string): boolean;
}

/** The keys of one controller, their memories, and its workers. */
function createQueue<Name extends string>(
  controller: NamedController<Name>,
  host: ControllerHost<Name>,
  signal: AbortSignal,
  memories: Map<string, unknown>,
): Queue {
  const { name } = controller;
  const { configuration, observer } = host;
  const pace = controller.queue?.(configuration);
  const keys: PacedKeys = pace
    ? createPacedKeys(pace, host.view, { now: host.now() })
    : createWorkerQueue({ rate: undefined, workers: controller.ownQueue ? 1 : SIDE_BY_SIDE });
  const failures = new Map<string, number>();
  let others: OtherQueues = { add: () => undefined, drop: () => false };
  let wakeUp: () => void = () => undefined;

  function add({ key, after = 0, since, fresh, memory, idle }: Wake): void {
    if (fresh) failures.delete(key);
    if (memory !== undefined && !memories.has(key)) memories.set(key, memory);
    if (idle) return;
    if (after > 0) keys.addAfter(key, host.now() + after);
    else keys.add(key, host.now(), since);
    observer?.added?.(name, key, after, keys.length());
    wakeUp();
  }

  function reconcile(key: string, now: number, evidence: Evidence[] | undefined): Step<unknown> {
    return controller.reconcile({
      key,
      view: host.view,
      memory: memories.get(key),
      configuration,
      now,
      evidence,
      recall: (other) => memories.get(other),
    });
  }

  /** Reconciles a key and sends its writes; resolves when they are settled. */
  async function process(key: string): Promise<void> {
    const began = host.now();
    observer?.taken?.(name, key, keys.length());
    const again = retries({ signal, pause: (milliseconds) => host.sleep(milliseconds, signal) });
    for (;;) {
      const now = host.now();
      const evidence: Evidence[] | undefined = observer?.explains?.(name) ? [] : undefined;
      const step = reconcile(key, now, evidence);
      const written = await writeAll(step);
      if (written?.result === 'conflict' && (await again())) {
        observer?.retried?.(name, key, 'conflict');
        continue;
      }
      const failure = written ? notWritten(written) : step.failure;
      const dequeued = written ? [] : remember(key, step);
      observer?.reconciled?.({
        controller: name,
        key,
        now,
        step,
        dequeued,
        failure,
        evidence: evidence ?? [],
      });
      done(key, step, failure);
      observer?.done?.(name, key, failure ? 'error' : 'success', host.now() - began);
      return;
    }
  }

  /** Sends the writes of a step in order; returns the result of the first one that failed, if any. */
  async function writeAll({ writes = [] }: Step<unknown>): Promise<Written | undefined> {
    for (const write of writes) {
      const written = await host.api.write(write, name);
      if (written.result !== 'written') return written;
    }
    return undefined;
  }

  /** Stores the memory of a step and passes on its keys; returns those removed from another queue. */
  function remember(key: string, { memory, dequeues = [], enqueues = [] }: Step<unknown>): Dequeue[] {
    if (memory === undefined) memories.delete(key);
    else memories.set(key, memory);
    const left = dequeues.filter(({ queue, key: other }) => others.drop(queue, other));
    for (const { queue, ...wake } of enqueues) others.add(queue, wake);
    return left;
  }

  /** A worker has finished a key. */
  function done(key: string, { requeue, turn }: Step<unknown>, failure: Failure | undefined): void {
    const now = host.now();
    if (failure) observer?.retried?.(name, key, failure.reason);
    // a paced queue has its own back-off
    if (failure && pace) keys.done(key, now, 'failed', turn);
    else {
      if (failure) keys.addAfter(key, now + backOff(key, failure));
      else {
        failures.delete(key);
        if (requeue) keys.addAfter(key, now + requeue.after);
      }
      keys.done(key, now, 'succeeded', turn);
    }
    wakeUp();
  }

  function backOff(key: string, { backOff = STANDARD_BACK_OFF }: Failure): number {
    const count = failures.get(key) ?? 0;
    failures.set(key, count + 1);
    return Math.min(backOff.first * 2 ** count, backOff.longest);
  }

  /** Waits until something may be due, or has changed. */
  async function rest(milliseconds: number): Promise<void> {
    const woken = linkedSignal(signal);
    // without a reason, each abort would create an error with a stack
    wakeUp = () => woken.abort('woken');
    await host.sleep(milliseconds, woken.signal);
    woken.release();
  }

  return {
    add,
    begin(wake) {
      const memory = memories.has(wake.key)
        ? undefined
        : controller.started?.(wake.key, host.view, { configuration, now: host.now() });
      if (memory !== undefined) memories.set(wake.key, memory);
      add(wake);
    },
    drop(key) {
      const waited = keys.drop?.(key) ?? false;
      memories.delete(key);
      failures.delete(key);
      observer?.dropped?.(name, key, keys.length());
      return waited;
    },
    route: (given) => void (others = given),
    changed(change) {
      if (!pace || !('setBy' in pace) || !pace.setBy(change)) return;
      keys.paceChanged?.();
      wakeUp();
    },
    async work() {
      const underWay = new Set<Promise<void>>();
      let failed: { error: unknown } | undefined;
      let turn = host.stopwatch();
      while (!signal.aborted && !failed) {
        if (host.staleSince() !== undefined) {
          await rest(WHILE_STALE);
          continue;
        }
        const key = keys.take(host.now());
        if (key !== undefined) {
          const one = process(key)
            .catch((error: unknown) => {
              failed = { error };
              wakeUp();
            })
            .finally(() => void underWay.delete(one));
          underWay.add(one);
        } else {
          await rest(Math.max(0, (keys.nextWake() ?? Infinity) - host.now()));
          turn = host.stopwatch();
        }
        if (host.stopwatch() - turn > TURN) {
          await host.breathe();
          turn = host.stopwatch();
        }
      }
      await Promise.all(underWay);
      if (failed) throw failed.error;
    },
  };
}

function notWritten({ result, message = result }: Written): Failure {
  return { reason: 'NotWritten', message: result === 'conflict' ? CONFLICTS : message, unless: [] };
}
