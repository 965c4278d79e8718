import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { NamedController } from '../../karmada/controllers/controller.ts';
import { snapshotKey } from '../../karmada/objects/identities.ts';
import type { Scenario } from '../scenario.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { canonicalOrdering, type Ordering } from '../virtualTime/ordering.ts';
import { createVirtualTime, type VirtualTime, type VirtualTimeOptions } from '../virtualTime/virtualTime.ts';
import { type FlappingWorkloads, followFlapping } from '../verdicts/flapping.ts';
import type { SimulationEnd } from '../verdicts/outcome.ts';
import { followOutcomes, type Outcomes } from '../verdicts/outcomes.ts';
import { karmadaControllers } from '../../karmada/running/karmadaControllers.ts';
import { followReadyReplicas, type ReadyReplicas } from '../verdicts/readyReplicas.ts';
import { type FollowedSpans, followSpans } from './followSpans.ts';
import { planEvents } from './plannedEvents.ts';
import type { ReadinessChange, TracedAttempt } from './simulation.ts';
import type { TimelineEvent } from './timeline/timelineEvent.ts';
import { timelineOf } from './timeline/timelineOf.ts';
import type { View } from '../../karmada/controllers/view.ts';
import { scheduleBinding } from '../../karmada/scheduling/scheduleBinding.ts';
import type { ScheduleTrace } from '../../karmada/scheduling/trace.ts';
import type { ResumableWorld } from '../store/savedSimulation.ts';

/** How long a simulation continues after the last external event (milliseconds): every relevant process is shorter. */
const LONGEST = 24 * 3600_000;

/** The longest wait for a turn in the eviction queue: at a rate near 0 the next turn is centuries away. */
const LONGEST_IN_QUEUE = 10 * 365 * LONGEST;

/** After this many events, a simulation with a set end omits those of repeating cycles. */
const ENOUGH_OF_CYCLES = 2000;

const NONE: ReadonlySet<string> = new Set();

/** Karmada's controllers on a world, for an actor beside them. */
export interface Stage {
  start: StartingWorld;
  time: VirtualTime;
}

export interface StageOptions {
  /** a binding whose scheduling attempts and readiness are recorded in full */
  trace?: ObjectIdentity;
  /** whether to record the course of each workload as spans */
  spans?: boolean;
  /** names of gates and flags whose values are unverified */
  unverified?: ReadonlySet<string>;
  /** called occasionally with the simulated instant (epoch milliseconds) */
  progress?: (now: number) => void;
  /** produce only outcomes, no events and no evidence */
  outcomesAlone?: boolean;
  /**
   * epoch milliseconds at which to stop if the simulation has not settled, for an actor that takes longer than a day;
   * `Scenario.until` overrides it
   */
  latest?: number;
  /** controllers beside Karmada's */
  beside?: readonly NamedController[] | undefined;
  /** decides the processing order; absent: the reported one */
  ordering?: Ordering;
  /** keys of the only bindings that are simulated: see `VirtualTimeOptions` */
  alone?: ReadonlySet<string>;
  /** called before each reconcile */
  beforeReconcile?: VirtualTimeOptions['beforeReconcile'];
}

/** Karmada's controllers at the start of a scenario; only flapping is watched. */
export interface UnwatchedStage extends Stage {
  flapping: FlappingWorkloads;
  /** epoch milliseconds of the last external event */
  lastEvent: number;
  /** Runs until it settles, or until the time to stop. */
  play(): SimulationEnd;
}

/** The same, while following the outcomes of workloads. */
export interface SetStage extends UnwatchedStage {
  outcomes: Outcomes;
  events: TimelineEvent[];
  /** of the traced binding */
  attempts: TracedAttempt[];
  readiness: ReadinessChange[] | undefined;
  /** if requested */
  spans: FollowedSpans | undefined;
}

/** Starts Karmada's controllers on a world, and plans the scenario. Nothing happens before `play`. */
export function setStage(start: StartingWorld, scenario: Scenario, options: StageOptions = {}): SetStage {
  const { trace, unverified = NONE, outcomesAlone } = options;
  const traced = trace && snapshotKey(trace);
  const attempts: TracedAttempt[] = [];
  const beforeReconcile = traced === undefined ? options.beforeReconcile : traceAttempts(traced, attempts);
  const time = startTime(start, scenario, options, { explained: !outcomesAlone, beforeReconcile });
  const saved = start.world.simulation;
  const ready = followReadyReplicas(time, saved, options.alone !== undefined);
  const events: TimelineEvent[] = [];
  const endless = isEndless(scenario);
  if (!outcomesAlone)
    time.follow((happening) => {
      const { flapping } = stage;
      const enough = endless || (saved?.told ?? 0) + events.length >= ENOUGH_OF_CYCLES;
      if (enough && flapping.cyclesAlone()) return;
      // Three rounds of a cycle are enough if the simulation continues only for other workloads and has no set end.
      const mayRepeat = endless && flapping.some();
      for (const event of timelineOf(happening, time.view))
        if (!mayRepeat || !flapping.isShown(snapshotKey(event.object))) events.push(event);
    });
  const stage = directed(start, time, scenario, options);
  const spans = options.spans ? followSpans(start, time, ready) : undefined;
  const outcomes = followOutcomes(start, time, ready, stage.flapping, unverified, spans?.missing);
  const readiness = traced === undefined ? undefined : traceReadiness(traced, ready, time);
  return { ...stage, outcomes, events, attempts, readiness, spans };
}

/** The same for a caller that only needs to know whether workloads leave. */
export function setUnwatchedStage(
  start: StartingWorld,
  scenario: Scenario,
  options: Pick<StageOptions, 'ordering' | 'latest' | 'beside'>,
): UnwatchedStage {
  return directed(start, startTime(start, scenario, options, { explained: false }), scenario, options);
}

function startTime(
  start: StartingWorld,
  { members }: Scenario,
  { ordering = canonicalOrdering, progress, beside = [], alone }: StageOptions,
  watched: Pick<VirtualTimeOptions, 'explained' | 'beforeReconcile'>,
): VirtualTime {
  const saved = start.world.simulation?.queues;
  return createVirtualTime(start, {
    controllers: [...beside, ...karmadaControllers(members)],
    ordering,
    saved,
    progress,
    alone,
    ...watched,
  });
}

/** Whether anything waits in the eviction queue of the design optimize-cluster-failover. */
function givesTurns(time: VirtualTime): boolean {
  const now = time.now();
  for (const one of time.pending()) if (one.controller === 'eviction-queue' && one.time <= now) return true;
  return false;
}

/** Whether cycles are played to a set end, because the user asked for the state at that time. */
function isEndless({ until }: Scenario): boolean {
  return until === undefined;
}

/** Plans the scenario, and decides when to stop. */
function directed(
  start: StartingWorld,
  time: VirtualTime,
  scenario: Scenario,
  options: StageOptions,
): UnwatchedStage {
  const { latest, ordering = canonicalOrdering } = options;
  const saved = start.world.simulation;
  const planned = [...(saved?.events ?? []), ...scenario.events];
  const lastEvent = planned.reduce((last, { at }) => Math.max(last, at), saved?.lastEvent ?? scenario.start);
  const flapping = followFlapping(time, {
    lastEvent,
    ...(isEndless(scenario) && { onCyclesAlone: () => time.stop() }),
    saved: saved?.flapping,
  });
  planEvents(scenario.events, saved?.events ?? [], start, time, ordering, scenario.until);
  return {
    start,
    time,
    flapping,
    lastEvent,
    play() {
      const latestOfAll = scenario.until ?? latest;
      let limit = latestOfAll ?? Math.max(scenario.start, lastEvent + LONGEST);
      let atRest = time.run(limit);
      // The single queue may be busy for days, or give one turn a month: then the days in between are skipped.
      const longest = limit + LONGEST_IN_QUEUE;
      while (latestOfAll === undefined && !atRest && time.now() === limit && givesTurns(time)) {
        const next = time.next();
        if (next === undefined || next > longest) break;
        limit = Math.max(limit, next) + LONGEST;
        atRest = time.run(limit);
      }
      return {
        end: scenario.until ?? time.now(),
        atRest,
        quiet: atRest || flapping.cyclesAlone(),
        settled: atRest || scenario.until === undefined,
        asked: scenario.until !== undefined,
      };
    },
  };
}

/** Records each scheduling attempt for the binding, with all of its inputs. */
function traceAttempts(traced: string, attempts: TracedAttempt[]) {
  return (controller: string, key: string, view: View, now: number): void => {
    const binding = controller === 'scheduler' && key === traced ? view.get('Binding', key) : undefined;
    if (!binding) return;
    const trace: ScheduleTrace = { attempts: [] };
    const outcome = scheduleBinding({ snapshot: view.fleet, binding, now, trace });
    if (outcome.trigger) attempts.push({ time: now, binding, snapshot: view.fleet, outcome, trace });
  };
}

/** Records the number of ready replicas of a binding whenever it changes. */
function traceReadiness(traced: string, ready: ReadyReplicas, time: VirtualTime): ReadinessChange[] {
  const changes: ReadinessChange[] = [{ time: time.now(), ready: ready.of(traced) }];
  ready.onChange((key) => {
    if (key !== traced) return;
    const now = ready.of(traced);
    if (now !== changes.at(-1)!.ready) changes.push({ time: time.now(), ready: now });
  });
  return changes;
}

/**
 * The world at the `end` of a simulation (epoch milliseconds), with state that the API does not show: the controllers'
 * queues and memories, the members and their copies, and the remaining events of the scenario. A simulation from it
 * continues seamlessly.
 */
export function savedWorld(
  { start, time, flapping, lastEvent, events }: SetStage,
  scenario: Scenario,
  end: number,
): ResumableWorld {
  const { view } = time;
  const pending = [...(start.world.simulation?.events ?? []), ...scenario.events];
  return {
    clusters: [...view.all('Cluster')],
    bindings: [...view.all('Binding')],
    works: [...view.all('Work')],
    policies: [...view.all('Policy')],
    taintPolicies: [...view.all('ClusterTaintPolicy')],
    others: [...view.all('Object')],
    ...(start.world.unread ? { unread: start.world.unread } : {}),
    simulation: {
      members: Object.fromEntries(view.entries('Member')),
      copies: Object.fromEntries(view.entries('Copy')),
      queues: time.save(end),
      assumptions: scenario.members,
      events: pending.filter(({ at }) => at > end),
      lastEvent,
      reported: Object.fromEntries(start.sampleStatuses()),
      told: (start.world.simulation?.told ?? 0) + events.length,
      flapping: flapping.save(),
    },
  };
}
