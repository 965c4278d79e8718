import type { ResourceBinding } from '../api/work.ts';
import { matchesFields, type FieldRequirement } from '../../kubernetes/fieldSelector.ts';
import { compileLabelSelector } from '../../kubernetes/labelSelector.ts';
import type { LabelSelector } from '../../kubernetes/schema/meta.ts';
import type { World } from '../world.ts';

/** Which bindings an answer is about; all given parts must hold. */
export interface BindingSelection {
  namespace?: string;
  /** by the labels of the resource template, which its binding lacks; by the binding's if the template is unknown */
  labelSelector?: LabelSelector;
  /** by SELECTABLE_FIELDS of the binding */
  fields?: FieldRequirement[];
}

/** The fields that can select bindings: those that the API server allows for custom resources. */
export const SELECTABLE_FIELDS = ['metadata.name', 'metadata.namespace'];

/** The bindings of a selection, in the world's order. */
export function selectBindings(
  { bindings, others }: Pick<World, 'bindings' | 'others'>,
  { namespace, labelSelector, fields = [] }: BindingSelection,
): ResourceBinding[] {
  const matches = labelSelector && (compileLabelSelector(labelSelector) ?? (() => false));
  const labels = new Map(
    matches
      ? others.map(({ apiVersion, kind, metadata }) => [
          `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`,
          metadata.labels ?? {},
        ])
      : [],
  );
  return bindings.filter(({ metadata, spec: { resource } }) => {
    if (namespace !== undefined && metadata.namespace !== namespace) return false;
    const read = (field: string) => (field === 'metadata.name' ? metadata.name : metadata.namespace);
    if (!matchesFields(fields, read)) return false;
    const template = `${resource.apiVersion} ${resource.kind} ${resource.namespace ?? ''}/${resource.name}`;
    return !matches || matches(labels.get(template) ?? metadata.labels);
  });
}
