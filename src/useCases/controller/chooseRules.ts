import { parseProposal } from '../../karmada/dialects/design.ts';
import { type Dialect, dialectOf } from '../../karmada/dialects/dialects.ts';
import { parseVersion } from '../../karmada/dialects/release.ts';
import type { ObservedComponents } from '../../state/componentFlags.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { servedVersion } from '../../state/live/served/servedVersion.ts';
import type { Ports } from '../ports.ts';
import { Problem } from '../problem.ts';
import { chooseDialect } from '../state/configurationOf.ts';
import { readSettings, settingOf, type ControllerSettings, type GivenSetting } from './settings.ts';

/**
 * The settings, by the rules of the version that they name, else of the running one; and the dialect of the running
 * Karmada, if it can be detected. Rejects with a Problem for wrong settings.
 */
export async function chooseRules(
  server: ApiServer,
  given: readonly GivenSetting[],
  host: ObservedComponents | undefined,
  { warn, names }: Ports,
): Promise<{ settings: ControllerSettings; running: Dialect }> {
  const wanted = versionOf(settingOf(given, 'karmada-version'));
  const detected = await servedVersion(server, new AbortController().signal);
  const components = host ?? { versions: [], commandLines: [], warnings: [] };
  const shown = { components, ...(detected && { detected }) };
  const running = chooseDialect(undefined, shown, names);
  const chosen = wanted === undefined ? running : chooseDialect(wanted, shown, names);
  chosen.warning?.forEach(warn);
  if (wanted === undefined && chosen.assumption.assumed)
    warn(`rules of ${chosen.dialect.version}: ${chosen.assumption.source}`);
  return { settings: readSettings(given, chosen.dialect, names), running: running.dialect };
}

/** The text of a version; throws a Problem if it is not one. */
export function versionOf(given: GivenSetting | undefined): string | undefined {
  if (!given) return undefined;
  const { value, place } = given;
  if (typeof value === 'string' && isVersion(value)) return value;
  const message = `${JSON.stringify(value)} is not a version; give one such as v1.18.2, v1.18, or proposal`;
  throw new Problem({ code: 'settings', problems: [{ place, message }] });
}

function isVersion(text: string): boolean {
  return dialectOf(text).exact || parseVersion(text) !== undefined || parseProposal(text) !== undefined;
}
