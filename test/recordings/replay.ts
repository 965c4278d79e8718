import type { ResourceBinding, TargetCluster } from '../../src/karmada/api/work.ts';
import type { Change } from './recording.ts';
import type { Simulation } from '../../src/engine/simulation/simulation.ts';

/** A binding's placement as one text, and since when (epoch milliseconds). */
export interface Step {
  time: number;
  placement: string;
}

/** The different placements each moving binding had, by "namespace/name". */
export type Steps = Map<string, Step[]>;

export interface ReplayResult {
  same: string[];
  different: { binding: string; recorded: Step[]; simulated: Step[] }[];
  /** seconds between the recorded and the simulated time of each step that is the same, ascending */
  off: number[];
}

export function placementText(clusters: TargetCluster[] | undefined, evicting: string[] | undefined): string {
  const on = (clusters ?? []).map(({ name, replicas }) => `${name}×${replicas ?? 0}`).sort();
  const from = [...(evicting ?? [])].sort();
  return `${on.join(' ') || '-'} | evicting ${from.join(' ') || '-'}`;
}

function collapse(steps: Step[]): Step[] {
  return steps.filter((step, index) => index === 0 || step.placement !== steps[index - 1]!.placement);
}

/** Reads the steps out of the lines of a watch. */
export function recordedSteps(watch: string): Steps {
  const rows = watch.split('\n').filter((line) => line !== '');
  return stepsOf(
    rows
      .map((line) => JSON.parse(line) as Omit<Change, 'time'> & { time: string })
      .map((row) => ({ ...row, time: Date.parse(row.time) })),
  );
}

/** The steps that bindings took in those changes, in the order of time. */
export function stepsOf(changes: readonly Change[]): Steps {
  const steps: Steps = new Map();
  for (const { time, resource, type, object } of changes) {
    if (!/^(cluster)?resourcebindings$/.test(resource) || type === 'DELETED') continue;
    const { metadata, spec } = object as unknown as ResourceBinding;
    const key = keyOf(metadata);
    const evicting = (spec.gracefulEvictionTasks ?? []).map((task) => task.fromCluster);
    const step = { time, placement: placementText(spec.clusters, evicting) };
    steps.set(key, [...(steps.get(key) ?? []), step]);
  }
  for (const [key, rows] of steps) steps.set(key, collapse(rows.sort((a, b) => a.time - b.time)));
  return steps;
}

/** "namespace/name", "/name" of what is in no namespace. */
export function keyOf({ namespace, name }: { namespace?: string; name: string }): string {
  return `${namespace ?? ''}/${name}`;
}

/** The steps of a simulation that started where the recording did. */
export function simulatedSteps(simulation: Simulation, recorded: Steps): Steps {
  const steps: Steps = new Map([...recorded].map(([key, rows]) => [key, rows.slice(0, 1)]));
  for (const { time, object, clusters, evicting } of simulation.events) {
    if (!clusters) continue;
    const key = keyOf(object);
    steps.set(key, [...(steps.get(key) ?? []), { time, placement: placementText(clusters, evicting) }]);
  }
  for (const [key, rows] of steps) steps.set(key, collapse(rows));
  return steps;
}

/** Holds the simulated steps of every binding that moved, here or there, against the recorded ones. */
export function compareSteps(recorded: Steps, simulated: Steps): ReplayResult {
  const moving = [...new Set([...recorded.keys(), ...simulated.keys()])]
    .filter((key) => (recorded.get(key)?.length ?? 0) > 1 || (simulated.get(key)?.length ?? 0) > 1)
    .sort();
  const result: ReplayResult = { same: [], different: [], off: [] };
  for (const binding of moving) {
    const [real, ours] = [recorded.get(binding) ?? [], simulated.get(binding) ?? []];
    if (real.length === ours.length && real.every((step, i) => step.placement === ours[i]!.placement)) {
      result.same.push(binding);
      for (let i = 1; i < real.length; i++) result.off.push(Math.abs(real[i]!.time - ours[i]!.time) / 1000);
    } else result.different.push({ binding, recorded: real, simulated: ours });
  }
  result.off.sort((a, b) => a - b);
  return result;
}

export function median(sorted: number[]): number | undefined {
  return sorted[Math.floor(sorted.length / 2)];
}
