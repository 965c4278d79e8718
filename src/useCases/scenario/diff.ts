import type { ScenarioEvent } from '../../engine/scenario.ts';
import { parseAssumption, parseAssumptions, type Assumption } from '../../karmada/assumptions.ts';
import type { Dialect } from '../../karmada/dialects/dialect.ts';
import { dialectOf } from '../../karmada/dialects/dialects.ts';
import { parseVersion } from '../../karmada/dialects/release.ts';
import { isObject } from '../../kubernetes/json.ts';
import { fieldReader } from '../../state/fieldReader.ts';
import { assumptionsFromFlags, assumptionsFromScenario } from '../state/assumptions.ts';
import { UserError } from '../../cli/errors.ts';
import { manifests, parseNamed, readNamed } from './scenario.ts';
import type { OpenedScenario } from '../state/openState.ts';
import { sayWarning } from '../../terminal/messages.ts';

/** Throws a UserError for a version that is none. */
export function versionNamed(flag: string, text: string): Dialect {
  if (text.trim() !== 'head' && !parseVersion(text))
    throw new UserError(`--${flag} ${JSON.stringify(text)} is no version; give one such as v1.18.2 or v1.17`);
  const chosen = dialectOf(text);
  if (!chosen.exact) sayWarning(`--${flag}: ${chosen.note}`);
  return chosen.dialect;
}

/**
 * What --assume says of both sides, for the one that `dialect` is the version of: what only the other side's version knows decides
 * nothing here. Throws a UserError for what neither knows, and for values that cannot be.
 */
export function commonAssumptions(values: readonly string[], dialect: Dialect, other: Dialect): Assumption[] {
  return values.flatMap((value) => {
    if (knows(dialect, value) || !knows(other, value)) return assumptionsFromFlags([value], dialect);
    sayWarning(`--assume ${value}: ${dialect.version} does not know it, so it decides nothing there`);
    return [];
  });
}

/**
 * What the `assume` block of a side's scenario says, one name after the other: what only the other side's version knows decides nothing
 * here. Throws a UserError for what neither knows, and for values that cannot be.
 */
export function scenarioAssumptions(
  { path, file }: OpenedScenario,
  dialect: Dialect,
  other: Dialect,
): Assumption[] {
  return Object.entries(file.assume).flatMap(([component, values]) => {
    const blocks = isObject(values)
      ? Object.entries(values).map(([name, value]) => ({ [component]: { [name]: value } }))
      : [{ [component]: values }];
    return blocks.flatMap((block) => {
      const unknownTo = (one: Dialect) => {
        const found = parseAssumptions(block, path, one);
        return !Array.isArray(found) && found.unknown !== undefined;
      };
      if (!unknownTo(dialect) || unknownTo(other)) return assumptionsFromScenario(block, path, dialect);
      sayWarning(
        `scenario ${path}: assume: ${JSON.stringify(block)}: ${dialect.version} does not know it, so it decides nothing there`,
      );
      return [];
    });
  });
}

function knows(dialect: Dialect, value: string): boolean {
  const found = parseAssumption(value, '--assume', dialect);
  return Array.isArray(found) || found.unknown === undefined;
}

/**
 * The changes in a file: manifests as --apply takes them, or the patches that `failover explain -o json` prints (`{target, merge}`, one
 * or a list of them). Rejects with a UserError or StateError that names the file.
 */
export async function changesOf(path: string, at: number): Promise<ScenarioEvent[]> {
  const file = `--apply-to ${path}`;
  const text = await readNamed('--apply-to', path);
  if (!/["']?merge["']?\s*:|^[[{\s-]*["']?target["']?\s*:/.test(text)) {
    const objects = await manifests(path, path === '-' ? text : undefined);
    if (objects.length === 0) throw new UserError(`${file}: holds neither a manifest nor a patch`);
    return [{ at, action: { type: 'apply', objects } }];
  }
  const parsed = await parseNamed('--apply-to', path, text);
  if (isObject(parsed) && parsed.kind === 'Explanation')
    throw new UserError(
      `${file}: is all that failover explain says, whose changes are alternatives; give the patches of one: failover explain … -o jsonpath='{.changes.items[0].patches}'`,
    );
  const { fields, identity } = fieldReader(file);
  return (Array.isArray(parsed) ? parsed : [parsed]).map((found, index) => {
    const name = `patch ${index + 1}`;
    const patch = fields(name, found);
    const target = identity(`${name}.target`, fields(`${name}.target`, patch.target));
    const merge = fields(`${name}.merge`, patch.merge);
    return { at, action: { type: 'patch', target, merge } };
  });
}
