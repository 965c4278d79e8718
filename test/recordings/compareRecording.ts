import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import {
  canonicalOrdering,
  lateEvents,
  otherOrdering,
  type Ordering,
} from '../../src/simulator/virtualTime/ordering.ts';
import { WorldBuilder } from '../../src/state/world/worldBuilder.ts';
import { gapsFrom, type Gap } from './gaps.ts';
import { objectsAt, quietMoments, scenarioFrom, scenarioWithFailures } from './moments.ts';
import { inRecordedTurns, recordedTurns } from './recordedTurns.ts';
import {
  ANNOUNCED_RETRY,
  goesRoundAndRound,
  OF_ORDER,
  ORDER_BY_STEP,
  LEFT_BEHIND,
  UNANNOUNCED,
  WITH_FAILURES,
  leftBehind,
  OTHER_ORDER,
  raceOf,
  RETRY,
  SAME_TURNS,
  STEP_BY_STEP,
  turnsAlike,
  type RaceFacts,
} from './races.ts';
import type { Recording } from './recording.ts';
import { compareSteps, keyOf, simulatedSteps, stepsOf, type PlacementStep, type Steps } from './replay.ts';
import { simulateScenario } from './simulateFiles.ts';
import { isTakenStepByStep, type SimulationsFrom } from './stepByStep.ts';
import {
  bindingOfWork,
  clusterOfWork,
  deletingWorks,
  leadersOf,
  recordedWorks,
  simulatedWorks,
  waitsForAnnouncedRetry,
  waitsForRetry,
  type WorkStep,
} from './workSteps.ts';

/** A binding or a Work that deviates from the recording in the simulation. */
export interface Difference<S> {
  /** "namespace/name", of a Work with " → cluster" */
  key: string;
  recorded: S[];
  simulated: S[];
  /** Karmada's own race that excuses it */
  race?: string;
  /** the simulation called its outcome certain */
  certain?: boolean;
}

export interface Compared<S> {
  same: string[];
  different: Difference<S>[];
}

/** A simulation from a moment of a recording, compared with the rest of the recording. */
export interface ComparedStart {
  /** epoch milliseconds */
  at: number;
  bindings: Compared<PlacementStep>;
  /** how many of the bindings that move, in either, have an outcome that the simulation calls certain */
  certain: number;
  works: Compared<WorkStep>;
  gaps: Gap[];
  /** seconds between the recorded and the simulated time of each equal step, ascending */
  off: number[];
  /** why there is no simulation */
  error?: string;
}

/**
 * Simulates a recording from its start and from its quiet moments, at least `everySeconds` apart, and compares each simulation with the
 * rest of the recording.
 */
export function compareRecording(recording: Recording, everySeconds = 10): ComparedStart[] {
  const moments = [recording.start, ...quietMoments(recording, everySeconds)];
  return moments.map((at) => compareFrom(recording, at));
}

function compareFrom(recording: Recording, at: number): ComparedStart {
  const recorded = stepsFrom(recording, at);
  try {
    const simulation = simulateFrom(recording, at);
    const { same, different, off } = compareSteps(recorded, simulatedSteps(simulation, recorded));
    const failing = onceOnly(() => withFailures(recording, at, recorded));
    const races: RaceFacts = {
      recording,
      at,
      leftBehind: leftBehind(recording, at),
      ...(different.length > 0 && { sameWithFailures: failing().same }),
    };
    const certain = new Set(
      simulation.workloads
        .filter(({ certainty }) => certainty === 'certain')
        .map(({ binding }) => keyOf(binding)),
    );
    const dependsOn = new Map(
      simulation.workloads.map(({ binding, dependsOn: whats = [] }) => [keyOf(binding), whats]),
    );
    const judged = different.map((one): Difference<PlacementStep> => {
      const race = raceOf(one, races);
      const { binding: key, recorded, simulated } = one;
      return { key, recorded, simulated, certain: certain.has(key), ...(race ? { race } : {}) };
    });
    const works = compareWorks(recording, at, simulation, new Set(different.map(({ binding }) => binding)));
    const deleting = deletingWorks(recording, at);
    // Of a deleted workload, nothing more is certain.
    const deleted = new Set(
      simulation.workloads
        .filter(({ outcome }) => outcome === 'deleted')
        .map(({ binding }) => keyOf(binding)),
    );
    const openWorks = works.different.map((one): Difference<WorkStep> => {
      const binding = bindingOfWork(one.key);
      const isCertain = certain.has(binding) && !deleted.has(binding);
      // What the answer itself announces comes before any other excuse.
      if (!isCertain && waitsForAnnouncedRetry(one, dependsOn.get(binding) ?? []))
        return { ...one, certain: false, race: ANNOUNCED_RETRY };
      if (sameWorkSteps(one.recorded, failing().works.get(one.key) ?? []))
        return { ...one, certain: isCertain, race: WITH_FAILURES };
      if (isCertain) return { ...one, certain: true };
      if (races.leftBehind.get(binding)?.has(clusterOfWork(one.key)))
        return { ...one, certain: false, race: LEFT_BEHIND };
      const since = deleting.get(one.key);
      const waits = since !== undefined && waitsForRetry(one, since, recording.until);
      return { ...one, certain: false, ...(waits && { race: RETRY }) };
    });
    const racesOfOrder = otherOrders(recording, at, recorded, {
      // an order that the answer announced is more specific than any other excuse
      bindings: judged.filter((one) => !one.certain),
      works: openWorks.filter((one) => !one.race && !one.certain),
      announced: new Set(
        [...dependsOn].flatMap(([key, whats]) => (whats.some((what) => OF_ORDER.test(what)) ? [key] : [])),
      ),
    });
    const excused = <S>(one: Difference<S>): Difference<S> => {
      const race = racesOfOrder.get(one.key);
      return race ? { ...one, race } : one;
    };
    return {
      at,
      bindings: {
        same,
        different: judged.map(excused),
      },
      certain: [...same, ...different.map(({ binding }) => binding)].filter((key) => certain.has(key)).length,
      works: { same: works.same, different: openWorks.map(excused) },
      gaps: gapsFrom(recording, at, simulation),
      off,
    };
  } catch (error) {
    const moved = [...recorded].filter(([, steps]) => steps.length > 1);
    return {
      at,
      bindings: {
        same: [],
        different: moved.map(([key, steps]) => ({ key, recorded: steps, simulated: [] })),
      },
      certain: 0,
      works: { same: [], different: [] },
      gaps: [],
      off: [],
      error: error instanceof Error ? error.message : String(error),
    };
  }
}

function simulateFrom(
  recording: Recording,
  at: number,
  scenario = scenarioFrom(recording, at),
  ordering?: Ordering,
): Simulation {
  const builder = new WorldBuilder();
  // loaded data become the world's own
  const objects = structuredClone(objectsAt(recording, at));
  for (const object of objects) builder.add(object, { file: 'the recording', line: 0 });
  return simulateScenario(builder.world, scenario, ordering ? { ordering } : {});
}

/** The bindings that take the recorded steps if the simulation knows when members really failed, and their Works in that case. */
function withFailures(
  recording: Recording,
  at: number,
  recorded: Steps,
): { same: ReadonlySet<string>; works: ReadonlyMap<string, readonly WorkStep[]> } {
  const scenario = scenarioWithFailures(recording, at);
  if (!scenario) return { same: new Set(), works: new Map() };
  const simulation = simulateFrom(recording, at, scenario);
  const { same } = compareSteps(recorded, simulatedSteps(simulation, recorded));
  return { same: new Set(same), works: simulatedWorks(simulation, recording) };
}

function onceOnly<T extends object>(find: () => T): () => T {
  let found: T | undefined;
  return () => (found ??= find());
}

/** Orders to try for deviating bindings: the one that simulations show, and others. */
const ORDERS = [canonicalOrdering, lateEvents, ...Array.from({ length: 24 }, (_, i) => otherOrdering(i + 1))];

/**
 * The excuse by binding: for those that take the recorded steps in another order that Karmada may take, and for those that flap, as in
 * simulations, with turns of other orders or with steps that each occur in some order. By Work too, if it goes as recorded in such an
 * order, besides the steps of its binding.
 */
function otherOrders(
  recording: Recording,
  at: number,
  recorded: Steps,
  {
    bindings,
    works,
    announced,
  }: {
    bindings: readonly Difference<PlacementStep>[];
    works: readonly Difference<WorkStep>[];
    /** those whose outcome depends on the order, according to the simulation */
    announced: ReadonlySet<string>;
  },
): ReadonlyMap<string, string> {
  const openWorks = new Map(works.map((one) => [one.key, one]));
  const ways = new Map<string, PlacementStep[][]>(bindings.map(({ key }) => [key, []]));
  const isExcused = new Set(bindings.flatMap(({ key, race }) => (race ? [key] : [])));
  const found = new Map<string, string>();
  const turns = recordedTurns(recording).filter(({ time }) => time > at);
  // As in the scenario, and with the members' real failures.
  for (const scenario of [scenarioFrom(recording, at), scenarioWithFailures(recording, at)])
    for (const ordering of [...ORDERS, ...ORDERS.map((one) => inRecordedTurns(one, turns))]) {
      if (!scenario || ways.size + openWorks.size === 0) break;
      const simulation = simulateFrom(recording, at, scenario, ordering);
      const simulated = simulatedSteps(simulation, recorded);
      const elsewhere = new Set(compareSteps(recorded, simulated).different.map(({ binding }) => binding));
      // also one that stays where it is, as recorded
      for (const binding of ways.keys())
        if (!elsewhere.has(binding) && ways.delete(binding))
          found.set(binding, announced.has(binding) ? OTHER_ORDER : UNANNOUNCED);
      const ours = openWorks.size > 0 ? simulatedWorks(simulation, recording) : new Map<string, WorkStep[]>();
      for (const { key, recorded: real } of openWorks.values())
        if (!elsewhere.has(bindingOfWork(key)) && sameWorkSteps(real, ours.get(key) ?? [])) {
          openWorks.delete(key);
          found.set(key, OTHER_ORDER);
        }
      for (const [binding, own] of ways) own.push(simulated.get(binding) ?? []);
    }
  for (const [binding, own] of ways) {
    const way = recorded.get(binding) ?? [];
    const isAnnounced = announced.has(binding);
    const goesRound = goesRoundAndRound(way) && own.some(goesRoundAndRound);
    const isTaken = () => isTakenStepByStep(way, recording.until, simulationsOf(recording, binding));
    if (isAnnounced && isTaken()) found.set(binding, ORDER_BY_STEP);
    else if (isExcused.has(binding)) continue;
    else if (turnsAlike(way, own)) found.set(binding, SAME_TURNS);
    else if (!isAnnounced && goesRound && isTaken()) found.set(binding, STEP_BY_STEP);
  }
  return found;
}

/** The steps of a binding from an instant on in each order, as in the scenario and with the members' real failures. */
function simulationsOf(recording: Recording, binding: string): SimulationsFrom {
  return function* (at, until) {
    const known = new Map([[binding, stepsFrom(recording, at).get(binding)!.slice(0, 1)]]);
    for (const scenario of [scenarioFrom(recording, at), scenarioWithFailures(recording, at)])
      for (const ordering of scenario ? ORDERS : []) {
        const simulation = simulateFrom(recording, at, { ...scenario!, until: { instant: until } }, ordering);
        yield simulatedSteps(simulation, known).get(binding)!;
      }
  };
}

/** The steps of all bindings from a moment on, the state at that moment first. */
function stepsFrom(recording: Recording, at: number): Steps {
  const there = objectsAt(recording, at)
    .filter(({ kind }) => kind.endsWith('ResourceBinding'))
    .map((object) => ({
      time: at,
      resource: object.kind === 'ResourceBinding' ? 'resourcebindings' : 'clusterresourcebindings',
      type: 'ADDED' as const,
      object,
    }));
  return stepsOf([...there, ...recording.changes.filter(({ time }) => time > at && time <= recording.until)]);
}

/** Works of a deviating binding are not counted again, nor are those of its dependents. */
function compareWorks(
  recording: Recording,
  at: number,
  simulation: Simulation,
  elsewhere: ReadonlySet<string>,
): Compared<WorkStep> {
  const [real, ours] = [recordedWorks(recording, at), simulatedWorks(simulation, recording)];
  const result: Compared<WorkStep> = { same: [], different: [] };
  const leaders = leadersOf(recording);
  for (const key of [...new Set([...real.keys(), ...ours.keys()])].sort()) {
    const binding = bindingOfWork(key);
    if ([binding, ...(leaders.get(binding) ?? [])].some((one) => elsewhere.has(one))) continue;
    const [recorded, simulated] = [real.get(key) ?? [], ours.get(key) ?? []];
    if (sameWorkSteps(recorded, simulated)) result.same.push(key);
    else result.different.push({ key, recorded, simulated });
  }
  return result;
}

function sameWorkSteps(recorded: readonly WorkStep[], simulated: readonly WorkStep[]): boolean {
  return recorded.length === simulated.length && recorded.every(({ what }, i) => what === simulated[i]!.what);
}
