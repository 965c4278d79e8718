import type { DrainPhase, DrainedWorkload } from '../../analysis/drain/decide/drainStep.ts';

/** The phases in the order in which a workload goes through them, then those in which it does not go on. */
export const PHASES: readonly DrainPhase[] = [
  'queued',
  'scheduling',
  'starting',
  'ready',
  'leaving',
  'gone',
  'stays',
  'skipped',
  'stuck',
];

/** How many workloads are in each phase. */
export function phaseCounts(workloads: readonly DrainedWorkload[]): Record<DrainPhase, number> {
  const counts = Object.fromEntries(PHASES.map((phase) => [phase, 0])) as Record<DrainPhase, number>;
  for (const { phase } of workloads) counts[phase]++;
  return counts;
}

/** "3 queued", "1 starting": the given phases that are not empty. */
export function countTexts(counts: Record<DrainPhase, number>, phases: readonly DrainPhase[]): string[] {
  return phases.filter((phase) => counts[phase] > 0).map((phase) => `${counts[phase]} ${phase}`);
}
