import { parseAssumption, parseAssumptions } from '../../karmada/assumptions.ts';
import type { Assumption, AssumptionProblem } from '../../karmada/assumptions.ts';
import type { Dialect } from '../../karmada/dialects/dialect.ts';
import { Problem } from '../problem.ts';

/** Parses texts NAME=VALUE, in their order. Throws a Problem that names `source`, where they are from. */
export function givenAssumptions(values: readonly string[], dialect: Dialect, source: string): Assumption[] {
  return values.flatMap((value) => orThrow(parseAssumption(value, source, dialect), source));
}

/** Parses the `assume` block of a scenario. Throws a Problem that names `file`. */
export function assumptionsFromScenario(
  block: Record<string, unknown>,
  file: string,
  dialect: Dialect,
): Assumption[] {
  return orThrow(parseAssumptions(block, `scenario ${file}`, dialect), file);
}

function orThrow(parsed: Assumption[] | AssumptionProblem, where: string): Assumption[] {
  if (Array.isArray(parsed)) return parsed;
  throw new Problem({ code: 'assumption', where, ...parsed });
}
