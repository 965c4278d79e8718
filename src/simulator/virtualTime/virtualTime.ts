import type { Dequeue, Failure, NamedController, Step, Wake } from '../../karmada/controllers/controller.ts';
import type { View } from '../../karmada/controllers/view.ts';
import type { Change, ChangeOf, Write } from '../../karmada/controllers/write.ts';
import type { Evidence } from '../../karmada/evidence.ts';
import { latencies } from '../../karmada/latencies.ts';
import { createStore, type Store } from '../store/store.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { agentFor, factsOf, isController, processOf } from '../../karmada/controllers/registry.ts';
import { parseTaintedPairKey } from '../../karmada/taints/taintedPair.ts';
import { pendingRetry } from '../../karmada/queues/retryBackoff.ts';
import { createRetries, failedAgain, forgetsTimers, isCloseToRetry, type Retry } from './failures.ts';
import { createPacedQueues, type Turn } from './pacedQueues.ts';
import { createParkedKeys, requestedPeriodic, nextPeriodic } from './parkedKeys.ts';
import type { Ordering } from './ordering.ts';
import type { ParkedKey, SavedQueues } from '../../karmada/queues/savedQueues.ts';
import { createQueues, handlersByKind, saveQueues, type DueReconcile, type Queue } from './queues.ts';
import { clearProcessMemory, relistAll } from './restart.ts';
import { createSchedule, type Plannable } from './schedule.ts';
import { createSingleWorkers } from './singleWorkers.ts';

/** Karmada's controllers on a world in virtual time. */
export interface VirtualTime {
  readonly view: Store;
  /** the present instant, epoch milliseconds */
  now(): number;
  /** Plans a task outside all controllers; it comes first at its instant, and cannot be saved. */
  plan(at: number, task: () => void): void;
  /** The same for a task that does not keep the simulation running: it runs only if time advances that far. */
  planAside(at: number, task: () => void): void;
  /**
   * Writes for an actor that is not a controller. A write that an API server would refuse does nothing, and is not
   * reported.
   */
  write(by: string, writes: readonly Write[], evidence?: Evidence[]): void;
  /** The process of a component ends: its controllers stop, and their memory is lost. */
  end(component: string): void;
  /** A process of a component begins, replacing a running one: it remembers nothing, and reconciles everything. */
  begin(component: string): void;
  isEnded(component: string): boolean;
  /** Calls back right after every reconcile that wrote, noted or failed, and after other writes. */
  follow(follower: (happening: AppliedStep) => void): void;
  /**
   * Runs until the schedule is empty or the next reconcile is after `until` (epoch milliseconds). Reconciles that
   * cannot find anything new are skipped, so an empty schedule means that it has settled: true.
   */
  run(until: number): boolean;
  /** the instant of the next reconcile (epoch milliseconds); undefined if there is none */
  next(): number | undefined;
  /** Advances to the next reconcile and runs it; false if there is none. */
  step(): boolean;
  /** the number of reconciles so far: the cost of the run */
  reconciles(): number;
  /** Everything that is due by time alone, unordered. Linear in the number of items. */
  pending(): Iterable<Pending>;
  /** Ends all reconciling. */
  stop(): void;
  /** The queues at `end` (epoch milliseconds), which time must have reached. */
  save(end: number): SavedQueues;
}

/** A reconcile that is due, or waits for its turn in a paced queue; without a controller, a planned task. */
export interface Pending {
  /** epoch milliseconds; for a key that waits for a turn, now */
  time: number;
  controller?: string;
  key?: string;
}

/** A step of a controller, or the writes of another actor, with their changes. */
export interface AppliedStep {
  /** epoch milliseconds */
  time: number;
  /** the controller, or "scenario", "drain" */
  by: string;
  /** the reconciled key */
  key?: string;
  changes: readonly Change[];
  step?: Step<unknown>;
  /** keys that waited for their turn in other controllers' queues and were removed */
  dequeued?: readonly Dequeue[];
  /** the process of this component ended, began, or was replaced */
  process?: { component: string; change: 'ended' | 'begun' | 'replaced' };
  /** its previous reconcile failed in the same way */
  failsAgain?: boolean;
  /** failing keys that its changes wake, and where, within a second, either retry may come first */
  closeRetries?: readonly ParkedKey[];
  evidence: Evidence[];
}

export interface VirtualTimeOptions {
  /** those that gates and flags start are run; a change that wakes several wakes them in this order */
  controllers: readonly NamedController[];
  /** decides where Karmada guarantees no order */
  ordering: Ordering;
  /** whether to record evidence */
  explained: boolean;
  /** the saved state of an earlier run; absent: controllers resume from the world */
  saved?: SavedQueues | undefined;
  /**
   * of the bindings at the start, the keys of the only ones that are reconciled; absent: all. The others do not change,
   * but their entries in the taint manager's queues take one turn each
   */
  alone?: ReadonlySet<string> | undefined;
  /** called before each reconcile */
  beforeReconcile?: ((controller: string, key: string, view: View, now: number) => void) | undefined;
  /** called occasionally with the present instant (epoch milliseconds) */
  progress?: ((now: number) => void) | undefined;
}

type Item = DueReconcile | (Plannable & { task: () => void });

/** Reconciles between two progress reports. */
const REPORT_EVERY = 1000;

/**
 * Virtual time at the start of a world. Nothing has been reconciled yet.
 *
 * One long function: queues, memory and failures of all controllers share one loop, and each inner function is one of
 * its steps.
 */
export function createVirtualTime(start: StartingWorld, options: VirtualTimeOptions): VirtualTime {
  const { configuration } = start;
  const { ordering, saved } = options;
  const store = createStore(start, options.alone);
  const schedule = createSchedule<Item>(
    (item) => 'task' in item || queues.get(item.controller)!.due.get(item.key) === item,
  );
  const aside = createSchedule<Plannable & { task: () => void }>(() => true);
  const queues = createQueues(options.controllers, configuration, saved);
  const handlers = handlersByKind(queues.values());
  const parked = createParkedKeys();
  const retries = createRetries(saved?.buckets);
  const controllers = Array.from(queues.values(), ({ controller }) => controller);
  const paced = createPacedQueues(controllers, configuration, store, {
    now: saved?.now ?? start.start,
    saved: saved?.paced,
  });
  const single = createSingleWorkers(controllers, saved?.single);
  const followers: ((happening: AppliedStep) => void)[] = [];
  const closeRetries: ParkedKey[] = [];
  let now = saved?.now ?? start.start;
  let reconciles = 0;
  let steps = 0;
  let stopped = false;
  const ended = new Set(saved?.ended);
  const running = { store, queues, handlers, parked, retries, paced, single };
  /** pairs of frozen bindings that have had their turn */
  const passed = new Set<string>();

  /** Whether a controller's key belongs to a frozen binding. */
  function keepsStill(controller: string, key: string): boolean {
    if (!options.alone || !isController(controller)) return false;
    const { keys } = factsOf(controller);
    if (keys !== 'Binding' && keys !== 'pair') return false;
    const binding = keys === 'pair' ? parseTaintedPairKey(key).binding : key;
    return !options.alone.has(binding) && start.bindings.has(binding);
  }

  function at(instant: number, { controller: { name, outside }, due }: Queue, key: string): void {
    if (hasEnded(name, key)) return;
    const planned = due.get(key);
    const time = Math.max(instant, now);
    if (planned !== undefined && planned.time <= time) return;
    const item = { controller: name, key, time, turn: 0 };
    due.set(key, item);
    schedule.add(item, outside && 'outside');
  }

  /** Whether the process that reconciles a controller's keys has ended. */
  function hasEnded(name: string, key: string): boolean {
    if (ended.size === 0) return false;
    const component = processOf(name, key, store);
    return component !== undefined && ended.has(component);
  }

  /** @param change the change that woke the key; absent: a timer, which is exact */
  function add(queue: Queue, wake: Wake, change?: Change): void {
    const { name, reaction, outside, ownQueue, unlocked } = queue.controller;
    const { key, after = 0, since, fresh, contended } = wake;
    if (hasEnded(name, key) || (keepsStill(name, key) && (!queue.paced || passed.has(key)))) return;
    if (fresh) {
      unpark(queue, key);
      queue.failing.delete(key);
      retries.restart(bucketOf(name, key));
    }
    // A controller's delay is the same for all of its keys, which keeps their order.
    const late = outside ? 0 : ownQueue ? ordering.delay(name, '', 0) : ordering.delay(name, key, now);
    const instant = now + after + (change ? reaction + (contended ? latencies.conflict : 0) : 0) + late;
    if (unlocked && change?.kind === 'Binding' && change.key === key) hideUntil(instant, queue, change);
    if (queue.paced) {
      const conflicts = after === 0 ? ordering.conflicts(name, key) : 0;
      const retry = conflicts > 0 ? paced.retry(name) : undefined;
      paced.add(name, key, { at: after === 0 ? retry && now + conflicts * retry : instant, since }, now);
      wakePaced(queue);
    } else at(instant, queue, key);
  }

  /** Until the event of a change arrives, a late cache shows the binding as it was. */
  function hideUntil(
    until: number,
    { controller, outdated }: Queue,
    { key, before, after }: ChangeOf<'Binding'>,
  ): void {
    if (!before || !after || !ordering.outdated(controller.name, key)) return;
    const earlier = (outdated.get(key) ?? []).filter((one) => one.until > now);
    outdated.set(key, [...earlier, { object: before, until }]);
  }

  function wakePaced(queue: Queue): void {
    const next = paced.next(queue.controller.name);
    if (next !== undefined) at(next, queue, '');
  }

  function changed(change: Change): void {
    const context = { configuration, now, arrange: ordering.arrange };
    for (const { queue, wakes } of handlers.get(change.kind) ?? []) {
      const woken = wakes(change, store, context);
      // Most changes wake nothing: an iterator for each handler would be a thirtieth of all allocations.
      if (Array.isArray(woken) && woken.length === 0) continue;
      for (const wake of woken) add(queue, wake, change);
    }
    for (const name of paced.setBy(change)) wakePaced(queues.get(name)!);
    for (const one of parked.concernedBy(change)) {
      const queue = queues.get(one.controller)!;
      const retry = resumed(queue, one);
      if (retry && isCloseToRetry(retry, now)) closeRetries.push(one);
      if (one.last === undefined || one.last >= now)
        at(retry ? retry.since + retry.first : nextPeriodic(one, now), queue, one.key);
    }
  }

  /** The name of the queue of a controller's key: each agent has queues of its own. */
  function bucketOf(controller: string, key: string): string {
    const agent = agentFor(controller, key, store);
    return agent === undefined ? controller : `${controller} ${agent}`;
  }

  /** A reconciled key is no longer parked; returns its parked entry. */
  function unpark(queue: Queue, key: string): ParkedKey | undefined {
    const waited = parked.leave(queue.controller.name, key);
    if (waited) resumed(queue, waited);
    return waited;
  }

  /** The next retry of a key that was parked because of a failure; undefined otherwise. */
  function resumed({ failing }: Queue, one: ParkedKey): Retry | undefined {
    const retry = retries.resume(one, now);
    const known = failing.get(one.key);
    if (retry && known) failing.set(one.key, { ...known, ...retry });
    return retry;
  }

  /**
   * Applies writes one after the other, up to the first refusal. Writes based on a stale cache change only the
   * differing fields.
   */
  function commit(writes: readonly Write[], outdated = false): { changes: Change[]; refused?: string } {
    const changes: Change[] = [];
    for (const one of writes) {
      const change = store.write(named(one), now, outdated);
      if (!change) continue;
      if ('refused' in change) return { changes, refused: change.refused };
      changes.push(change);
    }
    return { changes };
  }

  function named(write: Write): Write {
    if (write.verb !== 'create' || write.kind !== 'Object' || write.object.metadata.uid) return write;
    const uid = ordering.uid(write.key);
    if (uid === undefined) return write;
    return { ...write, object: { ...write.object, metadata: { ...write.object.metadata, uid } } };
  }

  function reconcile(queue: Queue, key: string): Turn {
    const { controller, memories } = queue;
    const { name, outside } = controller;
    if (!outside) reconciles++;
    options.beforeReconcile?.(name, key, store, now);
    if (keepsStill(name, key)) {
      passed.add(key);
      return { outcome: 'succeeded', turn: 'used' };
    }
    const waited = unpark(queue, key);
    const evidence: Evidence[] | undefined = options.explained ? [] : undefined;
    const { draw, arrange } = ordering;
    const hidden = queue.outdated.get(key)?.find(({ until }) => until > now);
    const step = controller.reconcile({
      key,
      view: store,
      memory: memories.get(key),
      recall: queue.recall,
      configuration,
      now,
      evidence,
      outdated: ordering.outdated(name, key),
      cached: hidden?.object,
      draw,
      arrange,
    });
    const { changes, refused } = commit(step.writes ?? [], hidden !== undefined);
    if (refused === undefined) {
      if (step.memory === undefined) memories.delete(key);
      else memories.set(key, step.memory);
    }
    if (changes.length > 0) single.hasWritten(name, now, ordering.slowness);
    changes.forEach(changed);
    const dequeued = handOver(step);
    const failure = refused === undefined ? step.failure : refusal(refused);
    const failsAgain = failure !== undefined && queue.failing.get(key)?.message === failure.message;
    plan(queue, key, step, failure, waited);
    // The event that is not in its cache yet wakes it once more.
    if (hidden) at(hidden.until, queue, key);
    if (changes.length > 0 || step.notes?.length || failure || dequeued)
      notify({
        time: now,
        by: name,
        key,
        changes,
        step,
        failsAgain,
        evidence: evidence ?? [],
        ...(dequeued && { dequeued }),
      });
    return { outcome: failure ? 'failed' : 'succeeded', turn: step.turn ?? 'used' };
  }

  /**
   * Adds keys to other controllers' queues, and removes keys there; returns the removed ones that waited for their
   * turn.
   */
  function handOver({ dequeues, enqueues }: Step<unknown>): Dequeue[] | undefined {
    const dequeued = dequeues?.filter(leave);
    if (enqueues) enter(enqueues);
    return dequeued && dequeued.length > 0 ? dequeued : undefined;
  }

  function leave({ queue: other, key }: Dequeue): boolean {
    const known = queues.get(other);
    if (!known) return false;
    for (const one of [known.due, known.memories, known.failing]) one.delete(key);
    return known.paced && paced.drop(other, key);
  }

  function enter(enqueues: NonNullable<Step<unknown>['enqueues']>): void {
    const isOrdered = enqueues.length > 0 && enqueues.every(({ queue }) => isOrderedQueue(queue));
    for (const { queue: other, ...wake } of isOrdered ? enqueues : ordering.arrange(enqueues)) {
      const known = queues.get(other);
      if (!known) continue;
      if (wake.memory !== undefined && !known.memories.has(wake.key))
        known.memories.set(wake.key, wake.memory);
      if (!wake.idle) add(known, wake);
    }
  }

  function isOrderedQueue(name: string): boolean {
    return queues.get(name)?.paced === true && paced.isOrdered(name);
  }

  /** Plans the next reconcile of a key, unless something changes earlier. */
  function plan(
    queue: Queue,
    key: string,
    { requeue }: Step<unknown>,
    failure: Failure | undefined,
    waited: ParkedKey | undefined,
  ): void {
    const controller = queue.controller.name;
    const forgets = forgetsTimers(queue.controller, configuration);
    if (failure) {
      const again = failedAgain(queue.failing.get(key), failure, now, forgets);
      const bucket = bucketOf(controller, key);
      // A paced queue has a back-off of its own.
      const { since, first } = queue.paced ? again : retries.failed(bucket, again, now);
      queue.failing.set(key, { since, message: failure.message, first });
      if (queue.paced) return;
      const { since: _, ...backOff } = { ...again, first };
      if (failure.unless.length === 0) return at(pendingRetry(since, now + 1, backOff).at, queue, key);
      const one = { controller, key, interests: failure.unless, since, beat: { backOff } };
      parked.park(one);
      retries.skip(bucket, one);
      return;
    }
    queue.failing.delete(key);
    if (!requeue) {
      const last = forgets ? undefined : waited && requestedPeriodic(waited, now);
      if (last !== undefined) parked.park({ ...waited!, last });
    } else if (queue.paced) add(queue, { key, after: requeue.after });
    else if (requeue.unless) {
      const pending = !forgets && waited && requestedPeriodic(waited, now) !== undefined;
      const since = pending ? waited.since : now;
      parked.park({ controller, key, interests: requeue.unless, since, beat: { every: requeue.after } });
    } else at(now + requeue.after, queue, key);
  }

  function notify(happening: AppliedStep): void {
    const close = closeRetries.splice(0);
    const all = close.length > 0 ? { ...happening, closeRetries: close } : happening;
    for (const follower of followers) follower(all);
  }

  function processChanged(process: AppliedStep['process']): void {
    notify({ time: now, by: 'scenario', changes: [], evidence: [], process });
  }

  function step(): boolean {
    const first = schedule.next();
    if (first === undefined) return false;
    const next = (aside.next() ?? Infinity) <= first ? aside.take()! : schedule.take()!;
    now = next.time;
    run(next);
    return true;
  }

  function run(item: Item): void {
    if ('task' in item) return item.task();
    const queue = queues.get(item.controller)!;
    queue.due.delete(item.key);
    if (queue.paced) {
      paced.work(item.controller, now, (one) => reconcile(queue, one));
      wakePaced(queue);
    } else if (single.has(item.controller)) workOff(queue, item.key);
    else reconcile(queue, item.key);
  }

  /** The key has its turn; with an empty key, the worker is free for waiting keys. */
  function workOff(queue: Queue, key: string): void {
    const { name } = queue.controller;
    if (key !== '' && single.take(name, key, now)) reconcile(queue, key);
    for (let next = single.next(name, now); next !== undefined; next = single.next(name, now))
      reconcile(queue, next);
    const wake = single.wake(name);
    if (wake !== undefined) at(wake, queue, '');
  }

  function* pending(): Iterable<Pending> {
    for (const item of schedule.all())
      if ('task' in item || queues.get(item.controller)!.controller.outside) yield { time: item.time };
      else if (!queues.get(item.controller)!.paced) yield item;
    for (const [controller, { waiting, addedAgain, delayed }] of Object.entries(paced.save())) {
      for (const key of [...waiting, ...addedAgain]) yield { time: now, controller, key };
      for (const [key, time] of delayed) yield { time, controller, key };
    }
  }

  for (const { controller, recall } of queues.values()) controller.begins?.({ view: store, recall, now });
  if (saved) resumeSaved(saved);
  for (const queue of queues.values())
    // An actor such as a drain may join while Karmada's controllers already run.
    if (!saved || (queue.controller.outside && !(queue.controller.name in saved.memories)))
      // All simulations of this start share the resumption of all bindings.
      for (const wake of start.resumed(
        queue.controller,
        options.alone ? createStore(start) : store,
        ordering.unseen,
      )) {
        if (wake.memory !== undefined) queue.memories.set(wake.key, wake.memory);
        if (!wake.idle) add(queue, { ...wake, after: wake.after ?? queue.controller.reaction });
      }

  function resumeSaved({ due, parked: waiting }: SavedQueues): void {
    for (const { time, controller, key } of due) {
      const queue = queues.get(controller);
      if (queue) at(time, queue, key);
    }
    for (const one of waiting)
      if (queues.has(one.controller)) {
        parked.park(one);
        retries.skip(bucketOf(one.controller, one.key), one);
      }
  }

  return {
    view: store,
    now: () => now,
    plan: (instant, task) => schedule.add({ task, time: Math.max(instant, now), turn: 0 }, 'outside'),
    planAside: (instant, task) => aside.add({ task, time: Math.max(instant, now), turn: 0 }),
    write(by, writes, evidence = []) {
      const { changes } = commit(writes);
      changes.forEach(changed);
      if (changes.length > 0) notify({ time: now, by, changes, evidence });
    },
    end(component) {
      clearProcessMemory(component, running, now);
      ended.add(component);
      processChanged({ component, change: 'ended' });
    },
    begin(component) {
      const change = ended.delete(component) ? 'begun' : 'replaced';
      clearProcessMemory(component, running, now);
      relistAll(component, running, { configuration, now, arrange: ordering.arrange }, add);
      processChanged({ component, change });
    },
    isEnded: (component) => ended.has(component),
    follow: (follower) => void followers.push(follower),
    next: () => schedule.next(),
    step,
    run(until) {
      while (!stopped && (schedule.next() ?? Infinity) <= until) {
        step();
        if (options.progress && ++steps % REPORT_EVERY === 0) options.progress(now);
      }
      const rests = schedule.next() === undefined;
      if (!rests && !stopped) now = until;
      return rests;
    },
    reconciles: () => reconciles,
    pending,
    stop: () => void (stopped = true),
    save: (end) => ({
      now: end,
      due: schedule.all().flatMap((item) => {
        if ('task' in item) return [];
        const { controller, key, time } = item;
        return [{ controller, key, time }];
      }),
      parked: retries.present(parked.all(), end),
      ...saveQueues(queues),
      buckets: retries.save(),
      paced: paced.save(),
      single: single.save(),
      ...(ended.size > 0 && { ended: [...ended] }),
    }),
  };
}

function refusal(refused: string): Failure {
  return { reason: 'Refused', message: refused, unless: [] };
}
