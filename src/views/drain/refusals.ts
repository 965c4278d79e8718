import type { Refusal, Risk } from '../../engine/drain/plan/drainPlan.ts';
import { workloadName } from '../workloadName.ts';

/** The flags that accept a risk. */
export const riskFlags: Record<Risk, string> = {
  loss: '--allow-loss',
  blocked: '--allow-blocked',
  overcommit: '--allow-overcommit',
  unhealthy: '--allow-unhealthy',
};

/** Workloads that a message names; the others are counted. */
const MOST_NAMED = 3;

/** One line, as kubectl drain says it: what, how many, which flag; without the flag if it was given, without names if they follow. */
export function refusalMessage({ risk, problem, workloads, accepted }: Refusal, namesFollow = false): string {
  const override = accepted ? '' : ` (use ${riskFlags[risk]} to override)`;
  if (namesFollow) return `${problem}${override}${workloads.length > 0 ? ':' : ''}`;
  const named = workloads.slice(0, MOST_NAMED).map(workloadName).join(', ');
  const more = workloads.length > MOST_NAMED ? ` and ${workloads.length - MOST_NAMED} more` : '';
  return `${problem}${override}${named && `: ${named}${more}`}`;
}
