import type { KubernetesObject, ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Certainty } from '../../evidence.ts';
import { getOrAdd } from '../../objects/getOrAdd.ts';
import { workloadOf } from '../../objects/identities.ts';
import type { Simulation } from '../../simulation/simulation.ts';
import type { World } from '../../world.ts';
import type { SeenChange } from '../history.ts';
import type { UntoldChange } from './outsideBindings.ts';
import { compareSteps, keyOf, median, partedAt, simulatedSteps, stepsOf, type Step } from './steps.ts';

/**
 * How a prediction for a workload compares to what happened: the same steps (`agree`); others (`differ`); others, but
 * one of the orders that Karmada leaves open gives the recorded ones (`race`); others, after something that the simulation was
 * not told (`untold`): that proves nothing.
 */
export type ReplayVerdict = 'agree' | 'race' | 'untold' | 'differ';

export interface ReplayedWorkload {
  workload: ObjectIdentity;
  verdict: ReplayVerdict;
  /** how sure the prediction was */
  certainty: Certainty;
  /** of `untold`: what the simulation was not told; of several the last before they part, one of the workload itself if there is one */
  untold?: UntoldChange;
  /** the first is the placement at the start */
  recorded: Step[];
  predicted: Step[];
}

export interface ReplayCheck {
  /** those that moved, in the recording or as predicted; differences come first */
  workloads: ReplayedWorkload[];
  /** those that came or went meanwhile, which the simulation is not told: they are held against nothing */
  passing: ObjectIdentity[];
  /** seconds between the predicted and the real time of each step that both have; absent if there are none */
  secondsOff?: { median: number; most: number };
}

/** Milliseconds before the end in which a step may still be under way. */
const ON_ITS_WAY = 2000;

/**
 * Compares what a simulation predicts with what was seen.
 *
 * @param play simulates from the first world; given n, in the nth of the other orders to try; undefined after the
 * last one
 * @param end epoch milliseconds
 */
export function replayCheck(
  first: World,
  changes: Iterable<SeenChange>,
  {
    start,
    end,
    untold,
    play,
  }: {
    start: number;
    end: number;
    untold: readonly UntoldChange[];
    play(order?: number): Simulation | undefined;
  },
): ReplayCheck {
  const objects = new Map(first.bindings.map((one) => [keyOf(one.metadata), one]));
  const seen = [...first.bindings].map((object) => ({ time: start, object: object as KubernetesObject }));
  const passing = new Map<string, ResourceBinding>();
  for (const { at, before, after } of changes) {
    const one = (after ?? before)!;
    if (!one.kind.endsWith('ResourceBinding')) continue;
    const binding = one as unknown as ResourceBinding;
    if (!before || !after) passing.set(keyOf(one.metadata), binding);
    if (!after) continue;
    seen.push({ time: at, object: after });
    objects.set(keyOf(one.metadata), binding);
  }
  const recorded = stepsOf(seen.filter(({ object }) => !passing.has(keyOf(object.metadata))));
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
  const certainties = new Map(simulation.workloads.map((one) => [keyOf(one.binding), one.certainty]));
  const parted = new Map(different.map((one) => [one.binding, partedAt(one.recorded, one.simulated)]));
  const notToldBefore = lastUntold(untold);
  const reasons = new Map([...open].map((key) => [key, notToldBefore(key, parted.get(key) ?? end)] as const));
  const verdictOf = (key: string): ReplayVerdict => {
    if (open.has(key)) return reasons.get(key) ? 'untold' : 'differ';
    return races.has(key) ? 'race' : 'agree';
  };
  const workloads = [...same, ...different.map(({ binding }) => binding)].map((key): ReplayedWorkload => ({
    workload: objects.has(key) ? workloadOf(objects.get(key)!) : identityOfKey(key),
    verdict: verdictOf(key),
    ...(reasons.get(key) ? { untold: reasons.get(key)! } : {}),
    certainty: certainties.get(key) ?? 'certain',
    recorded: recorded.get(key) ?? [],
    predicted: simulated.get(key) ?? [],
  }));
  workloads.sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
  return {
    workloads,
    passing: [...passing.values()].map(workloadOf),
    ...(off.length > 0 ? { secondsOff: { median: median(off)!, most: off.at(-1)! } } : {}),
  };
}

const ORDER: readonly ReplayVerdict[] = ['differ', 'untold', 'race', 'agree'];

/** The last that was not told up to an instant (epoch milliseconds): of the workload itself, else of all. */
function lastUntold(
  untold: readonly UntoldChange[],
): (binding: string, until: number) => UntoldChange | undefined {
  const known = new Map<string | undefined, UntoldChange[]>();
  for (const one of untold) getOrAdd(known, one.binding, () => []).push(one);
  const last = (of: string | undefined, until: number) => known.get(of)?.findLast(({ at }) => at <= until);
  return (binding, until) => last(binding, until) ?? last(undefined, until);
}

/** A binding that only the prediction knows. */
function identityOfKey(key: string): ObjectIdentity {
  const [namespace = '', name = ''] = key.split('/');
  return { kind: 'ResourceBinding', ...(namespace ? { namespace } : {}), name };
}
