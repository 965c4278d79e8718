import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { snapshotKey } from '../objects/identities.ts';
import type { Scenario } from '../scenario.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { canonicalOrdering, type Ordering } from '../virtualTime/ordering.ts';
import { createVirtualTime, type VirtualTime } from '../virtualTime/virtualTime.ts';
import { followFlapping, type FlappingWorkloads } from '../verdicts/flapping.ts';
import { followOutcomes, type Outcomes, type SimulationEnd } from '../verdicts/outcomes.ts';
import { karmadaControllers } from './karmadaControllers.ts';
import { followReadyReplicas } from '../verdicts/readyReplicas.ts';
import { planEvents } from './plannedEvents.ts';
import type { ReadinessChange, TracedAttempt } from './simulation.ts';
import type { TimelineEvent } from './timeline/timelineEvent.ts';
import { timelineOf } from './timeline/timelineOf.ts';
import { traceAttempts, traceReadiness } from './tracedBinding.ts';

/** Nothing of interest waits longer than this after the last event from outside. */
const LONGEST = 24 * 3600_000;

/** Events that are told of a simulation with an end before those of mere cycles are left out. */
const ENOUGH_OF_CYCLES = 2000;

/** Karmada's controllers on a world, for somebody who acts beside them. */
export interface Stage {
  start: StartingWorld;
  time: VirtualTime;
}

export interface StageOptions {
  /** a binding whose scheduling attempts and readiness are wanted in full */
  trace?: ObjectIdentity;
  /** names of gates and flags whose values nobody has confirmed */
  unconfirmed?: ReadonlySet<string>;
  /** is told now and then which instant (epoch milliseconds) the simulation has come to */
  progress?: (now: number) => void;
  /** only the outcomes are wanted: neither events nor what decisions rest on */
  outcomesAlone?: boolean;
  /** epoch milliseconds at which to stop if it has not come to rest, for somebody who acts longer than a day; `Scenario.until` comes before it */
  latest?: number;
  /** decides between what Karmada does not order; absent: the order that simulations are told in */
  ordering?: Ordering;
}

/** Karmada's controllers at the start of a scenario, with those who watch them. */
export interface SetStage extends Stage {
  outcomes: Outcomes;
  events: TimelineEvent[];
  /** of the traced binding */
  attempts: TracedAttempt[];
  readiness: ReadinessChange[] | undefined;
  flapping: FlappingWorkloads;
  /** epoch milliseconds: nothing comes from outside after that */
  lastEvent: number;
  /** Runs time until nothing more happens, or it is the time to stop. */
  play(): SimulationEnd;
}

/** Starts Karmada's controllers on a world, and plans the scenario. Nothing happens before time is run. */
export function setStage(start: StartingWorld, scenario: Scenario, options: StageOptions = {}): SetStage {
  const {
    trace,
    unconfirmed = new Set(),
    progress,
    outcomesAlone,
    latest,
    ordering = canonicalOrdering,
  } = options;
  const traced = trace && snapshotKey(trace);
  const attempts: TracedAttempt[] = [];
  const time = createVirtualTime(start, {
    controllers: karmadaControllers(scenario.members),
    ordering,
    explained: !outcomesAlone,
    saved: start.world.simulation?.queues,
    progress,
    beforeLook: traced === undefined ? undefined : traceAttempts(traced, attempts),
  });
  const ready = followReadyReplicas(time, start.world.simulation);
  const events: TimelineEvent[] = [];
  const saved = start.world.simulation;
  const planned = [...(saved?.events ?? []), ...scenario.events];
  const lastEvent = planned.reduce((last, { at }) => Math.max(last, at), saved?.lastEvent ?? scenario.start);
  // Cycles go on if somebody wants to know how things are at an instant.
  const endless = scenario.until === undefined && latest === undefined;
  if (!outcomesAlone)
    time.follow((happening) => {
      const enough = endless || (saved?.told ?? 0) + events.length >= ENOUGH_OF_CYCLES;
      if (enough && flapping.cyclesAlone()) return;
      const told = timelineOf(happening, time.view);
      // Three times the same tell what goes on, if others are waited for and not an instant.
      events.push(...(endless ? told.filter(({ object }) => !flapping.of(snapshotKey(object))) : told));
    });
  const flapping = followFlapping(time, lastEvent, () => endless && time.stop(), saved?.flapping);
  const outcomes = followOutcomes(start, time, ready, flapping, unconfirmed);
  const readiness = traced === undefined ? undefined : traceReadiness(traced, ready, time);
  planEvents(scenario.events, saved?.events ?? [], start, time, ordering);
  return {
    start,
    time,
    outcomes,
    events,
    attempts,
    readiness,
    flapping,
    lastEvent,
    play() {
      const atRest = time.run(scenario.until ?? latest ?? Math.max(scenario.start, lastEvent + LONGEST));
      return {
        end: scenario.until ?? time.now(),
        atRest,
        settled: atRest || scenario.until === undefined,
      };
    },
  };
}
