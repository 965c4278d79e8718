import type { ScenarioAction } from '../../simulator/scenario.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { apiTypes } from '../../karmada/api/kinds.ts';
import { unknownFields } from '../../kubernetes/schema/decode.ts';

/** The limit of warnings about one object. */
const MAX = 5;

/**
 * Warnings about fields of applied objects that the version's API does not have, such as misspelt ones. kubectl
 * refuses them; an API server without strict validation drops them, and so does a simulation.
 *
 * @param version as messages name it
 * @param applied actions with the name of their input; skips all but `apply`
 */
export function unknownFieldWarnings(
  applied: Iterable<readonly [ScenarioAction, string | undefined]>,
  version: string,
  rules: Rules,
): string[] {
  const { kinds } = apiTypes(rules);
  const warnings: string[] = [];
  for (const [action, source] of applied) {
    if (action.type !== 'apply') continue;
    for (const object of action.objects) {
      const { kind, metadata } = object;
      const type = kinds.get(kind);
      if (!type) continue;
      const fields = unknownFields(type.schema, object)
        .map(({ path }) => path)
        .filter((field) => !field.startsWith('metadata.'));
      if (fields.length === 0) continue;
      const more = fields.length > MAX ? ` and ${fields.length - MAX} more` : '';
      const name = [metadata.namespace, metadata.name].filter(Boolean).join('/');
      const from = source ? `${source}: ` : '';
      warnings.push(
        `${from}${kind} ${name}: ${version} has no field ${fields.slice(0, MAX).join(', ')}${more}; dropped here, and refused by kubectl apply`,
      );
    }
  }
  return warnings;
}
