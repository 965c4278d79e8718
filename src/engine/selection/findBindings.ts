import type { ResourceBinding } from '../../karmada/api/work.ts';
import { meansKind, parseKind } from '../../kubernetes/resourceNames.ts';

/** What a user asked for: a workload or the binding itself, by kind, name and namespace as far as given. */
export interface BindingQuery {
  /** as for kubectl: "deploy", "deployments.apps", "rb" */
  kind?: string;
  name?: string;
  namespace?: string;
}

/** Bindings whose workload, or who themselves, are what the query names. */
export function findBindings(bindings: ResourceBinding[], query: BindingQuery): ResourceBinding[] {
  const typed = query.kind === undefined ? undefined : parseKind(query.kind);
  const named = (name: string) => query.name === undefined || query.name === name;
  return bindings.filter(({ kind, metadata, spec: { resource } }) => {
    const namespace = metadata.namespace ?? resource.namespace;
    if (query.namespace !== undefined && namespace !== query.namespace) return false;
    const isWorkload = !typed || meansKind(typed, resource.apiVersion, resource.kind);
    if (isWorkload && named(resource.name)) return true;
    const own = kind ?? (metadata.namespace ? 'ResourceBinding' : 'ClusterResourceBinding');
    const isBinding = !typed || meansKind(typed, 'work.karmada.io/v1alpha2', own);
    return isBinding && named(metadata.name);
  });
}
