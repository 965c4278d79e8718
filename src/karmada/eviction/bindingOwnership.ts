import type { ObjectMeta } from '../api/meta.ts';
import type { ResourceBinding } from '../api/work.ts';
import {
  CLUSTER_RESOURCE_BINDING_NAME_ANNOTATION,
  CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL,
  RESOURCE_BINDING_NAME_ANNOTATION,
  RESOURCE_BINDING_NAMESPACE_ANNOTATION,
  RESOURCE_BINDING_PERMANENT_ID_LABEL,
} from '../api/names.ts';

/** The labels and annotations that say which binding a Work belongs to. */
export type BindingOwnership = Required<Pick<ObjectMeta, 'labels' | 'annotations'>>;

/**
 * How a Work and its object name their binding: the binding's permanent id as a label, its name as annotations (Karmada
 * v1.18, mergeLabel and mergeAnnotations of the binding controllers).
 */
export function bindingOwnership({ metadata }: ResourceBinding): BindingOwnership {
  const { namespace, name, labels = {} } = metadata;
  const label = namespace ? RESOURCE_BINDING_PERMANENT_ID_LABEL : CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL;
  const id = labels[label];
  return {
    labels: id === undefined ? {} : { [label]: id },
    annotations: namespace
      ? { [RESOURCE_BINDING_NAMESPACE_ANNOTATION]: namespace, [RESOURCE_BINDING_NAME_ANNOTATION]: name }
      : { [CLUSTER_RESOURCE_BINDING_NAME_ANNOTATION]: name },
  };
}
