import { placeOf } from '../../state/position.ts';
import { StateError } from '../../state/errors.ts';
import { isObject, keysOf } from '../../kubernetes/json.ts';
import type { GivenSetting } from '../../useCases/controller/settings.ts';
import { parseNamed, readNamed } from '../scenario/namedFiles.ts';
import { settingFlags } from './runFlags.ts';

type SettingFlags = { [Name in keyof typeof settingFlags]?: string | string[] | undefined };

/**
 * The settings of the configuration file, if any, overridden by flags. Rejects with a UserError or StateError if the
 * file cannot be read.
 */
export async function givenSettings(
  flags: SettingFlags,
  config: string | undefined,
): Promise<GivenSetting[]> {
  const ofFile = config === undefined ? [] : await settingsIn(config);
  const ofFlags = keysOf(settingFlags).flatMap((name) => {
    const given = flags[name];
    if (given === undefined) return [];
    const values = typeof given === 'string' ? [given] : given;
    return values.map((value): GivenSetting => ({ name, value, place: `--${name}` }));
  });
  return [...ofFile, ...ofFlags];
}

async function settingsIn(path: string): Promise<GivenSetting[]> {
  const file = `--config ${path}`;
  const { value, at } = await parseNamed('--config', path, await readNamed('--config', path));
  if (!isObject(value))
    throw new StateError(
      `${placeOf(file, at([]))}: is not a mapping of settings; write one on each line, such as resource-eviction-rate: 1`,
    );
  return Object.entries(value).flatMap(([name, given]): GivenSetting[] => {
    const place = (...steps: string[]) =>
      `${placeOf(file, at([name, ...steps]))}: ${[name, ...steps].join('.')}`;
    // each gate is set separately
    if (name === 'feature-gates' && isObject(given))
      return Object.entries(given).map(([gate, on]) => ({
        name,
        value: `${gate}=${typeof on === 'string' ? on : JSON.stringify(on)}`,
        place: place(gate),
      }));
    return [{ name, value: given, place: place() }];
  });
}
