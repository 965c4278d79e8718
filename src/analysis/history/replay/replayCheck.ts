import type { KubernetesObject, ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Certainty } from '../../../karmada/evidence.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { workloadOf } from '../../../karmada/objects/identities.ts';
import type { Simulation } from '../../../simulator/simulation/simulation.ts';
import type { World } from '../../../karmada/world.ts';
import type { SeenChange } from '../history.ts';
import type { UntoldChange } from './outsideBindings.ts';
import { lookIntoDifferences, type Replayed } from './lookIntoDifferences.ts';
import {
  compareSteps,
  keyOf,
  median,
  partedAt,
  simulatedSteps,
  stepsOf,
  type PlacementStep,
  type Steps,
} from './steps.ts';
import type { Difference } from './whyDiffers.ts';
import { withoutWriteBacks, type WriteBack } from './writtenBack.ts';

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
  /** what the prediction said that it depends on */
  dependsOn?: string[];
  /** of `differ`: why; absent if there are too many to look into */
  difference?: Difference;
  /** what the scheduler has undone, which is left out where the ways are compared */
  writeBacks?: WriteBack[];
  /** of `untold`: what the simulation was not told; of several the last before they part, one of the workload itself if there is one */
  untold?: UntoldChange;
  /** the first is the placement at the start */
  recorded: PlacementStep[];
  predicted: PlacementStep[];
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

/** Compares what a simulation predicts with what was seen. */
export function replayCheck(
  first: World,
  changes: Iterable<SeenChange>,
  { start, end, untold, play, worldAt, playFrom }: Replayed,
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
  const parted = new Map(different.map((one) => [one.binding, partedAt(one.recorded, one.simulated)]));
  const notToldBefore = lastUntold(untold);
  const reasons = new Map([...open].map((key) => [key, notToldBefore(key, parted.get(key) ?? end)] as const));
  const verdictOf = (key: string): ReplayVerdict => {
    if (open.has(key)) return reasons.get(key) ? 'untold' : 'differ';
    return races.has(key) || writeBacks.has(key) ? 'race' : 'agree';
  };
  const ways = different.filter(({ binding }) => open.has(binding) && !reasons.get(binding));
  const seenWays = { ways: ways.filter(({ binding }) => objects.has(binding)), bindings: objects, seen, end };
  const differences = lookIntoDifferences(seenWays, simulation, { play, worldAt, playFrom });

  const workloads = [...same, ...different.map(({ binding }) => binding)].map((key): ReplayedWorkload => ({
    workload: objects.has(key) ? workloadOf(objects.get(key)!) : identityOfKey(key),
    verdict: verdictOf(key),
    ...(reasons.get(key) ? { untold: reasons.get(key)! } : {}),
    ...(differences.has(key) ? { difference: differences.get(key)! } : {}),
    ...(writeBacks.has(key) ? { writeBacks: writeBacks.get(key)! } : {}),
    certainty: outcomes.get(key)?.certainty ?? 'certain',
    ...(outcomes.get(key)?.dependsOn ? { dependsOn: outcomes.get(key)!.dependsOn! } : {}),
    recorded: all.get(key) ?? [],
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
