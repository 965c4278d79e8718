import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type {
  ReconcileRequest,
  NamedController,
  Step,
  Wake,
  WakeContext,
} from '../../karmada/controllers/controller.ts';
import type { View } from '../../karmada/controllers/view.ts';
import type { ChangeOf } from '../../karmada/controllers/write.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { bindingKey } from '../../karmada/objects/identities.ts';
import { clusterOfWork } from '../../karmada/objects/worksOfBinding.ts';
import { isWorkload } from '../../karmada/objects/placement.ts';
import { bindingsConcernedBy, bindingState, isLeaving, isOn } from './decide/bindingState.ts';
import { decideRound, responsesIn, type DecidedRound } from './decide/decideDrain.ts';
import {
  closedRun,
  RUN_KEY,
  latestOf,
  openRun,
  type DrainRun,
  type DrainMemory,
  type SchedulerResponse,
  type OpenRun,
  type ReadMemory,
} from './decide/drainMemory.ts';
import { drainOrder } from './decide/drainOrder.ts';
import { createDrainQueue, type DrainQueue } from './decide/drainQueue.ts';
import type { Drain } from './decide/drainRound.ts';
import { drainSituation } from './decide/drainSituation.ts';
import { lastPlacement, unresponsiveSince } from './decide/silentScheduler.ts';

/** Milliseconds. Changes within this time share one round. */
const TOGETHER = 100;

/** The name of a drain in timelines and drivers. */
const DRAIN = 'drain';

/**
 * A drain as a controller. Under its own key it cordons its clusters and evicts the next binding, at its pace. Under
 * the key of an evicted binding it deletes the old copies once their replacement is ready. `decideRound` decides both.
 */
interface DrainController extends NamedController {
  readonly drain: Drain;
  begins(start: Pick<ReconcileRequest<DrainMemory>, 'view' | 'recall' | 'now'>): void;
  reconcile(request: ReconcileRequest<DrainMemory>): Step<DrainMemory>;
}

/**
 * A drain's index of the leaving bindings, so that rounds need not scan all of them. Derived from the view and the
 * memory: a controller in a new process rebuilds it.
 */
interface Underway {
  /** keys of the bindings that are evicted, or have left without a task, and are not gone yet */
  readonly bindings: Set<string>;
  /** those of them that count towards the limit of evictions in flight that the drain has seen */
  readonly inFlight: Set<string>;
  readonly queue: DrainQueue;
  /** the scheduler's last response, and the bindings that wait for one */
  readonly heard: Map<string, SchedulerResponse>;
  answered: number | undefined;
  /** epoch milliseconds, by their tasks */
  lastEvictionAt: number | undefined;
  /** the last full round found no eviction that becomes due by time alone */
  idle: boolean;
}

/**
 * A drain before its first round.
 *
 * @param name the drain's name, where there are several
 */
export function createDrainController(given: Omit<Drain, 'cached'>, name = DRAIN): DrainController {
  const drain: Drain = { ...given, cached: { checks: new WeakMap() } };
  const { options, configuration } = drain;
  const own = new Set(options.clusters);
  const courseSoon = { queue: name, ...soon(RUN_KEY) };
  let known: { view: View; underway: Underway } | undefined;
  /** the run as opened, and the memory that it was opened from */
  let opened: { from: DrainRun | undefined; course: OpenRun } | undefined;

  const isThere = (binding: ResourceBinding) => isOn(binding, own);
  const isBeingEvicted = (binding: ResourceBinding) => isLeaving(binding, own);

  function underwayIn(view: View, now: number, recall = nothing): Underway {
    if (known?.view === view) return known.underway;
    const waiting = (key: string) => {
      const binding = view.get('Binding', key);
      return binding && isThere(binding) ? binding : undefined;
    };
    const underway: Underway = {
      bindings: new Set(),
      inFlight: new Set(),
      queue: createDrainQueue(drainOrder(own), waiting),
      heard: new Map(),
      answered: undefined,
      lastEvictionAt: undefined,
      idle: true,
    };
    for (const binding of bindingsConcernedBy(view, own)) {
      const key = bindingKey(binding);
      // An earlier drain of fewer clusters may have evicted it from one, and it is still on another.
      if (isThere(binding)) underway.queue.add(key);
      if (isBeingEvicted(binding)) follow(underway, key);
    }
    for (const name of own)
      for (const work of view.worksOn(name)) {
        const binding = view.bindingOf(work);
        if (binding && !isThere(binding)) follow(underway, bindingKey(binding));
      }
    catchUp(underway, view, now, recall);
    known = { view, underway };
    return underway;
  }

  function follow({ bindings, inFlight }: Underway, key: string): void {
    if (bindings.has(key)) return;
    bindings.add(key);
    inFlight.add(key);
  }

  /** Resumes from an earlier process: from its memory, or from the bindings if that is lost. */
  function catchUp(underway: Underway, view: View, now: number, recall: ReadMemory): void {
    const { course } = recall(RUN_KEY) ?? {};
    const bindings = [...underway.bindings].flatMap((key) => view.get('Binding', key) ?? []);
    const input = { view, bindings, recall, course: openRun(course), now };
    const { leavers, lastEvictionAt } = decideRound(drain, input, { evicts: false });
    underway.lastEvictionAt = lastEvictionAt;
    for (const [key, leaver] of leavers) hear(underway, key, recall(key)?.leaver ?? leaver);
    for (const key of course?.evictions ?? []) answer(underway, recall(key)?.leaver?.answered);
    answer(underway, course ? course.answered : lastPlacement(view.all('Binding'), now));
  }

  function openedCourse(from: DrainRun | undefined): OpenRun {
    if (!opened || opened.from !== from) opened = { from, course: openRun(from) };
    return opened.course;
  }

  function* clusterChanged(
    { before, after }: ChangeOf<'Cluster'>,
    view: View,
    { now }: WakeContext,
  ): Iterable<Wake> {
    const { idle, bindings } = underwayIn(view, now);
    if (idle || isJudged(before, after)) yield soon(RUN_KEY);
    if (!deepEqual(before?.status?.conditions, after?.status?.conditions)) yield* keys(bindings);
  }

  function* bindingChanged(
    { key, before, after }: ChangeOf<'Binding'>,
    view: View,
    { now }: WakeContext,
  ): Iterable<Wake> {
    const underway = underwayIn(view, now);
    const { bindings, queue, idle } = underway;
    const evicted = after && isBeingEvicted(after);
    // Objects without replicas may have been held for this workload.
    if (before && isBeingEvicted(before) && !evicted && isWorkload(before.spec))
      for (const other of bindings)
        if (other.startsWith(`${before.metadata.namespace ?? ''}/`)) yield soon(other);
    if (evicted) follow(underway, key);
    // Its dependents are held while it is under eviction.
    for (const dependent of view.attachedTo(key))
      if (bindings.has(bindingKey(dependent))) yield soon(bindingKey(dependent));
    if (bindings.has(key)) yield soon(key);
    else if (after && isThere(after)) {
      queue.add(key);
      if (idle) yield soon(RUN_KEY);
    } else if (before && isThere(before)) {
      // It was removed without a task.
      follow(underway, key);
      yield soon(key);
    }
  }

  function* workChanged(
    { before, after }: ChangeOf<'Work'>,
    view: View,
    { now }: WakeContext,
  ): Iterable<Wake> {
    const work = after ?? before;
    const binding = work && clusterOfWork(work) !== undefined ? view.bindingOf(work) : undefined;
    if (binding && underwayIn(view, now).bindings.has(bindingKey(binding))) yield soon(bindingKey(binding));
  }

  function reconcileDrain({
    view,
    memory,
    recall = nothing,
    now,
  }: ReconcileRequest<DrainMemory>): Step<DrainMemory> {
    const underway = underwayIn(view, now, recall);
    const { queue, heard } = underway;
    const course = openedCourse(memory?.course);
    course.lastEvictionAt = latestOf(course.lastEvictionAt, underway.lastEvictionAt);
    course.answered = latestOf(course.answered, underway.answered);
    const silent = unresponsiveSince([...heard.values(), responsesIn(course)]);
    // Bindings in flight matter only if their number is limited.
    const inFlight = options.pace.maxConcurrent === undefined ? [] : [...underway.inFlight];
    const round = (some: readonly string[]) => {
      const bindings = [...inFlight.filter((key) => !some.includes(key)), ...some].flatMap(
        (key) => view.get('Binding', key) ?? [],
      );
      return decideRound(
        drain,
        { view, bindings, recall, course, now },
        { evicts: true, silentSince: silent },
      );
    };
    let step = round([]);
    if (!step.prepares) {
      for (let some = queue.next(course.skipped); some.length > 0; some = queue.next(course.skipped)) {
        step = round(some);
        if (!step.nothingGoes) break;
        for (const key of some) course.skipped.add(key);
      }
      queue.rewind(course.skipped);
    }
    underway.idle = !step.prepares && step.nextEvictionAt === undefined;
    const evicted = step.evicts;
    if (evicted !== undefined) {
      course.lastEvictionAt = now;
      course.evictions.push(evicted);
    }
    const after = closedRun(course, memory?.course);
    opened = { from: after, course };
    const leaver = evicted === undefined ? undefined : step.leavers.get(evicted);
    const again = Math.min(step.prepares ? now + TOGETHER : Infinity, step.requeueAt ?? Infinity);
    return {
      writes: step.writes,
      memory: { course: after },
      ...(evicted !== undefined &&
        leaver && { enqueues: [{ queue: name, key: evicted, memory: { leaver }, idle: true }] }),
      ...(again < Infinity && { requeue: { after: again - now } }),
    };
  }

  function reconcileBinding({
    key,
    view,
    memory,
    recall = nothing,
    now,
  }: ReconcileRequest<DrainMemory>): Step<DrainMemory> {
    const underway = underwayIn(view, now, recall);
    const { bindings, inFlight } = underway;
    if (!bindings.has(key)) return { ...(memory && { memory }) };
    const binding = view.get('Binding', key);
    const situation = drainSituation(view, options, configuration, drain.cached.situation);
    if (!binding || !bindingState(binding, situation, view, configuration.rules)) {
      bindings.delete(key);
      inFlight.delete(key);
      underway.heard.delete(key);
      return { ...(memory && { memory }), ...(underway.idle && { enqueues: [courseSoon] }) };
    }
    const course = openedCourse(recall(RUN_KEY)?.course);
    const input = { view, bindings: [binding], recall, course, now };
    const { writes, prepares, leavers, requeueAt, ...step } = decideRound(drain, input, { evicts: false });
    const leaver = leavers.get(key) ?? memory?.leaver;
    hear(underway, key, leaver);
    underway.lastEvictionAt = latestOf(underway.lastEvictionAt, step.lastEvictionAt);
    const counts = step.inFlight > 0;
    const isLess = !counts && inFlight.delete(key);
    if (counts) inFlight.add(key);
    return {
      // The writes wait for the preparing ones, such as cordons.
      ...(!prepares && { writes }),
      ...(leaver && { memory: { leaver } }),
      ...(isLess && underway.idle && { enqueues: [courseSoon] }),
      ...(requeueAt !== undefined && { requeue: { after: requeueAt - now } }),
    };
  }

  return {
    name,
    outside: true,
    runs: () => true,
    // It reacts at once, to changes by any client.
    reaction: 0,
    drain,
    wakes: { Cluster: clusterChanged, Binding: bindingChanged, Work: workChanged },
    begins: ({ view, recall, now }) => void underwayIn(view, now, recall),
    *resumes(view, { now }) {
      yield { key: RUN_KEY };
      yield* keys(underwayIn(view, now).bindings);
    },
    reconcile: (request) => (request.key === RUN_KEY ? reconcileDrain(request) : reconcileBinding(request)),
  };
}

/** The next step of a drain, and the state of all its workloads, by its memory; `now` is epoch milliseconds. */
export function drainStatus(
  drain: Drain,
  view: View,
  {
    bindings,
    remembered,
    now,
  }: { bindings: Iterable<ResourceBinding>; remembered: ReadonlyMap<string, DrainMemory>; now: number },
): DecidedRound {
  const recall: ReadMemory = (key) => remembered.get(key);
  const known = recall(RUN_KEY)?.course;
  const seen = known ? bindings : [...bindings];
  const course = openRun(known ?? { answered: lastPlacement(seen, now) });
  return decideRound(drain, { view, bindings: seen, recall, course, now }, { evicts: true, remembered });
}

const nothing: ReadMemory = () => undefined;

const soon = (key: string): Wake => ({ key, after: TOGETHER });

function hear(underway: Underway, key: string, leaver: SchedulerResponse | undefined): void {
  if (leaver?.unanswered === undefined) underway.heard.delete(key);
  else underway.heard.set(key, { unanswered: leaver.unanswered });
  answer(underway, leaver?.answered);
}

function answer(underway: Underway, at: number | undefined): void {
  underway.answered = latestOf(underway.answered, at);
}

function* keys(bindings: Iterable<string>): Iterable<Wake> {
  for (const key of [...bindings]) yield soon(key);
}

/** Whether the fields by which a drain judges a cluster may have changed. */
function isJudged(before: Cluster | undefined, after: Cluster | undefined): boolean {
  return (
    before?.spec?.taints !== after?.spec?.taints ||
    before?.status?.conditions !== after?.status?.conditions ||
    before?.metadata !== after?.metadata
  );
}
