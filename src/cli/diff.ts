import type { ScenarioEvent } from '../engine/scenario.ts';
import type { Assumption } from '../karmada/assumptions.ts';
import type { Dialect } from '../karmada/dialects/dialect.ts';
import { dialectOf } from '../karmada/dialects/dialects.ts';
import { parseVersion } from '../karmada/dialects/release.ts';
import { parseAnyYaml } from '../state/yaml/anyYaml.ts';
import { assumptionsFromFlags } from './assumptions.ts';
import { UserError } from './errors.ts';
import { manifests } from './scenario.ts';

/** Throws a UserError for a version that is none. */
export function versionNamed(flag: string, text: string): Dialect {
  if (text.trim() !== 'head' && !parseVersion(text))
    throw new UserError(`--${flag} ${text} is no version; give one such as v1.18.2 or v1.17`);
  const chosen = dialectOf(text);
  if (!chosen.exact) process.stderr.write(`warning: --${flag}: ${chosen.note}\n`);
  return chosen.dialect;
}

/** What is assumed of both, as far as this version knows it: what it does not know decides nothing there. */
export function commonAssumptions(values: readonly string[], dialect: Dialect): Assumption[] {
  return values.flatMap((value) => {
    try {
      return assumptionsFromFlags([value], dialect);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      process.stderr.write(`warning: ${dialect.version}: ${error.message}\n`);
      return [];
    }
  });
}

interface ManyPatches {
  target: Extract<ScenarioEvent['action'], { type: 'patch' }>['target'];
  merge: unknown;
}

/**
 * The changes in a file: manifests as --apply takes them, or the patches that `failover explain -o json` prints (`{target, merge}`, one
 * or a list of them). Rejects with a UserError that names the file.
 */
export async function changesOf(
  path: string,
  at: number,
  readText: (path: string) => Promise<string>,
): Promise<ScenarioEvent[]> {
  let text: string;
  try {
    text = await readText(path);
  } catch (error) {
    throw new UserError(`--apply-to ${path}: ${(error as Error).message}`);
  }
  if (!/["']?merge["']?\s*:/.test(text))
    return [{ at, action: { type: 'apply', objects: await manifests(path) } }];
  const parsed = parseAnyYaml(text, () => undefined) as unknown;
  const patches = (Array.isArray(parsed) ? parsed : [parsed]) as (Partial<ManyPatches> | null)[];
  return patches.map((patch, index) => {
    const { target, merge } = patch ?? {};
    if (!target || typeof target.kind !== 'string' || typeof target.name !== 'string' || merge === undefined)
      throw new UserError(`--apply-to ${path}: patch ${index + 1} needs target.kind, target.name and merge`);
    return { at, action: { type: 'patch', target, merge } };
  });
}
