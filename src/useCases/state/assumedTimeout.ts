import { unconfirmed, type AnsweredAssumption } from '../../karmada/configuration/answeredAssumption.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import type { InputNames } from '../ports.ts';

export const TIMEOUT = 'graceful-eviction-timeout';

/** The warning about deadlines if nobody has confirmed the flag that they rest on; undefined if the flag is known. */
export function assumedTimeout(
  assumptions: AnsweredAssumption[],
  { controllerManager }: Configuration,
  names: InputNames,
): { /** what would settle it */ missing: string; /** one line */ warning: string } | undefined {
  if (!unconfirmed(assumptions).has(TIMEOUT)) return undefined;
  const missing = `${names.assume} ${TIMEOUT}=DURATION`;
  const timeout = formatDuration(controllerManager[TIMEOUT]);
  return {
    missing,
    warning: `deadlines rest on ${TIMEOUT}=${timeout}, which is a default that nobody has confirmed; tell it with ${missing}, or give ${names.host}`,
  };
}
