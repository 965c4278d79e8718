import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { readAs, StateError } from '../../state/errors.ts';
import { stateFromFiles } from '../../state/fileSource.ts';
import type { ExpectedInput } from '../../state/input/files.ts';
import { readWritten, readWrittenText } from '../../state/input/writtenText.ts';
import { parseScenario } from '../../state/scenario/scenarioFile.ts';
import type { PositionedDocument } from '../../state/yaml/positions.ts';
import { whyUnreadable } from '../../state/systemProblem.ts';
import type { OpenedScenario } from '../../useCases/state/stateRequest.ts';
import { UserError } from '../errors.ts';

/** Reads the scenario file that a flag names. Throws a UserError or StateError that names the file and the field. */
export async function readScenario(
  path: string | undefined,
  flag: '--scenario' | '--scenario-to' = '--scenario',
): Promise<OpenedScenario | undefined> {
  if (path === undefined) return undefined;
  const { value, at } = await parseNamed(flag, path, await readNamed(flag, path));
  const file = await readAs(flag, () => parseScenario(value, path, at));
  return { source: `${flag} ${path}`, path, file, at };
}

/** The text of a file that a flag names, "-" for stdin. Rejects with a UserError or StateError that names both. */
export async function readNamed(flag: string, path: string): Promise<string> {
  return reading(flag, path, () => readWrittenText(`${flag} ${path}`, path, process.stdin));
}

/** The bytes of such a file, decompressed if needed. Rejects in the same way. */
export async function readNamedBytes(flag: string, path: string): Promise<Buffer> {
  return reading(flag, path, () => readWritten(path, process.stdin));
}

async function reading<T>(flag: string, path: string, read: () => Promise<T>): Promise<T> {
  if (path === '-' && process.stdin.isTTY)
    throw new UserError(`${flag} -: stdin is a terminal; pipe the text in, or name a file`);
  try {
    return await read();
  } catch (error) {
    if (error instanceof StateError) throw error;
    throw new UserError(`${flag} ${path}: ${whyUnreadable(error)}`);
  }
}

/** Parses the text of a YAML or JSON file that a flag names. Rejects with a StateError that names flag, file, line and column. */
export async function parseNamed(flag: string, path: string, text: string): Promise<PositionedDocument> {
  const { readOneDocument } = await import('../../state/yaml/positions.ts');
  return readOneDocument(text, `${flag} ${path}`);
}

/** Advice for invalid changes: users write them, or copy them from explain. */
const changesWanted: ExpectedInput = {
  what: 'manifests',
  ifEmpty: 'give manifests, or patches',
  ifOther: 'give manifests in YAML or JSON, or the patches that failover explain -o json prints',
};

/**
 * All objects in a file of manifests, checked like those of a state. Rejects with a StateError that names the file.
 * @param read its content, if it was read and cannot be read again
 */
export async function manifests(path: string, read?: Buffer): Promise<KubernetesObject[]> {
  const { world } = await stateFromFiles([read ? '-' : path], () => [read!], Date.now, changesWanted).load();
  return [
    ...world.clusters,
    ...world.taintPolicies,
    ...world.policies,
    ...world.others,
    ...world.bindings,
    ...world.works,
  ] as KubernetesObject[];
}
