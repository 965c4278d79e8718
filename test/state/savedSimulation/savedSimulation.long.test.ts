import { describe, expect, test } from '@jest/globals';
import { explainEvictionTasks } from '../../../src/analysis/explanation/tasks/evictionTask.ts';
import { simulatedTasks } from '../../../src/analysis/explanation/tasks/simulatedTasks.ts';
import { planDrain } from '../../../src/analysis/drain/plan/planDrain.ts';
import { bindingIdentity } from '../../../src/karmada/objects/identities.ts';
import { forecastLosses } from '../../../src/analysis/forecast/losses.ts';
import { ScenarioError } from '../../../src/simulator/simulation/scenarioWrites.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { ResumableWorld, SavedSimulation } from '../../../src/simulator/store/savedSimulation.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { problemOfSaved, readSavedSimulation } from '../../../src/state/savedSimulation/savedSimulation.ts';
import { drainOf } from '../../analysis/drain/drainOf.ts';
import { explainSimulated } from '../../analysis/explanation/explainSimulated.ts';
import { asFileKeeps, played } from '../../worlds/play.ts';
import { worldOfSeed } from '../../worlds/worldOfSeed.ts';
import { brokenFields } from '../brokenFields.ts';

interface Saved {
  world: ResumableWorld & { simulation: SavedSimulation };
  configuration: Configuration;
}

/** Worlds saved by simulations in the middle of events. */
const saved = Array.from({ length: 40 }, (_, i) => i + 1).flatMap((seed): Saved[] => {
  const { world, scenario, configuration } = worldOfSeed(seed);
  const last = scenario.events.at(-1)?.at ?? scenario.start;
  return [0.4, 0.9].map((part) => {
    const until = Math.round(scenario.start + (last - scenario.start) * part);
    const events = scenario.events.filter(({ at }) => at <= until);
    const ended = played(world, { ...scenario, until, events }, configuration);
    const { simulation, ...api } = asFileKeeps(ended.world);
    const toCome = scenario.events.filter(({ at }) => at > until);
    return { configuration, world: { ...api, simulation: { ...simulation!, events: toCome } } };
  });
});

/** Objects whose keys are names, not fields. */
const RECORDS =
  /^(members|copies|queues\.(memories\.[^.]*|failing)|flapping\.(seen|tolerated))$|\.(tolerated|at|until|known|allocated|request|labels|annotations|failures|preservedLabels|deleted\.replicas|application-failover\.\*)$/;
/** Data that Karmada passes on without reading: contents of objects and statuses reported by members. */
const OPAQUE = /^(copies\.\*\.(object|status)|events\[\]\.action\.(objects\[\]|merge))\./;
/** Names of objects that may be gone, and texts: any other value is valid, too. Numbers: the rest in a bucket. */
const ANY =
  /\.(message|reason|cause|last|seen|key|on|off|value|tokens|effect|replicaSchedulingType)$|(waitingFor|waiting|known|delayed\[\])\[\]$|neverReady\[\]\.(kind|name|namespace)$|action\.(target|workload)\.|copies\.\*\.status$/;

/** Many fields may be missing, null means tolerated forever, and times may have fractions of milliseconds. */
const MAY_BE = ['missing', 'null', 'a fraction'];

/** The result of reading the file of a saved simulation. */
function problemOf({ world }: Saved, simulation: unknown): string | undefined {
  const read = readSavedSimulation(simulation);
  return 'problem' in read ? read.problem : problemOfSaved({ ...world, simulation: read });
}

const ofAll = brokenFields(
  saved,
  ({ world }) => world.simulation,
  (pattern) => RECORDS.test(pattern),
).filter(({ pattern }) => !OPAQUE.test(pattern));

describe('a saved simulation', () => {
  test('is valid', () => {
    for (const one of saved) expect(problemOf(one, one.world.simulation)).toBeUndefined();
  });

  test('has over 150 fields', () => {
    expect(new Set(ofAll.map(({ pattern }) => pattern)).size).toBeGreaterThan(150);
  });

  test('is refused if a field has another type, is negative, huge or names an unknown object', () => {
    const accepted = ofAll.filter(
      ({ how, pattern, of, value }) =>
        !MAY_BE.includes(how) && !ANY.test(pattern) && problemOf(of, value) === undefined,
    );
    expect(accepted.map(({ how, pattern }) => `${how}: ${pattern}`)).toEqual([]);
  });

  test('is refused with the invalid field', () => {
    const problems = ofAll.flatMap(({ of, value }) => problemOf(of, value) ?? []);
    expect(problems.filter((text) => !/^simulation[.[].*: ./.test(text))).toEqual([]);
  });

  test('works in every command if optional fields are missing or named objects are deleted', () => {
    const taken = ofAll.filter(({ of, value }) => problemOf(of, value) === undefined);
    const failing = taken.flatMap(({ how, pattern, of, value }, at) => {
      try {
        asked({ ...of, world: { ...of.world, simulation: value as SavedSimulation } }, at);
        return [];
      } catch (error) {
        return error instanceof ScenarioError ? [] : [`${how}: ${pattern}: ${(error as Error).stack}`];
      }
    });
    expect(failing).toEqual([]);
  });
});

/** Runs the reading commands; simulating ones in turns. */
function asked({ world, configuration }: Saved, turn: number): void {
  const { assumptions: members, queues } = world.simulation;
  const now = queues.now;
  const binding = world.bindings[0]!;
  const simulation = simulate(world, { start: now, members, events: [] }, configuration, {
    trace: bindingIdentity(binding),
  });
  explainEvictionTasks(world, world.bindings, { now, configuration, played: simulatedTasks(simulation) });
  const cluster = world.clusters[0]!.metadata.name;
  const commands = [
    () => forecastLosses(world, world.bindings, { start: now, members }, configuration)(cluster),
    () => planDrain(world, drainOf([cluster]), configuration, now, { karmadaVersion: 'v1.18', members }),
    () =>
      explainSimulated(world, {
        binding,
        simulation,
        configuration,
        now,
        workloadReadyAfter: members.workloadReadyAfter,
      }),
  ];
  commands[turn % commands.length]!();
}
