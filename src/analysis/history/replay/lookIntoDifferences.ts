import type { Actor } from '../../../simulator/simulation/simulate.ts';
import type { Simulation } from '../../../simulator/simulation/simulation.ts';
import type { World } from '../../../karmada/world.ts';
import type { UntoldChange } from './outsideBindings.ts';
import { conditionOf } from '../../../karmada/objects/conditions.ts';
import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { type ComparedSteps, keyOf, simulatedSteps, type Steps } from './steps.ts';
import { type Difference, whyDiffers } from './whyDiffers.ts';
import { bindingKey } from '../../../karmada/objects/identities.ts';
import type { Moment } from './decidingFacts.ts';

/** What a recording is held against. Times are epoch milliseconds. */
export interface Replayed {
  start: number;
  end: number;
  untold: readonly UntoldChange[];
  /**
   * Simulates from the first world; given n, in the nth of the other orders to try; undefined after the last one. An actor acts
   * beside Karmada's controllers.
   */
  play(order?: number, actor?: Actor): Simulation | undefined;
  /** the world as it was recorded, after all changes up to an instant */
  worldAt(instant: number): World;
  /** simulates from what was recorded at an instant, in one order after the other */
  playFrom(start: number, until: number): Iterable<Simulation>;
}

/** Workloads whose ways part, and what was seen of them. */
interface SeenWays {
  ways: ComparedSteps['different'];
  /** as they were seen last, by "namespace/name" */
  bindings: ReadonlyMap<string, ResourceBinding>;
  /** all that was seen, in order of time (epoch milliseconds) */
  seen: readonly { time: number; object: KubernetesObject }[];
  end: number;
}

/** So many workloads are looked into: each takes up to a hundred short simulations. */
const MOST = 20;

/** Finds why workloads went another way than a simulation predicts, by "namespace/name"; of the first ones, if there are many. */
export function lookIntoDifferences(
  { ways: all, bindings, seen, end }: SeenWays,
  { events }: Pick<Simulation, 'events'>,
  { play, worldAt, playFrom }: Pick<Replayed, 'play' | 'worldAt' | 'playFrom'>,
): Map<string, Difference> {
  const ways = all.slice(0, MOST);
  if (ways.length === 0) return new Map();
  const foretold = new Map(ways.map(({ binding }) => [binding, [] as number[]]));
  for (const { type, object, time } of events)
    if (type === 'ScheduleFailed') foretold.get(keyOf(object))?.push(time);
  const kept = keptMoments(
    new Map(
      ways.map(({ binding, recorded, simulated }) => {
        const steps = [...recorded, ...simulated].flatMap(({ time }) => [time, time + 1]);
        return [binding, [...steps, ...foretold.get(binding)!]];
      }),
    ),
    bindings,
  );
  play(undefined, kept.actor);
  const found = ways.map(({ binding: key, recorded, simulated: predicted }) => {
    const refusals = refusalsOf(seen.filter(({ object }) => keyOf(object.metadata) === key));
    const difference = whyDiffers({
      ...{ recorded, predicted, end },
      was(at) {
        const world = worldAt(at - 1);
        const binding = world.bindings.find(({ metadata }) => keyOf(metadata) === key);
        return { binding, clusters: world.clusters };
      },
      wasPredicted: (at) => kept.before(key, at),
      refused: (after) => refusals.find((time) => time > after),
      refusedPredicted: (after) => foretold.get(key)!.find((time) => time >= after),
      *from(begin, until) {
        const known: Steps = new Map([[key, recorded.filter(({ time }) => time <= begin).slice(-1)]]);
        for (const one of playFrom(begin, until)) yield simulatedSteps(one, known).get(key) ?? [];
      },
    });
    return [key, difference] as const;
  });
  return new Map(found);
}

/** When a binding was said to have no place, or for another reason than before. */
function refusalsOf(seen: readonly { time: number; object: KubernetesObject }[]): number[] {
  let known: string | undefined;
  return seen.flatMap(({ time, object }) => {
    const { status } = object as unknown as ResourceBinding;
    const scheduled = conditionOf(status?.conditions, 'Scheduled');
    const text = `${scheduled?.status} ${scheduled?.message} ${scheduled?.lastTransitionTime}`;
    const isNew = known !== undefined && text !== known && scheduled?.status === 'False';
    known = text;
    return isNew ? [time] : [];
  });
}

/** What a simulation knew of some workloads at the instants that matter to them. */
interface KeptMoments {
  /** keeps them, in a simulation that it acts in */
  actor: Actor;
  /** just before an instant (epoch milliseconds) of those that are kept */
  before(binding: string, at: number): Moment;
}

/** Keeps what is known of workloads just before instants (epoch milliseconds) by binding; of other instants, nothing is known. */
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
