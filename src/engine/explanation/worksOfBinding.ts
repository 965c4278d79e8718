import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import {
  CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL,
  EXECUTION_NAMESPACE_PREFIX,
  RESOURCE_BINDING_PERMANENT_ID_LABEL,
} from '../../karmada/names.ts';

/** Finds the Works of each of the bindings by their permanent id, as the binding controllers do. */
export function worksOfBinding(
  works: Work[],
  bindings: ResourceBinding[],
): (binding: ResourceBinding) => Map<string, Work> {
  const byId = new Map<string, Map<string, Work>>();
  for (const binding of bindings) {
    const id = permanentId(binding.metadata.labels);
    if (id !== undefined) byId.set(id, new Map());
  }
  for (const work of works) {
    const id = permanentId(work.metadata.labels);
    const cluster = work.metadata.namespace?.startsWith(EXECUTION_NAMESPACE_PREFIX)
      ? work.metadata.namespace.slice(EXECUTION_NAMESPACE_PREFIX.length)
      : undefined;
    if (id !== undefined && cluster !== undefined) byId.get(id)?.set(cluster, work);
  }
  const none = new Map<string, Work>();
  return ({ metadata }) => byId.get(permanentId(metadata.labels) ?? '') ?? none;
}

function permanentId(labels: Record<string, string> | undefined): string | undefined {
  return (
    labels?.[RESOURCE_BINDING_PERMANENT_ID_LABEL] ?? labels?.[CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL]
  );
}
