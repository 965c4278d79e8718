import type { Dialect } from '../karmada/dialects/dialect.ts';
import { dialectOf, dialects, newestDialect } from '../karmada/dialects/dialects.ts';
import type { ObservedComponents } from '../state/componentFlags.ts';
import type { AnsweredAssumption } from '../views/assumptions.ts';
import { UserError } from './errors.ts';

/**
 * The dialect of the version that --karmada-version names, else of the controller manager's image in the
 * state, else the newest, which is then an assumption.
 */
export function chooseDialect(
  wanted: string | undefined,
  { versions }: ObservedComponents,
): { dialect: Dialect; assumption: AnsweredAssumption } {
  const known = dialects.map(({ version }) => version).join(', ');
  const answer = (dialect: Dialect, source: string, assumed: boolean) => ({
    dialect,
    assumption: { name: 'karmadaVersion', value: dialect.version, source, assumed },
  });
  if (wanted !== undefined) {
    const dialect = dialectOf(wanted);
    if (!dialect) throw new UserError(`--karmada-version ${wanted} is not known; known are ${known}`);
    return answer(dialect, '--karmada-version', false);
  }
  const running = versions.find(({ component }) => component === 'controllerManager') ?? versions[0];
  if (!running) return answer(newestDialect, 'the newest that is known; give --karmada-version', true);
  const dialect = dialectOf(running.version);
  if (dialect) return answer(dialect, `${running.source} runs ${running.version}`, false);
  const source = `${running.source} runs ${running.version}, which is not known`;
  return answer(newestDialect, `${source}; known are ${known}`, true);
}
