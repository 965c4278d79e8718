import { parseAssumption, parseAssumptions, type Assumption } from '../../karmada/assumptions.ts';
import type { Dialect } from '../../karmada/dialects/dialect.ts';
import { isObject } from '../../kubernetes/json.ts';
import type { Ports } from '../ports.ts';
import { assumptionsFromScenario, givenAssumptions } from '../state/assumptions.ts';
import type { OpenedScenario } from '../state/stateRequest.ts';

/**
 * What is assumed of both sides, for the one that `dialect` is the version of: what only the other side's version knows decides
 * nothing here, which is warned of. Throws a Problem for what neither knows, and for values that cannot be.
 */
export function commonAssumptions(
  values: readonly string[],
  dialect: Dialect,
  other: Dialect,
  { names, warn }: Ports,
): Assumption[] {
  const knows = (one: Dialect, value: string) => {
    const found = parseAssumption(value, names.assume, one);
    return Array.isArray(found) || found.unknown === undefined;
  };
  return values.flatMap((value) => {
    if (knows(dialect, value) || !knows(other, value))
      return givenAssumptions([value], dialect, names.assume);
    warn(`${names.assume} ${value}: ${dialect.version} does not know it, so it decides nothing there`);
    return [];
  });
}

/**
 * What the `assume` block of a side's scenario says, one name after the other: what only the other side's version knows decides nothing
 * here, which is warned of. Throws a Problem for what neither knows, and for values that cannot be.
 */
export function scenarioAssumptions(
  { path, file }: OpenedScenario,
  dialect: Dialect,
  other: Dialect,
  { warn }: Ports,
): Assumption[] {
  return Object.entries(file.assume).flatMap(([component, values]) => {
    const blocks = isObject(values)
      ? Object.entries(values).map(([name, value]) => ({ [component]: { [name]: value } }))
      : [{ [component]: values }];
    return blocks.flatMap((block) => {
      const unknownTo = (one: Dialect) => {
        const found = parseAssumptions(block, path, one);
        return !Array.isArray(found) && found.unknown !== undefined;
      };
      if (!unknownTo(dialect) || unknownTo(other)) return assumptionsFromScenario(block, path, dialect);
      warn(
        `scenario ${path}: assume: ${JSON.stringify(block)}: ${dialect.version} does not know it, so it decides nothing there`,
      );
      return [];
    });
  });
}
