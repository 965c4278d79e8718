import type { Controller, Failure, Step, Wake } from '../controllers/controller.ts';
import type { View } from '../controllers/view.ts';
import type { Change, Write } from '../controllers/write.ts';
import type { Evidence } from '../evidence.ts';
import { createStore, type Store } from '../store/store.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { nextRetry, STANDARD_BACK_OFF } from '../controllers/retryBackoff.ts';
import { reaction, secondLook, usualReaction } from './reactions.ts';
import { createPacedQueues } from './pacedQueues.ts';
import { createParkedKeys, lastBeat, nextBeat } from './parkedKeys.ts';
import type { Ordering } from './ordering.ts';
import type { ParkedKey, SavedQueues } from '../controllers/savedQueues.ts';
import { createSchedule } from './schedule.ts';

/** Karmada's controllers on a world in virtual time. */
export interface VirtualTime {
  readonly view: Store;
  /** the present instant, epoch milliseconds */
  now(): number;
  /** Plans something that is no controller's; of equal instants it is first. What is planned so cannot be saved. */
  plan(at: number, task: () => void): void;
  /** Somebody other than a controller writes. What an API server would refuse does nothing, and is not told of. */
  write(by: string, writes: readonly Write[], evidence?: Evidence[]): void;
  /** Tells of every look that wrote, noted or failed, and of writes of others, right afterwards. */
  follow(follower: (happening: Happening) => void): void;
  /**
   * Runs until nothing is left to do or the next look lies after `until` (epoch milliseconds). Looks that cannot find anything new
   * are left out, so an empty schedule means rest: true.
   */
  run(until: number): boolean;
  /** Moves on to the next look and takes it; false if nothing is left to do. */
  step(): boolean;
  /** how many looks there have been: what the run has cost */
  looks(): number;
  /** Nothing more is looked at. */
  stop(): void;
  /** All that goes on at `end` (epoch milliseconds), which time has been run to. */
  save(end: number): SavedQueues;
}

/** A step of a controller, or the writes of somebody else, with what they changed. */
export interface Happening {
  /** epoch milliseconds */
  time: number;
  /** the controller, or "scenario", "drain" */
  by: string;
  /** the key that was looked at */
  key?: string;
  changes: readonly Change[];
  step?: Step<unknown>;
  /** it failed in the same way when it was looked at before */
  failsAgain?: boolean;
  evidence: Evidence[];
}

export interface VirtualTimeOptions {
  controllers: readonly Controller[];
  /** decides between what Karmada does not order */
  ordering: Ordering;
  /** evidence is wanted */
  explained: boolean;
  /** what an earlier run has saved; else controllers resume by what the world shows */
  saved?: SavedQueues | undefined;
  /** is told of every look before it happens */
  beforeLook?: ((controller: string, key: string, view: View, now: number) => void) | undefined;
  /** is told now and then which instant (epoch milliseconds) time has come to */
  progress?: ((now: number) => void) | undefined;
}

/** A look at a key, and its instant (epoch milliseconds). */
interface Due {
  controller: string;
  key: string;
  time: number;
}

type Item = Due | { task: () => void };

/** Looks between two reports of progress. */
const REPORT_EVERY = 1000;

/**
 * Virtual time at the start of a world. Nothing has been looked at yet.
 *
 * Longer than a function should be: queues, memory and failures of all controllers meet in one loop, and each of the
 * inner functions is one thing that happens there.
 */
export function createVirtualTime(start: StartingWorld, options: VirtualTimeOptions): VirtualTime {
  const { configuration } = start;
  const { ordering, saved } = options;
  const store = createStore(start);
  const controllers = new Map<string, Controller>();
  for (const one of options.controllers)
    if (one.runs?.(configuration) ?? true) controllers.set(one.name, one);
  const schedule = createSchedule<Item>();
  /** for each controller when its keys are due; what is scheduled for a key otherwise counts no longer */
  const due = new Map<string, Map<string, Due>>([...controllers.keys()].map((name) => [name, new Map()]));
  const memories = new Map<string, Map<string, unknown>>(
    [...controllers.keys()].map((name) => [name, new Map(Object.entries(saved?.memories[name] ?? {}))]),
  );
  /** keys that have failed since their last success */
  const failing = new Map<string, { since: number; message: string }>(Object.entries(saved?.failing ?? {}));
  /** a controller that has written itself is busy with others until it comes back to the key */
  const busyUntil = new Map<string, number>(Object.entries(saved?.busyUntil ?? {}));
  const parked = createParkedKeys();
  const paced = createPacedQueues(controllers.values(), configuration, saved?.paced);
  const followers: ((happening: Happening) => void)[] = [];
  let now = saved?.now ?? start.start;
  let looks = 0;
  let steps = 0;
  let stopped = false;

  function at(instant: number, controller: string, key: string): void {
    const keys = due.get(controller)!;
    const planned = keys.get(key);
    const time = Math.max(instant, now);
    if (planned !== undefined && planned.time <= time) return;
    const item = { controller, key, time };
    keys.set(key, item);
    schedule.add(time, item);
  }

  function add(controller: string, { key, after = 0, fresh }: Wake, change?: Change): void {
    if (!controllers.has(controller)) return;
    const id = `${controller} ${key}`;
    if (fresh) failing.delete(id);
    const instant = now + after + reaction(controller, change) + ordering.delay(controller, key);
    if (paced.has(controller)) {
      paced.add(controller, key, after === 0 ? undefined : instant, now);
      wakePaced(controller);
    } else at(Math.max(instant, busyUntil.get(id) ?? 0), controller, key);
  }

  function wakePaced(controller: string): void {
    const next = paced.next(controller);
    if (next !== undefined) at(next, controller, '');
  }

  function changed(change: Change): void {
    for (const [name, controller] of controllers) {
      const wakes = controller.wakes[change.kind] as
        ((change: Change, view: View, context: unknown) => Iterable<Wake>) | undefined;
      if (!wakes) continue;
      for (const wake of wakes(change, store, { configuration, now })) add(name, wake, change);
    }
    for (const one of parked.concernedBy(change))
      if (one.last === undefined || one.last >= now) at(nextBeat(one, now), one.controller, one.key);
  }

  /** Writes one after the other; the first refusal ends it. */
  function commit(writes: readonly Write[]): { changes: Change[]; refused?: string } {
    const changes: Change[] = [];
    for (const one of writes) {
      const change = store.write(named(one), now);
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

  function look(name: string, key: string): 'succeeded' | 'failed' {
    looks++;
    const controller = controllers.get(name)!;
    const memory = memories.get(name)!;
    options.beforeLook?.(name, key, store, now);
    const id = `${name} ${key}`;
    const waited = parked.leave(name, key);
    const evidence: Evidence[] | undefined = options.explained ? [] : undefined;
    const { draw } = ordering;
    const step = controller.look({
      key,
      view: store,
      memory: memory.get(key),
      configuration,
      now,
      evidence,
      draw,
    });
    const { changes, refused } = commit(step.writes ?? []);
    if (refused === undefined) {
      if (step.memory === undefined) memory.delete(key);
      else memory.set(key, step.memory);
    }
    const busy = changes.length > 0 ? secondLook(name) : undefined;
    if (busy !== undefined) busyUntil.set(id, now + busy);
    changes.forEach(changed);
    for (const { queue, ...wake } of ordering.arrange(step.enqueues ?? [])) add(queue, wake);
    const failure = refused === undefined ? step.failure : refusal(refused);
    const failsAgain = failure !== undefined && failing.get(id)?.message === failure.message;
    plan(name, key, step, failure, waited);
    if (changes.length > 0 || step.notes?.length || failure)
      tell({ time: now, by: name, key, changes, step, failsAgain, evidence: evidence ?? [] });
    return failure ? 'failed' : 'succeeded';
  }

  /** When a key is looked at again, though nothing has changed. */
  function plan(
    controller: string,
    key: string,
    { again }: Step<unknown>,
    failure: Failure | undefined,
    waited: ParkedKey | undefined,
  ): void {
    const id = `${controller} ${key}`;
    if (failure) {
      const since = failing.get(id)?.since ?? failure.since ?? now;
      failing.set(id, { since, message: failure.message });
      // A paced queue has a back-off of its own.
      if (paced.has(controller)) return;
      const backOff = failure.backOff ?? STANDARD_BACK_OFF;
      if (failure.unless.length === 0) at(nextRetry(since, now + 1, backOff), controller, key);
      else parked.park({ controller, key, interests: failure.unless, since, beat: { backOff } });
      return;
    }
    failing.delete(id);
    if (!again) {
      const last = waited && lastBeat(waited, now);
      if (last !== undefined) parked.park({ ...waited!, last });
    } else if (paced.has(controller)) add(controller, { key, after: again.after });
    else if (again.unless) {
      // A look in between does not put off the one that is asked for already.
      const since = waited && lastBeat(waited, now) !== undefined ? waited.since : now;
      parked.park({ controller, key, interests: again.unless, since, beat: { every: again.after } });
    } else at(now + again.after, controller, key);
  }

  function tell(happening: Happening): void {
    for (const follower of followers) follower(happening);
  }

  function step(): boolean {
    const next = schedule.take();
    if (!next) return false;
    now = next.at;
    run(next.item);
    return true;
  }

  function run(item: Item): void {
    if ('task' in item) return item.task();
    const { controller, key } = item;
    const keys = due.get(controller)!;
    if (keys.get(key) !== item) return;
    keys.delete(key);
    if (!paced.has(controller)) {
      look(controller, key);
      return;
    }
    paced.work(controller, now, (one) => look(controller, one));
    wakePaced(controller);
  }

  if (saved) resumeSaved(saved);
  else
    for (const [name, controller] of controllers)
      for (const wake of controller.resumes?.(store, { configuration, now }) ?? [])
        add(name, { ...wake, after: wake.after ?? usualReaction(name) });

  function resumeSaved({ due: planned, parked: waiting }: SavedQueues): void {
    for (const { time, controller, key } of planned)
      if (controllers.has(controller)) at(time, controller, key);
    for (const one of waiting) if (controllers.has(one.controller)) parked.park(one);
  }

  return {
    view: store,
    now: () => now,
    plan: (instant, task) => schedule.add(Math.max(instant, now), { task }, 'outside'),
    write(by, writes, evidence = []) {
      const { changes } = commit(writes);
      changes.forEach(changed);
      if (changes.length > 0) tell({ time: now, by, changes, evidence });
    },
    follow: (follower) => void followers.push(follower),
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
    looks: () => looks,
    stop: () => void (stopped = true),
    save: (end) => ({
      now: end,
      due: schedule
        .all()
        .flatMap(({ item }) =>
          'task' in item || due.get(item.controller)!.get(item.key) !== item ? [] : [item],
        ),
      parked: parked.all(),
      memories: Object.fromEntries([...memories].map(([name, keys]) => [name, Object.fromEntries(keys)])),
      failing: Object.fromEntries(failing),
      busyUntil: Object.fromEntries([...busyUntil].filter(([, until]) => until > end)),
      paced: paced.save(),
    }),
  };
}

function refusal(refused: string): Failure {
  return { reason: 'Refused', message: refused, unless: [] };
}
