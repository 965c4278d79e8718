import type { Refusal } from '../../engine/drain/plan/drainPlan.ts';
import type { ViewNames } from '../viewNames.ts';
import { workloadName } from '../workloadName.ts';

/** How many workloads a message names; the others are counted. */
const MOST_NAMED = 3;

/**
 * One line, as kubectl drain writes it: what is wrong, how to override it (unless that was given), and the workloads (unless they are
 * listed below).
 */
export function refusalMessage(
  { risk, problem, workloads, accepted }: Refusal,
  { accept }: Pick<ViewNames, 'accept'>,
  namesFollow = false,
): string {
  const override = accepted ? '' : ` (use ${accept[risk]} to override)`;
  if (namesFollow) return `${problem}${override}${workloads.length > 0 ? ':' : ''}`;
  const named = workloads.slice(0, MOST_NAMED).map(workloadName).join(', ');
  const more = workloads.length > MOST_NAMED ? ` and ${workloads.length - MOST_NAMED} more` : '';
  return `${problem}${override}${named && `: ${named}${more}`}`;
}
