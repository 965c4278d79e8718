import type { ObjectIdentity, ObjectMeta } from '../api/meta.ts';
import {
  CLUSTER_RESOURCE_BINDING_NAME_ANNOTATION,
  CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL,
  RESOURCE_BINDING_NAMESPACE_ANNOTATION,
  RESOURCE_BINDING_NAME_ANNOTATION,
  RESOURCE_BINDING_PERMANENT_ID_LABEL,
  executionCluster,
} from '../api/names.ts';
import type { ResourceBinding, Work } from '../api/work.ts';

/** The permanent id of a binding, which its Works have too; undefined if no webhook has set one. */
export function bindingPermanentId({ labels }: Pick<ObjectMeta, 'labels'>): string | undefined {
  return (
    labels?.[RESOURCE_BINDING_PERMANENT_ID_LABEL] ?? labels?.[CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL]
  );
}

/** The binding that a Work names as its origin, whether or not it still exists. */
export function namedBinding({ metadata: { annotations = {} } }: Work): ObjectIdentity | undefined {
  const name = annotations[RESOURCE_BINDING_NAME_ANNOTATION];
  const namespace = annotations[RESOURCE_BINDING_NAMESPACE_ANNOTATION];
  if (name && namespace) return { kind: 'ResourceBinding', namespace, name };
  const clusterWide = annotations[CLUSTER_RESOURCE_BINDING_NAME_ANNOTATION];
  return clusterWide ? { kind: 'ClusterResourceBinding', name: clusterWide } : undefined;
}

/** The member that a Work is for; undefined outside an execution namespace. */
export function clusterOfWork({ metadata: { namespace = '' } }: Work): string | undefined {
  return executionCluster(namespace);
}

/** The binding (by permanent id) and cluster of a Work; undefined if it is not a binding's Work. */
export function placeOfWork(work: Work): { id: string; cluster: string } | undefined {
  const id = bindingPermanentId(work.metadata);
  const cluster = clusterOfWork(work);
  return id === undefined || cluster === undefined ? undefined : { id, cluster };
}

/** Finds the Works of each binding by permanent id, as the binding controllers do. */
export function worksOfBinding(
  works: Work[],
  bindings: ResourceBinding[],
): (binding: ResourceBinding) => Map<string, Work> {
  const byId = new Map<string, Map<string, Work>>();
  for (const { metadata } of bindings) {
    const id = bindingPermanentId(metadata);
    if (id !== undefined) byId.set(id, new Map());
  }
  for (const work of works) {
    const place = placeOfWork(work);
    if (place) byId.get(place.id)?.set(place.cluster, work);
  }
  const none = new Map<string, Work>();
  return ({ metadata }) => byId.get(bindingPermanentId(metadata) ?? '') ?? none;
}

/** The labels and annotations that identify a Work's binding. */
export type BindingOwnership = Required<Pick<ObjectMeta, 'labels' | 'annotations'>>;

/**
 * How a Work and its object name their binding: its permanent id as a label, its name as annotations (Karmada v1.18,
 * mergeLabel and mergeAnnotations of the binding controllers).
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
