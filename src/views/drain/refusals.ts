import type { Refusal } from '../../analysis/drain/plan/drainPlan.ts';
import type { ViewNames } from '../viewNames.ts';
import { workloadName } from '../words/workloadName.ts';

/** The names that a refusal uses to say how to override it. */
export type OverrideNames = Pick<ViewNames, 'accept' | 'override'>;

/** How many workloads a message names; the others are counted. */
const MOST_NAMED = 3;

/**
 * One line, as kubectl drain writes it: what is wrong, how to override it (unless that was given), and the workloads (unless they are
 * listed below).
 */
export function refusalMessage(
  { risk, problem, workloads, accepted }: Refusal,
  { accept, override: overriding }: OverrideNames,
  namesFollow = false,
): string {
  const override = accepted ? '' : ` (${overriding(accept[risk])})`;
  if (namesFollow) return `${problem}${override}${workloads.length > 0 ? ':' : ''}`;
  const named = workloads.slice(0, MOST_NAMED).map(workloadName).join(', ');
  const more = workloads.length > MOST_NAMED ? ` and ${workloads.length - MOST_NAMED} more` : '';
  return `${problem}${override}${named && `: ${named}${more}`}`;
}
