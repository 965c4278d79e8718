import type { Dialect } from '../karmada/dialects/dialect.ts';
import { dialectOf, dialects, newestDialect } from '../karmada/dialects/dialects.ts';
import type { LoadedState } from '../state/source.ts';
import type { AnsweredAssumption } from '../views/assumptions.ts';
import { UserError } from './errors.ts';

/**
 * The dialect of the version that --karmada-version names, else of the controller manager's image in the
 * state, else as the API tells, else the newest, which is then an assumption. A version that is there and not known
 * is worth a warning.
 */
export function chooseDialect(
  wanted: string | undefined,
  { components: { versions }, detected }: Pick<LoadedState, 'components' | 'detected'>,
): { dialect: Dialect; assumption: AnsweredAssumption; warning?: string[] } {
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
  const other = (source: string) => ({
    ...answer(newestDialect, `${source}, which is not known; known are ${known}`, true),
    warning: [`${source}: answers follow ${newestDialect.version}, known are ${known}`],
  });
  const running = versions.find(({ component }) => component === 'controllerManager') ?? versions[0];
  if (running) {
    const dialect = dialectOf(running.version);
    const source = `${running.source} runs ${running.version}`;
    return dialect ? answer(dialect, source, false) : other(source);
  }
  if (!detected) return answer(newestDialect, 'the newest that is known; give --karmada-version', true);
  const dialect = dialectOf(detected.version);
  return dialect ? answer(dialect, detected.source, false) : other(detected.source);
}
