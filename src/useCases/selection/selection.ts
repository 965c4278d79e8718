import { SELECTABLE_FIELDS, selectBindings } from '../../engine/selection/selectBindings.ts';
import type { World } from '../../engine/world.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { parseFieldSelector, type FieldRequirement } from '../../kubernetes/fieldSelector.ts';
import type { LabelSelector } from '../../kubernetes/labelSelector.ts';
import { parseLabelSelectorText } from '../../kubernetes/labelSelectorText.ts';
import { nearMatches } from '../../views/nearMatches.ts';
import { UserError, withSuggestion } from '../../cli/errors.ts';
import { bindingsIn } from './target.ts';

export interface SelectionFlags {
  namespace?: string | undefined;
  selector?: string | undefined;
  'field-selector'?: string | undefined;
}

/** Whether less than everything was asked for. */
export function isSelective(flags: SelectionFlags): boolean {
  return [flags.namespace, flags.selector, flags['field-selector']].some((flag) => flag !== undefined);
}

/** What was asked about, in words; empty where it is everything. */
export function askedAbout(target: string | undefined, flags: SelectionFlags): string {
  const { namespace, selector, 'field-selector': fields } = flags;
  const chosen = [selector, fields].filter((text) => text !== undefined).join(' and ');
  return [
    ...(target === undefined ? [] : [`of ${target}`]),
    ...(chosen === '' ? [] : [`of workloads with ${chosen}`]),
    ...(namespace === undefined ? [] : [`in namespace ${namespace}`]),
  ].join(' ');
}

/**
 * The bindings that -n, --selector and --field-selector leave; labels are those of the workload where the world has it.
 * Throws a UserError where a selector cannot be read, or where the namespace has no binding at all.
 */
export function selectedBindings(world: World, flags: SelectionFlags): ResourceBinding[] {
  const bindings = bindingsIn(world.bindings, flags.namespace);
  const { selector, 'field-selector': fieldSelector } = flags;
  if (selector === undefined && fieldSelector === undefined) return bindings;
  return selectBindings(
    { bindings, others: world.others },
    {
      ...(selector === undefined ? {} : { labelSelector: givenLabelSelector(selector) }),
      ...(fieldSelector === undefined ? {} : { fields: givenFieldSelector(fieldSelector) }),
    },
  );
}

/** What --selector says. Throws a UserError that says which part cannot be read. */
export function givenLabelSelector(text: string): LabelSelector {
  const parsed = parseLabelSelectorText(text);
  if ('error' in parsed)
    throw new UserError(
      `--selector "${text}": ${parsed.error}; write app=cart, app!=cart, "app in (cart,search)" or !app`,
    );
  return parsed.selector;
}

/** What --field-selector says. Throws a UserError that says which part cannot be read, or which fields there are. */
export function givenFieldSelector(text: string): FieldRequirement[] {
  const parsed = parseFieldSelector(text);
  if ('error' in parsed) throw new UserError(`--field-selector "${text}": ${parsed.error}`);
  for (const { field } of parsed.requirements)
    if (!SELECTABLE_FIELDS.includes(field))
      throw new UserError(
        withSuggestion(
          `--field-selector "${text}": bindings cannot be selected by "${field}"`,
          nearMatches(field, SELECTABLE_FIELDS),
          `they can by ${SELECTABLE_FIELDS.join(' and ')}`,
        ),
      );
  return parsed.requirements;
}
