import { parseAssumption, parseAssumptions } from '../../karmada/assumptions.ts';
import type { Assumption, AssumptionProblem } from '../../karmada/assumptions.ts';
import type { Dialect } from '../../karmada/dialects/dialect.ts';
import { nearMatches } from '../../views/nearMatches.ts';
import { UserError, withSuggestion } from '../../cli/errors.ts';

/** What `--assume NAME=VALUE`, or another such flag, says, later ones last. Throws a UserError that names the flag and its value. */
export function assumptionsFromFlags(
  values: readonly string[],
  dialect: Dialect,
  flag = '--assume',
): Assumption[] {
  return values.flatMap((value) => orThrow(parseAssumption(value, flag, dialect), flag));
}

/** What the `assume` block of a scenario says; `file` is named in errors. */
export function assumptionsFromScenario(
  block: Record<string, unknown>,
  file: string,
  dialect: Dialect,
): Assumption[] {
  return orThrow(parseAssumptions(block, `scenario ${file}`, dialect), file);
}

function orThrow(parsed: Assumption[] | AssumptionProblem, where: string): Assumption[] {
  if (Array.isArray(parsed)) return parsed;
  const { message, unknown } = parsed;
  const near = unknown ? nearMatches(unknown.typed, unknown.known) : [];
  const otherwise = unknown ? `known are ${unknown.known.join(', ')}` : '';
  throw new UserError(`${where}: ${withSuggestion(message, near, otherwise)}`);
}
