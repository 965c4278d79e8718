import type { Configuration } from '../../karmada/configuration.ts';
import { resolveConfiguration } from '../../karmada/resolveConfiguration.ts';
import { assumptionsFromFlags } from './assumptions.ts';
import { chooseDialect } from './chooseDialect.ts';

/**
 * How Karmada behaves where no state tells it: as the version that is asked for, else the newest released, with what is assumed.
 * Throws a UserError for a version or an assumption that is none.
 */
export function configurationOf(given: {
  'karmada-version'?: string | undefined;
  assume?: string[] | undefined;
}): { configuration: Configuration; karmadaVersion: string; warnings: string[] } {
  const nothing = { components: { versions: [], commandLines: [], warnings: [] } };
  const { dialect, warning = [] } = chooseDialect(given['karmada-version'], nothing);
  const assumptions = assumptionsFromFlags(given.assume ?? [], dialect);
  const { configuration, warnings } = resolveConfiguration(dialect, [], assumptions);
  return { configuration, karmadaVersion: dialect.version, warnings: [...warning, ...warnings] };
}
