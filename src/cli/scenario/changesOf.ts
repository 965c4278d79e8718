import { isUtf8 } from 'node:buffer';
import { statSync, type Stats } from 'node:fs';
import type { ScenarioAction } from '../../simulator/scenario.ts';
import { isObject } from '../../kubernetes/json.ts';
import { readAs } from '../../state/errors.ts';
import { fieldReader } from '../../state/fieldReader.ts';
import { UserError } from '../errors.ts';
import { manifests, parseNamed, readNamedBytes } from './namedFiles.ts';

type Change = Extract<ScenarioAction, { type: 'apply' | 'patch' }>;

/**
 * The changes in a file that a flag names: manifests, or the patches that `failover explain -o json` prints (`{target, merge}`, one
 * or a list of them). Rejects with a UserError or StateError that names the file.
 */
export async function changesOf(flag: '--apply' | '--apply-to', path: string): Promise<Change[]> {
  const file = `${flag} ${path}`;
  const stat = path === '-' ? undefined : statOf(path);
  // archives and directories hold no patches; a pipe can be read only once
  const bytes = stat?.isDirectory() ? Buffer.alloc(0) : await readNamedBytes(flag, path);
  const text = isUtf8(bytes) ? bytes.toString('utf8') : '';
  if (!stat?.isDirectory() && isUtf8(bytes) && text.trim() === '')
    throw new UserError(`${file}: is empty; give manifests, or patches`);
  if (
    !/["']?merge["']?\s*:|^[[{\s-]*["']?target["']?\s*:|^[{\s]*["']?kind["']?\s*:\s*["']?Explanation\b/.test(
      text,
    )
  ) {
    const read = stat?.isFile() || stat?.isDirectory() ? undefined : bytes;
    const objects = await readAs(flag, () => manifests(path, read));
    if (objects.length === 0) throw new UserError(`${file}: holds neither a manifest nor a patch; give one`);
    return [{ type: 'apply', objects }];
  }
  const { value: parsed, at } = await parseNamed(flag, path, text);
  if (isObject(parsed) && parsed.kind === 'Explanation')
    throw new UserError(`${file}: ${ofExplanation(text)}`);
  const { fields, identity } = fieldReader(file, (field) =>
    at(
      field.replace(/^patch (\d+)/, (_, number) => (Array.isArray(parsed) ? `[${Number(number) - 1}]` : '')),
    ),
  );
  return (Array.isArray(parsed) ? parsed : [parsed]).map((found, index) => {
    const name = `patch ${index + 1}`;
    const patch = fields(name, found);
    const target = identity(`${name}.target`, fields(`${name}.target`, patch.target));
    const merge = fields(`${name}.merge`, patch.merge);
    return { type: 'patch', target, merge };
  });
}

/** What is wrong with a whole explanation. */
function ofExplanation(text: string): string {
  if (!text.includes('merge')) return 'is an explanation without patches; give manifests, or patches';
  return "is a whole explanation, whose changes are alternatives; give the patches of one of them: failover explain … -o jsonpath='{.changes.items[0].patches}'";
}

/** undefined if there is none: the read will then say why. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
