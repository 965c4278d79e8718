import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { bindingIdentity, objectKey } from '../../../karmada/objects/identities.ts';
import type { Simulation } from '../../../simulator/simulation/simulation.ts';
import type { WorkloadOutcome } from '../../../simulator/verdicts/outcome.ts';
import type { ResumableWorld } from '../../../simulator/store/savedSimulation.ts';
import { isSettled } from '../../../simulator/verdicts/predictedEnd.ts';

/** The simulated outcome of a binding with eviction tasks. */
export interface SimulatedTasks {
  outcome: WorkloadOutcome;
  /** epoch milliseconds at which its task from a cluster ends; undefined if it does not */
  endOf(fromCluster: string): number | undefined;
}

/** Reads the outcomes of bindings and of their tasks from a simulation without further events. */
export function simulatedTasks({
  workloads,
  events,
}: Pick<Simulation, 'workloads' | 'events'>): (binding: ResourceBinding) => SimulatedTasks | undefined {
  const outcomes = new Map(workloads.map((outcome) => [objectKey(outcome.binding), outcome]));
  const ends = new Map<string, number>();
  const taskKey = (binding: string, cluster: string) => `${binding} ${cluster}`;
  for (const { type, object, cluster, time } of events) {
    if (type !== 'TaskEnded') continue;
    for (const name of cluster?.split(',') ?? []) {
      const key = taskKey(objectKey(object), name);
      if (!ends.has(key)) ends.set(key, time);
    }
  }
  return (binding) => {
    const key = objectKey(bindingIdentity(binding));
    const outcome = outcomes.get(key);
    return outcome && { outcome, endOf: (fromCluster) => ends.get(taskKey(key, fromCluster)) };
  };
}

/**
 * Whether the outcome of bindings with eviction tasks requires a simulation: work is in progress, or a saved simulation
 * continues.
 */
export function needsSimulation(
  { clusters, simulation }: Pick<ResumableWorld, 'clusters' | 'simulation'>,
  bindings: readonly ResourceBinding[],
): boolean {
  const evicting = bindings.filter(({ spec }) => spec.gracefulEvictionTasks?.length);
  if (evicting.length === 0) return false;
  if (simulation) return true;
  const byName = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]));
  return evicting.some((binding) => !isSettled(binding, (name) => byName.get(name)));
}
