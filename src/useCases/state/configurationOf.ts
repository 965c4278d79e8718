import type { AnsweredAssumption } from '../../karmada/configuration/assumptions.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { resolveConfiguration } from '../../karmada/configuration/resolveConfiguration.ts';
import {
  type ChosenDialect,
  type Dialect,
  dialectOf,
  newestReleased,
} from '../../karmada/dialects/dialects.ts';
import type { LoadedState } from '../../state/source.ts';
import type { InputNames } from '../ports.ts';
import { givenAssumptions } from './assumptions.ts';
import type { StateRequest } from './stateRequest.ts';

/**
 * Karmada's behaviour without a state: by the requested version, otherwise the newest release, with the given
 * assumptions. Throws a Problem for an invalid assumption.
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

/**
 * The dialect of a version. The first of these decides: the requested version, the one given to the simulation that
 * saved the state, that of the controller manager's image in the state, the minor version that the API shows
 * (assuming its newest patch release), the newest release (an assumption). A version without its own data gets the
 * nearest dialect, with a warning. It is a guess if a controller manager of unknown version runs.
 */
export function chooseDialect(
  wanted: string | undefined,
  {
    components: { versions, commandLines },
    detected,
    assumed,
  }: Pick<LoadedState, 'components' | 'detected' | 'assumed'>,
  names: InputNames,
): { dialect: Dialect; assumption: AnsweredAssumption; warning?: string[]; guessed?: true } {
  const manager = commandLines.find(({ component }) => component === 'controllerManager');
  const answer = (chosen: ChosenDialect, source: string, guessed = false) => ({
    dialect: chosen.dialect,
    assumption: {
      name: 'karmadaVersion',
      value: chosen.dialect.version,
      source: chosen.exact ? source : `${source}; ${chosen.note}`,
      assumed: guessed || !chosen.exact,
    },
    ...(chosen.exact ? {} : { warning: [`${source}: ${chosen.note}`] }),
    ...(guessed && manager && { guessed }),
  });
  if (wanted !== undefined) return answer(dialectOf(wanted), names.version);
  if (assumed?.version !== undefined) return answer(dialectOf(assumed.version), 'saved with the state');
  const running = versions.find(({ component }) => component === 'controllerManager') ?? versions[0];
  if (running) {
    const isGuess = running.component !== 'controllerManager' && manager !== undefined;
    const chosen = answer(
      dialectOf(running.version),
      `${running.source} runs ${running.version}${isGuess ? `; the version of ${manager.source} is unknown, name it with ${names.version}` : ''}`,
      isGuess,
    );
    const others = versions.filter(({ version }) => version !== running.version);
    if (others.length === 0) return chosen;
    const named = others.map(({ source, version }) => `${source} ${version}`).join(', ');
    const mixed = `${running.source} runs ${running.version} and ${named}; answers use the first, name another with ${names.version}`;
    return { ...chosen, warning: [...(chosen.warning ?? []), mixed] };
  }
  // the API's types show only the minor version
  if (detected)
    return answer(
      dialectOf(detected.version),
      `${detected.source}; its newest patch release is assumed, give ${names.version} for another`,
      true,
    );
  return answer(dialectOf(newestReleased), `the newest that is released; give ${names.version}`, true);
}
