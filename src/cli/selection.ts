import { SELECTABLE_FIELDS } from '../karmada/selection/selectBindings.ts';
import { parseFieldSelector, type FieldRequirement } from '../kubernetes/fieldSelector.ts';
import type { LabelSelector } from '../kubernetes/schema/meta.ts';
import { parseLabelSelectorText } from '../kubernetes/labelSelector.ts';
import type { Selection } from '../useCases/selection/selection.ts';
import { nearMatches } from '../kubernetes/spelling.ts';
import type { selectionFlags } from './flags.ts';
import type { GivenFlags } from './givenFlags.ts';
import { UserError, withSuggestion } from './errors.ts';

export type SelectionFlags = GivenFlags<Omit<typeof selectionFlags, 'all-namespaces'>>;

/** The selection by -n, --selector and --field-selector. Throws a UserError if a selector cannot be read. */
export function selectionFromFlags(flags: SelectionFlags): Selection {
  const { namespace, selector, 'field-selector': fields } = flags;
  return {
    namespace,
    labels: selector === undefined ? undefined : givenLabelSelector(selector),
    fields: fields === undefined ? undefined : givenFieldSelector(fields),
  };
}

/** The selection in words; empty for everything. */
export function selectionText(targets: readonly string[], flags: SelectionFlags): string {
  const { namespace, selector, 'field-selector': fields } = flags;
  const chosen = [selector, fields].filter((text) => text !== undefined).join(' and ');
  return [
    ...(targets.length === 0 ? [] : [`of ${targets.join(', ')}`]),
    ...(chosen === '' ? [] : [`of workloads with ${chosen}`]),
    ...(namespace === undefined ? [] : [`in namespace ${namespace}`]),
  ].join(' ');
}

/** Reads --selector. Throws a UserError that names the invalid part. */
export function givenLabelSelector(text: string): LabelSelector {
  const parsed = parseLabelSelectorText(text);
  if ('error' in parsed)
    throw new UserError(
      `--selector "${text}": ${parsed.error}; write app=cart, app!=cart, "app in (cart,search)" or !app`,
    );
  return parsed.selector;
}

/** Reads --field-selector. Throws a UserError that names the invalid part, or lists the fields. */
function givenFieldSelector(text: string): FieldRequirement[] {
  const parsed = parseFieldSelector(text);
  if ('error' in parsed) throw new UserError(`--field-selector "${text}": ${parsed.error}`);
  for (const { field } of parsed.requirements)
    if (!SELECTABLE_FIELDS.includes(field))
      throw new UserError(
        withSuggestion(
          `--field-selector "${text}": bindings have no selectable field "${field}"`,
          nearMatches(field, SELECTABLE_FIELDS),
          `use ${SELECTABLE_FIELDS.join(' and ')}`,
        ),
      );
  return parsed.requirements;
}
