import {
  type AnsweredAssumption,
  type Assumption,
  type AssumptionProblem,
  parseAssumption,
  parseAssumptions,
  unverified,
} from '../../karmada/configuration/assumptions.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Dialect } from '../../karmada/dialects/dialects.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import { placeOf } from '../../state/position.ts';
import type { InputNames } from '../ports.ts';
import { Problem } from '../problem.ts';
import type { OpenedScenario } from './stateRequest.ts';

/** Parses texts NAME=VALUE, in order. Throws a Problem that names `source`, their input. */
export function givenAssumptions(values: readonly string[], dialect: Dialect, source: string): Assumption[] {
  const known = new Map<string, string>();
  for (const value of values) {
    const name = value.split('=')[0]!.trim();
    const first = known.get(name) ?? value;
    known.set(name, first);
    if (first !== value)
      throw new Problem({
        code: 'assumption',
        where: source,
        message: `${first} and ${value} contradict each other`,
      });
  }
  return values.flatMap((value) => orThrow(parseAssumption(value, source, dialect), source));
}

/** Parses the `assume` block of a scenario, or part of it. Throws a Problem that names the place in its file. */
export function assumptionsFromScenario(
  block: Record<string, unknown>,
  { path, source, at }: Pick<OpenedScenario, 'path' | 'source' | 'at'>,
  dialect: Dialect,
): Assumption[] {
  const parsed = parseAssumptions(block, `scenario ${path}`, dialect);
  if (Array.isArray(parsed)) return parsed;
  const { path: field, ...problem } = parsed;
  const where = at && field !== undefined ? placeOf(source, at(field)) : source;
  throw new Problem({ code: 'assumption', where, ...problem });
}

function orThrow(parsed: Assumption[] | AssumptionProblem, where: string): Assumption[] {
  if (Array.isArray(parsed)) return parsed;
  throw new Problem({ code: 'assumption', where, ...parsed });
}

export const TIMEOUT = 'graceful-eviction-timeout';

/** The warning about deadlines if they depend on an unverified flag; undefined if the flag is known. */
export function assumedTimeout(
  assumptions: AnsweredAssumption[],
  { controllerManager }: Configuration,
  names: InputNames,
): { /** the input that would settle it */ missing: string; /** one line */ warning: string } | undefined {
  if (!unverified(assumptions).has(TIMEOUT)) return undefined;
  const missing = `${names.assume} ${TIMEOUT}=DURATION`;
  const timeout = formatDuration(controllerManager[TIMEOUT]);
  return {
    missing,
    warning: `deadlines depend on ${TIMEOUT}=${timeout}, an unverified default: set it with ${missing}, or give ${names.host}`,
  };
}
