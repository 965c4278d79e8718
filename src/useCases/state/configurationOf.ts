import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { resolveConfiguration } from '../../karmada/configuration/resolveConfiguration.ts';
import type { InputNames } from '../ports.ts';
import { givenAssumptions } from './assumptions.ts';
import { chooseDialect } from './chooseDialect.ts';
import type { StateRequest } from './stateRequest.ts';

/**
 * How Karmada behaves if there is no state to show it: as the version that is asked for, else as the newest release,
 * with the given assumptions. Throws a Problem for an invalid assumption.
 */
export function configurationOf(
  given: Pick<StateRequest, 'version' | 'assume'>,
  names: InputNames,
): { configuration: Configuration; karmadaVersion: string; warnings: string[] } {
  const nothing = { components: { versions: [], commandLines: [], warnings: [] } };
  const { dialect, warning = [] } = chooseDialect(given.version, nothing, names);
  const assumptions = givenAssumptions(given.assume ?? [], dialect, names.assume);
  const { configuration, warnings } = resolveConfiguration(dialect, [], assumptions, names);
  return { configuration, karmadaVersion: dialect.version, warnings: [...warning, ...warnings] };
}
