import { parseAssumption, parseAssumptions } from '../../karmada/configuration/assumptions.ts';
import type { Assumption, AssumptionProblem } from '../../karmada/configuration/assumptions.ts';
import type { Dialect } from '../../karmada/dialects/dialect.ts';
import { placeOf } from '../../state/position.ts';
import { Problem } from '../problem.ts';
import type { OpenedScenario } from './stateRequest.ts';

/** Parses texts NAME=VALUE, in their order. Throws a Problem that names `source`, where they are from. */
export function givenAssumptions(values: readonly string[], dialect: Dialect, source: string): Assumption[] {
  return values.flatMap((value) => orThrow(parseAssumption(value, source, dialect), source));
}

/** Parses the `assume` block of a scenario, or a part of it. Throws a Problem that names the place in its file. */
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
