import type { DrainPlan } from '../../analysis/drain/plan/drainPlan.ts';

/** The question before a drain begins. */
export function drainQuestion({ options, workloads }: DrainPlan): string {
  const count = workloads.filter(({ order }) => order !== undefined).length;
  const evicted = count === 1 ? '1 workload is' : `${count} workloads are`;
  return `Drain ${options.clusters.join(', ')}? ${evicted} evicted.`;
}
