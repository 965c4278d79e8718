import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { clusterOfWork } from '../../../karmada/objects/worksOfBinding.ts';
import type { ChangeOf } from '../../../karmada/controllers/write.ts';
import { latencies } from '../../../karmada/latencies.ts';
import { isWorkload } from '../../../karmada/selection/isWorkload.ts';
import { isAttached } from '../../../karmada/objects/dependents.ts';
import { bindingKey } from '../../../karmada/objects/identities.ts';
import type { Actor, Stage } from '../../../simulator/simulation/simulate.ts';
import { replacementReady } from '../../../karmada/status/replacementReady.ts';
import { bindingState } from '../decide/bindingState.ts';
import { decideRound } from '../decide/decideDrain.ts';
import { createDrainPacer, noteWritten, type DrainPacer } from '../decide/drainPacer.ts';
import { drainSituation, type DrainSituation } from '../decide/drainSituation.ts';
import type { DrainStep, DrainWrite } from '../decide/drainStep.ts';
import type { DrainView } from '../decide/drainView.ts';
import type { DrainOptions } from '../drainOptions.ts';
import { drainOrder } from '../decide/drainOrder.ts';
import { createDrainQueue, type DrainQueue } from './drainQueue.ts';
import { keepTimes, type DrainTimes, type TimesKept } from './drainTimes.ts';
import { servedWrite } from './drainWrite.ts';
import { drainViews } from './drainViews.ts';
import { createLooks, type Looks } from './looks.ts';

/** A drain in a simulation: it decides as on a live control plane, on the same occasions. */
export interface SimulatedDrain {
  actor: Actor;
  /** Call it when the simulation is over. */
  result(): {
    step: DrainStep;
    situation: DrainSituation;
    clusters: readonly Cluster[];
    /** a binding as it is then, with its times; undefined if it was deleted */
    find(binding: ResourceBinding): { current: ResourceBinding; times: DrainTimes } | undefined;
  };
}

/** Looks at one binding, or at everything that is on the drained clusters. */
type Occasion = string;
const ALL = '';

/** A drain that acts in virtual time beside Karmada's controllers. */
export function simulatedDrain(options: DrainOptions, configuration: Configuration): SimulatedDrain {
  const pacer = createDrainPacer();
  const times = keepTimes();
  /** bindings that are, or have a task or Work, on the drained clusters */
  const concerned = new Set<string>();
  let acting: { stage: Stage; viewOf: ViewOf } | undefined;
  return {
    actor(stage) {
      const viewOf = drainViews(stage, options, configuration);
      acting = { stage, viewOf };
      act({ stage, viewOf, options, configuration, pacer, times, concerned });
    },
    result() {
      const { viewOf, stage } = acting!;
      const { time } = stage;
      const view = viewOf(concerned);
      return {
        find(binding) {
          const key = bindingKey(binding);
          const current = time.view.get('Binding', key);
          return current && { current, times: times.of(key) };
        },
        step: decideRound(view, options, configuration, pacer, time.now(), 'all'),
        situation: drainSituation(view, options, configuration, pacer.situation),
        clusters: view.clusters,
      };
    },
  };
}

type ViewOf = (keys: Iterable<string>) => DrainView;

interface Acting {
  stage: Stage;
  viewOf: ViewOf;
  options: DrainOptions;
  configuration: Configuration;
  pacer: DrainPacer;
  times: TimesKept;
  concerned: Set<string>;
}

/** What a simulated drain remembers between two looks. */
interface Underway {
  /** evicted and not yet gone, by key */
  bindings: Set<string>;
  /** those of them that count for the limit of evictions in flight, as far as the drain has seen */
  inFlight: Set<string>;
  queue: DrainQueue;
  /** the last look at everything found no eviction that would come by time alone */
  idle: boolean;
  looks: Looks;
  /** Plans a look, in a moment, at one binding or at everything. */
  soon(occasion: Occasion): void;
}

/** Starts a drain in a simulation: it looks at everything, then at what changes. */
function act(drain: Acting): void {
  const { stage, options, pacer, times, concerned } = drain;
  const { time } = stage;
  const { view } = time;
  const stands = standsTo(new Set(options.clusters));
  const looks = createLooks(time, (occasion) => {
    if (occasion === ALL) lookAtAll(drain, underway);
    else lookAtOne(drain, underway, occasion);
  });
  const underway: Underway = {
    bindings: new Set(),
    inFlight: new Set(),
    queue: createDrainQueue(drainOrder(stands.own), pacer.skipped, (key) => {
      const binding = view.get('Binding', key);
      return binding && stands.isThere(binding) ? binding : undefined;
    }),
    idle: false,
    looks,
    soon: (occasion) => looks.add(occasion, time.now() + latencies.drain),
  };
  const { bindings, inFlight, queue, soon } = underway;

  function bindingChanged({ key, before, after: binding }: ChangeOf<'Binding'>): void {
    const left = before && stands.isBeingEvicted(before) && !(binding && stands.isBeingEvicted(binding));
    // Objects without replicas may have been held for it.
    if (left && isWorkload(before.spec))
      for (const other of bindings) if (other.startsWith(`${before.metadata.namespace ?? ''}/`)) soon(other);
    if (binding && stands.isBeingEvicted(binding)) {
      concerned.add(key);
      if (!bindings.has(key) && !isAttached(binding.spec)) times.evicted(key, time.now());
      if (!bindings.has(key)) inFlight.add(key);
      bindings.add(key);
    }
    // Its dependents are held as long as it is being evicted.
    for (const dependent of view.attachedTo(key))
      if (bindings.has(bindingKey(dependent))) soon(bindingKey(dependent));
    if (bindings.has(key)) soon(key);
    else if (binding && stands.isThere(binding)) {
      concerned.add(key);
      queue.add(key);
      if (underway.idle) soon(ALL);
    } else if (concerned.has(key)) {
      // It left without a task.
      bindings.add(key);
      inFlight.add(key);
      soon(key);
    }
  }

  function clusterChanged({ before, after }: ChangeOf<'Cluster'>): void {
    const judged =
      before?.spec?.taints !== after?.spec?.taints ||
      before?.status?.conditions !== after?.status?.conditions ||
      before?.metadata !== after?.metadata;
    if (underway.idle || judged) soon(ALL);
    if (before?.status?.conditions !== after?.status?.conditions) bindings.forEach(soon);
  }

  function workChanged({ before, after }: ChangeOf<'Work'>): void {
    const work = (after ?? before)!;
    const binding = clusterOfWork(work) === undefined ? undefined : view.bindingOf(work);
    if (!binding || !bindings.has(bindingKey(binding))) return;
    // Karmada may end its task before the drain looks.
    noteReady(drain, binding, drain.viewOf([bindingKey(binding)]));
    soon(bindingKey(binding));
  }

  for (const name of options.clusters)
    for (const binding of [...view.bindingsOn(name), ...view.bindingsLeaving(name)])
      concerned.add(bindingKey(binding));
  for (const key of concerned) {
    const binding = view.get('Binding', key)!;
    // After an earlier drain of fewer clusters, it may have left one cluster and still be on another.
    if (stands.isThere(binding)) queue.add(key);
    if (!stands.isBeingEvicted(binding)) continue;
    bindings.add(key);
    inFlight.add(key);
    soon(key);
  }
  time.follow(({ changes }) => {
    for (const change of changes)
      if (change.kind === 'Cluster') clusterChanged(change);
      else if (change.kind === 'Binding') bindingChanged(change);
      else if (change.kind === 'Work') workChanged(change);
  });
  looks.add(ALL, time.now());
}

/** Tests where a binding stands with the drained clusters. */
function standsTo(own: ReadonlySet<string>) {
  return {
    own,
    isThere: ({ spec }: ResourceBinding) => spec.clusters?.some(({ name }) => own.has(name)) ?? false,
    isBeingEvicted: ({ spec }: ResourceBinding) =>
      spec.gracefulEvictionTasks?.some(({ fromCluster }) => own.has(fromCluster)) ?? false,
  };
}

/** Writes that must come before an eviction. */
const PREPARING: ReadonlySet<DrainWrite['type']> = new Set(['cordon', 'taint', 'hold-dependent']);

function lookAtAll(drain: Acting, underway: Underway): void {
  const { stage, viewOf, options, configuration, pacer } = drain;
  const { queue, looks, soon } = underway;
  const now = stage.time.now();
  const look = (keys: readonly string[]) =>
    decideRound(viewOf(keys), options, configuration, pacer, now, 'none');
  // Bindings in flight matter only if their number is limited.
  const inFlight = options.pace.maxConcurrent === undefined ? [] : [...underway.inFlight];
  const prepares = ({ writes }: DrainStep) => writes.some(({ type }) => PREPARING.has(type));
  let step = look(inFlight);
  if (!prepares(step)) {
    for (let some = queue.next(); some.length > 0; some = queue.next()) {
      step = look([...inFlight.filter((key) => !some.includes(key)), ...some]);
      if (!step.nothingGoes) break;
      queue.setAside(some);
    }
    queue.rewind();
  }
  for (const write of step.writes) carryOut(drain, underway, write);
  const preparing = prepares(step);
  if (preparing) soon(ALL);
  underway.idle = !preparing && step.nextEvictionAt === undefined;
  if (step.lookAgainAt !== undefined) looks.add(ALL, step.lookAgainAt);
}

function lookAtOne(drain: Acting, underway: Underway, key: string): void {
  const { stage, viewOf, options, configuration, pacer, times, concerned } = drain;
  if (!underway.bindings.has(key)) return;
  const now = stage.time.now();
  const seen = viewOf([key]);
  const binding = stage.time.view.get('Binding', key);
  const situation = drainSituation(seen, options, configuration, pacer.situation);
  if (binding) noteReady(drain, binding, seen);
  if (!binding || !bindingState(binding, situation, seen, configuration.rules)) {
    underway.bindings.delete(key);
    concerned.delete(key);
    times.of(key).goneAt = now;
    underway.inFlight.delete(key);
    if (underway.idle) underway.soon(ALL);
    return;
  }
  const step = decideRound(seen, options, configuration, pacer, now, 'shown');
  if (step.inFlight > 0) underway.inFlight.add(key);
  else if (underway.inFlight.delete(key) && underway.idle) underway.soon(ALL);
  for (const write of step.writes)
    if (write.type === 'release' || write.type === 'release-dependent') carryOut(drain, underway, write);
  if (step.lookAgainAt !== undefined) underway.looks.add(key, step.lookAgainAt);
}

/** Notes when the replacement of a binding was first seen ready. */
function noteReady(
  { stage, options, configuration, pacer, times }: Acting,
  binding: ResourceBinding,
  seen: DrainView,
): void {
  const known = times.of(bindingKey(binding));
  if (known.readyAt !== undefined) return;
  const { clusters } = drainSituation(seen, options, configuration, pacer.situation);
  const { view } = stage.time;
  const rules = configuration.rules.scheduling;
  if (replacementReady(binding, view.worksOf(binding), clusters, view.hooks, rules).ready)
    known.readyAt = stage.time.now();
}

function carryOut(
  { stage, pacer, times }: Acting,
  { bindings, inFlight }: Underway,
  write: DrainWrite,
): void {
  const now = stage.time.now();
  const served = servedWrite(write);
  if (served.arrives) noteWritten(pacer, write, now);
  if (write.type === 'evict') {
    bindings.add(bindingKey(write.binding));
    inFlight.add(bindingKey(write.binding));
    times.evicted(bindingKey(write.binding), now);
  }
  stage.time.write('drain', [served.write]);
}
