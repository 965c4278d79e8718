import {
  parseAssumption,
  parseAssumptions,
  type Assumption,
} from '../../karmada/configuration/assumptions.ts';
import { takesWithoutEffect, type Dialect } from '../../karmada/dialects/dialect.ts';
import { isObject } from '../../kubernetes/json.ts';
import type { Ports } from '../ports.ts';
import { assumptionsFromScenario, givenAssumptions } from '../state/assumptions.ts';
import type { OpenedScenario } from '../state/stateRequest.ts';

/**
 * What is assumed of both sides, as far as the version of `dialect` knows it. What only the other version knows decides
 * nothing here; a warning says so. Throws a Problem for names that neither version knows, and for invalid values.
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
    const name = value.split('=')[0]!.trim();
    warn(`${names.assume} ${value}: ${noEffect(dialect, name)}`);
    return [];
  });
}

/**
 * What the `assume` block of a side's scenario says, name by name. What only the other version knows decides nothing
 * here; a warning says so. Throws a Problem for names that neither version knows, and for invalid values.
 */
export function scenarioAssumptions(
  scenario: OpenedScenario,
  dialect: Dialect,
  other: Dialect,
  { warn }: Ports,
): Assumption[] {
  const { path, file } = scenario;
  return Object.entries(file.assume).flatMap(([component, values]) => {
    const blocks = isObject(values)
      ? Object.entries(values).map(([name, value]) => ({ [component]: { [name]: value } }))
      : [{ [component]: values }];
    return blocks.flatMap((block) => {
      const unknownTo = (one: Dialect) => {
        const found = parseAssumptions(block, path, one);
        return !Array.isArray(found) && found.unknown !== undefined;
      };
      if (!unknownTo(dialect) || unknownTo(other)) return assumptionsFromScenario(block, scenario, dialect);
      const [name = ''] = Object.keys(Object.values(block)[0] ?? {});
      warn(`scenario ${path}: assume: ${JSON.stringify(block)}: ${noEffect(dialect, name)}`);
      return [];
    });
  });
}

function noEffect(dialect: Dialect, name: string): string {
  return takesWithoutEffect(dialect, name)
    ? `${dialect.version} takes it without effect`
    : `${dialect.version} does not know it, so it has no effect there`;
}
