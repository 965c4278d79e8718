import type { ConditionStatus, ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { snapshotKey } from '../objects/identities.ts';
import type { View } from '../controllers/view.ts';
import type { Write } from '../controllers/write.ts';
import type { Scenario, ScenarioAction, ScenarioEvent } from '../scenario.ts';
import { scheduleBinding } from '../scheduling/scheduler.ts';
import type { ScheduleTrace } from '../scheduling/trace.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { canonicalOrdering, type Ordering } from '../virtualTime/ordering.ts';
import { createVirtualTime, type VirtualTime } from '../virtualTime/virtualTime.ts';
import { followFlapping, type FlappingWorkloads } from '../verdicts/flapping.ts';
import { followOutcomes, type Outcomes, type SimulationEnd } from '../verdicts/outcomes.ts';
import { karmadaControllers } from './karmadaControllers.ts';
import { followReadyReplicas, type ReadyReplicas } from '../verdicts/readyReplicas.ts';
import { MissingObject, scenarioWrites } from './scenarioWrites.ts';
import type { ReadinessChange, TimelineEvent, TracedAttempt } from './timeline.ts';
import { timelineOf } from './timeline/timelineOf.ts';

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
  for (const event of planned)
    time.plan(event.at, () => {
      const resumed = saved?.events.includes(event) ?? false;
      for (const write of writesOf(event, start, time, resumed)) time.write('scenario', [write]);
    });
  for (const event of planned) planUnnoticed(event, { start, time }, ordering);
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

/** What an event writes now: nothing if its object was there and has gone meanwhile, as nobody can write to it then. */
function writesOf(
  { action }: ScenarioEvent,
  start: StartingWorld,
  time: VirtualTime,
  resumed: boolean,
): readonly Write[] {
  try {
    return scenarioWrites(action, time.view, start.configuration, time.now());
  } catch (error) {
    if (error instanceof MissingObject && (resumed || start.get(error.kind, error.key))) return [];
    throw error;
  }
}

/**
 * A condition Ready that comes from outside tells what Karmada has noticed. In other orders the member has turned as long
 * before as Karmada takes to notice it.
 */
function planUnnoticed(
  { at, action }: ScenarioEvent,
  { start: { configuration, start }, time }: Stage,
  { unseen }: Ordering,
): void {
  if (action.type !== 'condition' || action.condition.type !== 'Ready') return;
  const { cluster, condition } = action;
  const place = unseen(`${cluster} ${at}`);
  if (place === undefined) return;
  const turned = at - unnoticed(condition.status, place, configuration);
  time.plan(Math.max(start, turned), () => {
    if (!time.view.get('Cluster', cluster)) return;
    const turn: ScenarioAction = { type: condition.status === 'True' ? 'recover' : 'fail', cluster };
    time.write('scenario', scenarioWrites(turn, time.view, configuration, time.now()));
  });
}

/** For how long (milliseconds) Karmada has not noticed that a member has turned; `place` from 0 to 1. */
function unnoticed(status: ConditionStatus, place: number, { controllerManager }: Configuration): number {
  switch (status) {
    case 'True':
      return place * controllerManager['cluster-success-threshold'];
    case 'False':
      return (
        controllerManager['cluster-failure-threshold'] +
        place * controllerManager['cluster-status-update-frequency']
      );
    case 'Unknown':
      return (
        controllerManager['cluster-monitor-grace-period'] +
        place * controllerManager['cluster-monitor-period']
      );
  }
}

/** Each time the scheduler comes to the binding, with all that it sees. */
function traceAttempts(traced: string, attempts: TracedAttempt[]) {
  return (controller: string, key: string, view: View, now: number): void => {
    const binding = controller === 'scheduler' && key === traced ? view.get('Binding', key) : undefined;
    if (!binding) return;
    const trace: ScheduleTrace = { attempts: [] };
    const outcome = scheduleBinding({ snapshot: view.fleet, binding, now, trace });
    if (outcome.trigger) attempts.push({ time: now, binding, snapshot: view.fleet, outcome, trace });
  };
}

/** Notes how many replicas of a binding are ready, whenever that changes. */
function traceReadiness(traced: string, ready: ReadyReplicas, time: VirtualTime): ReadinessChange[] {
  const changes: ReadinessChange[] = [{ time: time.now(), ready: ready.of(traced) }];
  ready.onChange((key) => {
    if (key !== traced) return;
    const now = ready.of(traced);
    if (now !== changes.at(-1)!.ready) changes.push({ time: time.now(), ready: now });
  });
  return changes;
}
