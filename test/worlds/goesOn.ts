import type { Scenario } from '../../src/simulator/scenario.ts';
import { bindingIdentity } from '../../src/karmada/objects/identities.ts';
import { savedWorld, setStage } from '../../src/simulator/simulation/stage.ts';
import { createStartingWorld } from '../../src/simulator/store/startingWorld.ts';
import type { ReadinessChange } from '../../src/simulator/simulation/simulation.ts';
import type { TimelineEvent } from '../../src/simulator/simulation/timeline/timelineEvent.ts';
import type { ResumableWorld } from '../../src/simulator/store/savedSimulation.ts';
import type { ObjectIdentity } from '../../src/karmada/api/meta.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import { createChance } from '../e2e/random/chance.ts';
import { firstDifference } from './firstDifference.ts';
import { asFileKeeps } from './play.ts';
import type { GeneratedWorld } from './worldOfSeed.ts';

/**
 * Whether a simulation saved anywhere and continued takes the steps and reaches the end of one that was never stopped; if not, how they
 * differ.
 * @param tries how often it is tried
 */
export function goesOnAsInOneGo(generated: GeneratedWorld, tries: number): string | undefined {
  const { world, scenario, configuration } = generated;
  const [trace] = world.bindings.map(bindingIdentity);
  const whole = simulated(world, scenario, configuration, { trace });
  for (const stops of stopsOfSeed(generated, whole, tries)) {
    const found = firstDifference(whole, simulated(world, scenario, configuration, { trace, stops }));
    if (found !== undefined)
      return `saved after ${stops.map((stop) => stop - scenario.start).join(', ')} ms: ${found}`;
  }
  return undefined;
}

/** The result of a simulation: without a stop, or saved at some instants and continued. */
interface Whole {
  timeline: TimelineEvent[];
  /** ready replicas of a traced binding, at every change */
  readiness: ReadinessChange[];
  end: ResumableWorld;
}

/** Simulates a scenario; at each of the stops (epoch milliseconds) the world is saved, and another simulation continues from there. */
function simulated(
  world: ResumableWorld,
  scenario: Scenario,
  configuration: Configuration,
  { trace, stops = [] }: { trace: ObjectIdentity | undefined; stops?: readonly number[] },
): Whole {
  const readiness: ReadinessChange[] = [];
  const timeline: TimelineEvent[] = [];
  let [from, start, events] = [world, scenario.start, scenario.events];
  for (const until of [...stops, scenario.until!]) {
    const leg = { ...scenario, start, until, events };
    const stage = setStage(createStartingWorld(from, configuration, leg), leg, trace && { trace });
    stage.time.run(until);
    timeline.push(...stage.events);
    for (const change of stage.readiness ?? [])
      if (change.ready !== readiness.at(-1)?.ready) readiness.push(change);
    from = asFileKeeps(savedWorld(stage, leg, until));
    start = from.simulation!.queues.now;
    events = [];
  }
  // Deleted workloads are not asked about.
  const isDeleted = timeline.some(
    ({ type, object }) => type === 'ObjectDeleted' && object.name === trace?.name,
  );
  if (isDeleted) readiness.length = 0;
  return { timeline: JSON.parse(JSON.stringify(timeline)) as TimelineEvent[], readiness, end: from };
}

/** Instants of all kinds at which to stop: during events, right before and after, and between events. */
function stopsOfSeed({ seed, scenario }: GeneratedWorld, { timeline }: Whole, count: number): number[][] {
  const chance = createChance(seed + 7_000_003);
  const { start, until = start } = scenario;
  const one = () =>
    Math.min(
      until,
      timeline.length > 0 && chance.happens(0.7)
        ? chance.oneOf(timeline).time + chance.oneOf([0, -1, 1, 3, 50, 450, 1500])
        : chance.between(start, until),
    );
  return Array.from({ length: count }, () =>
    Array.from(
      {
        length: chance.weighted([
          [3, 1],
          [1, 3],
        ]),
      },
      () => Math.max(start, one()),
    ).sort((a, b) => a - b),
  );
}
