import type { ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import type { Simulation } from '../../../simulator/simulation/simulation.ts';
import { zip } from '../../../kubernetes/nonEmpty.ts';

/** A binding's placement as one text, and since when (epoch milliseconds). */
export interface PlacementStep {
  time: number;
  placement: string;
}

/** The different placements of each binding, by "namespace/name". */
export type Steps = Map<string, PlacementStep[]>;

export interface ComparedSteps {
  same: string[];
  different: { binding: string; recorded: PlacementStep[]; simulated: PlacementStep[] }[];
  /** seconds between the recorded and the simulated time of each common step, ascending */
  off: number[];
}

/** "member1×2 member2×1 | evicting member3" */
export function placementText(clusters: TargetCluster[] | undefined, evicting: string[] | undefined): string {
  const on = (clusters ?? []).map(({ name, replicas }) => `${name}×${replicas ?? 0}`).sort();
  const from = [...(evicting ?? [])].sort();
  return `${on.join(' ') || '-'} | evicting ${from.join(' ') || '-'}`;
}

/** The recorded steps of bindings, by time. */
export function stepsOf(seen: Iterable<{ time: number; object: ResourceBinding }>): Steps {
  const steps: Steps = new Map();
  for (const { time, object } of seen) {
    const { metadata, spec } = object;
    const evicting = (spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster);
    add(steps, keyOf(metadata), { time, placement: placementText(spec.clusters, evicting) });
  }
  for (const [key, rows] of steps) steps.set(key, collapsed(rows.sort((a, b) => a.time - b.time)));
  return steps;
}

/** The steps of a simulation that started with the recorded ones, without those of the excluded bindings. */
export function simulatedSteps(
  { events }: Pick<Simulation, 'events'>,
  recorded: Steps,
  without: { has(key: string): boolean } = new Set(),
): Steps {
  const steps: Steps = new Map([...recorded].map(([key, rows]) => [key, rows.slice(0, 1)]));
  for (const { time, object, clusters, evicting } of events)
    if (clusters && !without.has(keyOf(object)))
      add(steps, keyOf(object), { time, placement: placementText(clusters, evicting) });
  for (const [key, rows] of steps) steps.set(key, collapsed(rows));
  return steps;
}

function add(steps: Steps, key: string, step: PlacementStep): void {
  const known = steps.get(key);
  if (known) known.push(step);
  else steps.set(key, [step]);
}

function collapsed(steps: readonly PlacementStep[]): PlacementStep[] {
  return steps.filter((step, index) => step.placement !== steps[index - 1]?.placement);
}

/** "namespace/name"; "/name" of a cluster-scoped object. */
export function keyOf({ namespace, name }: { namespace?: string | undefined; name: string }): string {
  return `${namespace ?? ''}/${name}`;
}

/**
 * Compares the simulated and the recorded steps of every binding that moved in either.
 *
 * @param open from this time on (epoch milliseconds) a step of one may still follow in the other
 */
export function compareSteps(recorded: Steps, simulated: Steps, open = Infinity): ComparedSteps {
  const moving = [...new Set([...recorded.keys(), ...simulated.keys()])]
    .filter((key) => (recorded.get(key)?.length ?? 0) > 1 || (simulated.get(key)?.length ?? 0) > 1)
    .sort();
  const result: ComparedSteps = { same: [], different: [], off: [] };
  for (const binding of moving) {
    const [real, ours] = [recorded.get(binding) ?? [], simulated.get(binding) ?? []];
    const both = zip(real, ours);
    const rest = [...real.slice(both.length), ...ours.slice(both.length)];
    const alike = both.every(([step, other]) => step.placement === other.placement);
    if (alike && rest.every(({ time }) => time >= open)) {
      result.same.push(binding);
      for (const [step, other] of both.slice(1)) result.off.push(Math.abs(step.time - other.time) / 1000);
    } else result.different.push({ binding, recorded: real, simulated: ours });
  }
  result.off.sort((a, b) => a - b);
  return result;
}

/** The index of the first two steps that differ; the number of steps if none do. */
export function divergenceOf(
  recorded: readonly PlacementStep[],
  simulated: readonly PlacementStep[],
): number {
  const longest = Math.max(recorded.length, simulated.length);
  for (let i = 0; i < longest; i++) if (recorded[i]?.placement !== simulated[i]?.placement) return i;
  return longest;
}

/** When the steps start to differ, in epoch milliseconds: the later of the first two that do. */
export function divergedAt(recorded: readonly PlacementStep[], simulated: readonly PlacementStep[]): number {
  const parting = divergenceOf(recorded, simulated);
  const [real, ours] = [recorded[parting], simulated[parting]];
  return real || ours ? Math.max(real?.time ?? 0, ours?.time ?? 0) : Infinity;
}

/** The median of ascending numbers; undefined if there are none. */
export function median(sorted: readonly number[]): number | undefined {
  return sorted[Math.floor(sorted.length / 2)];
}
