import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Certainty } from '../../../karmada/evidence.ts';
import { workloadOf, bindingKey } from '../../../karmada/objects/identities.ts';
import type { Simulation } from '../../../simulator/simulation/simulation.ts';
import type { World } from '../../../karmada/world.ts';
import { isObservedBinding, type ObservedChange } from '../history.ts';
import type { UnsimulatedChange } from './outsideBindings.ts';
import {
  compareSteps,
  keyOf,
  median,
  divergedAt,
  simulatedSteps,
  stepsOf,
  type PlacementStep,
  type Steps,
  type ComparedSteps,
} from './steps.ts';
import { type Difference, differenceCause } from './whyDiffers.ts';
import { withoutWriteBacks, type WriteBack } from './writtenBack.ts';
import type { Actor } from '../../../simulator/simulation/simulate.ts';
import { conditionOf } from '../../../karmada/objects/conditions.ts';
import type { Moment } from './decidingFacts.ts';
import { groupedBy } from '../../../kubernetes/nonEmpty.ts';

/**
 * A prediction for a workload compared with the recording: the same steps (`agree`); others (`differ`); the recorded
 * ones in another possible processing order (`race`); others after an event that was not simulated (`untold`), which
 * proves nothing.
 */
export type ReplayVerdict = 'agree' | 'race' | 'untold' | 'differ';

export interface ReplayedWorkload {
  workload: ObjectIdentity;
  verdict: ReplayVerdict;
  certainty: Certainty;
  /** the prediction's stated uncertainties */
  dependsOn?: string[];
  /** of `differ`: why; absent beyond the limit of explained differences */
  difference?: Difference;
  /** evictions undone by the scheduler, which the comparison leaves out */
  writeBacks?: WriteBack[];
  /**
   * of `untold`: the event that was not simulated; of several, the last before the difference, preferably about the
   * workload itself
   */
  unsimulated?: UnsimulatedChange;
  /** the first is the placement at the start */
  recorded: PlacementStep[];
  predicted: PlacementStep[];
}

export interface ReplayCheck {
  /** workloads that moved in the recording or the prediction; differences first */
  workloads: ReplayedWorkload[];
  /** workloads created or deleted during the recording, which are neither simulated nor compared */
  passing: ObjectIdentity[];
  /** seconds between the predicted and the real time of each common step; absent if there are none */
  secondsOff?: { median: number; most: number };
}

/** Milliseconds before the end during which a step may still be in progress. */
const ON_ITS_WAY = 2000;

/** Compares the predictions of a simulation with a recording. */
export function replayCheck(
  first: World,
  changes: Iterable<ObservedChange>,
  { start, end, unsimulated, play, worldAt, playFrom }: Replayed,
): ReplayCheck {
  const objects = new Map(first.bindings.map((one) => [keyOf(one.metadata), one]));
  const seen = [...first.bindings].map((object) => ({ time: start, object }));
  const passing = new Map<string, ResourceBinding>();
  for (const { at, before, after } of changes) {
    const one = after ?? before;
    if (!isObservedBinding(one)) continue;
    if (!before || !after) passing.set(keyOf(one.metadata), one);
    if (!after) continue;
    seen.push({ time: at, object: one });
    objects.set(keyOf(one.metadata), one);
  }
  const all = stepsOf(seen.filter(({ object }) => !passing.has(keyOf(object.metadata))));
  const writeBacks = new Map<string, WriteBack[]>();
  const recorded: Steps = new Map();
  for (const [key, steps] of all) {
    const meant = withoutWriteBacks(steps);
    recorded.set(key, meant.steps);
    if (meant.writeBacks.length > 0) writeBacks.set(key, meant.writeBacks);
  }
  const simulation = play()!;
  const stepsIn = (one: Simulation) => simulatedSteps(one, recorded, passing);
  const simulated = stepsIn(simulation);
  const { same, different, off } = compareSteps(recorded, simulated, end - ON_ITS_WAY);
  const races = new Set<string>();
  const open = new Set(different.map(({ binding }) => binding));
  for (let order = 1; open.size > 0; order++) {
    const other = play(order);
    if (!other) break;
    for (const binding of compareSteps(recorded, stepsIn(other), end - ON_ITS_WAY).same)
      if (open.delete(binding)) races.add(binding);
  }
  const outcomes = new Map(simulation.workloads.map((one) => [keyOf(one.binding), one]));
  const parted = new Map(different.map((one) => [one.binding, divergedAt(one.recorded, one.simulated)]));
  const unsimulatedBefore = lastUnsimulated(unsimulated);
  const reasons = new Map(
    [...open].map((key) => [key, unsimulatedBefore(key, parted.get(key) ?? end)] as const),
  );
  const verdictOf = (key: string): ReplayVerdict => {
    if (open.has(key)) return reasons.get(key) ? 'untold' : 'differ';
    return races.has(key) || writeBacks.has(key) ? 'race' : 'agree';
  };
  const ways = different.filter(({ binding }) => open.has(binding) && !reasons.get(binding));
  const seenWays = { ways: ways.filter(({ binding }) => objects.has(binding)), bindings: objects, seen, end };
  const differences = lookIntoDifferences(seenWays, simulation, { play, worldAt, playFrom });

  const workloads = [...same, ...different.map(({ binding }) => binding)].map((key): ReplayedWorkload => {
    const [object, outcome] = [objects.get(key), outcomes.get(key)];
    const [unsimulated, difference, undone] = [reasons.get(key), differences.get(key), writeBacks.get(key)];
    return {
      workload: object ? workloadOf(object) : identityOfKey(key),
      verdict: verdictOf(key),
      ...(unsimulated && { unsimulated }),
      ...(difference && { difference }),
      ...(undone && { writeBacks: undone }),
      certainty: outcome?.certainty ?? 'certain',
      ...(outcome?.dependsOn && { dependsOn: outcome.dependsOn }),
      recorded: all.get(key) ?? [],
      predicted: simulated.get(key) ?? [],
    };
  });
  const [middle, most] = [median(off), off.at(-1)];
  workloads.sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
  return {
    workloads,
    passing: [...passing.values()].map(workloadOf),
    ...(most !== undefined && middle !== undefined && { secondsOff: { median: middle, most } }),
  };
}

const ORDER: readonly ReplayVerdict[] = ['differ', 'untold', 'race', 'agree'];

/** The last unsimulated change up to an instant (epoch milliseconds): of the workload itself, otherwise of anything. */
function lastUnsimulated(
  unsimulated: readonly UnsimulatedChange[],
): (binding: string, until: number) => UnsimulatedChange | undefined {
  const known = groupedBy(unsimulated, ({ binding }) => binding);
  const last = (of: string | undefined, until: number) => known.get(of)?.findLast(({ at }) => at <= until);
  return (binding, until) => last(binding, until) ?? last(undefined, until);
}

/** A binding that exists only in the prediction. */
function identityOfKey(key: string): ObjectIdentity {
  const [namespace = '', name = ''] = key.split('/');
  return { kind: 'ResourceBinding', ...(namespace ? { namespace } : {}), name };
}

/** A recording to compare with. Times are epoch milliseconds. */
interface Replayed {
  start: number;
  end: number;
  unsimulated: readonly UnsimulatedChange[];
  /**
   * Simulates from the first world; given n, in the nth other processing order; undefined after the last. The actor
   * runs beside Karmada's controllers.
   */
  play(order?: number, actor?: Actor): Simulation | undefined;
  /** the recorded world, after all changes up to an instant */
  worldAt(instant: number): World;
  /** simulates from the recorded state at an instant, in each processing order */
  playFrom(start: number, until: number): Iterable<Simulation>;
}

/** Workloads whose steps differ, with their recorded states. */
interface SeenWays {
  ways: ComparedSteps['different'];
  /** their last recorded states, by "namespace/name" */
  bindings: ReadonlyMap<string, ResourceBinding>;
  /** all recorded states, in order of time (epoch milliseconds) */
  seen: readonly { time: number; object: ResourceBinding }[];
  end: number;
}

/** The most differences to investigate: each takes up to a hundred short simulations. */
const MAX = 20;

/** Finds why the steps of workloads differ from the prediction, by "namespace/name"; only for the first `MOST`. */
function lookIntoDifferences(
  { ways: all, bindings, seen, end }: SeenWays,
  { events }: Pick<Simulation, 'events'>,
  { play, worldAt, playFrom }: Pick<Replayed, 'play' | 'worldAt' | 'playFrom'>,
): Map<string, Difference> {
  const ways = all.slice(0, MAX);
  if (ways.length === 0) return new Map();
  const refused = events.filter(({ type }) => type === 'ScheduleFailed');
  const refusals = groupedBy(refused, ({ object }) => keyOf(object));
  const kept = keptMoments(
    new Map(
      ways.map(({ binding, recorded, simulated }) => {
        const steps = [...recorded, ...simulated].flatMap(({ time }) => [time, time + 1]);
        return [binding, [...steps, ...(refusals.get(binding) ?? []).map(({ time }) => time)]];
      }),
    ),
    bindings,
  );
  play(undefined, kept.actor);
  const found = ways.map(({ binding: key, recorded, simulated: predicted }) => {
    const seenRefusals = refusalsOf(seen.filter(({ object }) => keyOf(object.metadata) === key));
    const difference = differenceCause({
      recorded,
      predicted,
      end,
      was(at) {
        const world = worldAt(at - 1);
        const binding = world.bindings.find(({ metadata }) => keyOf(metadata) === key);
        return { binding, clusters: world.clusters };
      },
      wasPredicted: (at) => kept.before(key, at),
      refused: (after) => seenRefusals.find((time) => time > after),
      refusedPredicted: (after) => refusals.get(key)?.find(({ time }) => time >= after)?.time,
      *from(begin, until) {
        const known: Steps = new Map([[key, recorded.filter(({ time }) => time <= begin).slice(-1)]]);
        for (const one of playFrom(begin, until)) yield simulatedSteps(one, known).get(key) ?? [];
      },
    });
    return [key, difference] as const;
  });
  return new Map(found);
}

/** When a binding was first refused, or refused for another reason. */
function refusalsOf(seen: readonly { time: number; object: ResourceBinding }[]): number[] {
  let known: string | undefined;
  return seen.flatMap(({ time, object }) => {
    const scheduled = conditionOf(object.status?.conditions, 'Scheduled');
    const text = `${scheduled?.status} ${scheduled?.message} ${scheduled?.lastTransitionTime}`;
    const isNew = known !== undefined && text !== known && scheduled?.status === 'False';
    known = text;
    return isNew ? [time] : [];
  });
}

/** Simulated states of workloads at chosen instants. */
interface KeptMoments {
  /** the actor that keeps them during a simulation */
  actor: Actor;
  /** the state just before an instant (epoch milliseconds), if kept */
  before(binding: string, at: number): Moment;
}

/** Keeps the states of workloads just before instants (epoch milliseconds), by binding; other instants are unknown. */
function keptMoments(
  instants: ReadonlyMap<string, Iterable<number>>,
  bindings: ReadonlyMap<string, ResourceBinding>,
): KeptMoments {
  const kept = new Map<string, Moment>();
  return {
    actor: {
      follow: ({ time }) => {
        for (const [binding, own] of instants) {
          const key = bindingKey(bindings.get(binding)!);
          for (const at of new Set(own))
            time.plan(at, () =>
              kept.set(`${binding} ${at}`, {
                binding: time.view.get('Binding', key),
                clusters: [...time.view.all('Cluster')],
              }),
            );
        }
      },
    },
    before: (binding, at) => kept.get(`${binding} ${at}`) ?? { binding: undefined, clusters: [] },
  };
}
