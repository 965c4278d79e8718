import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { ResumableWorld } from '../../../simulator/store/savedSimulation.ts';
import { isCalm } from '../../../simulator/verdicts/foreseen.ts';

/**
 * Whether only a simulation tells what becomes of bindings under eviction: something is under way, or a saved
 * simulation goes on.
 */
export function needsPlaying(
  { clusters, simulation }: Pick<ResumableWorld, 'clusters' | 'simulation'>,
  bindings: readonly ResourceBinding[],
): boolean {
  const evicting = bindings.filter(({ spec }) => spec.gracefulEvictionTasks?.length);
  if (evicting.length === 0) return false;
  if (simulation) return true;
  const byName = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]));
  return evicting.some((binding) => !isCalm(binding, (name) => byName.get(name)));
}
