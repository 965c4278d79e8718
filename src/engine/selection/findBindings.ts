import type { ResourceBinding } from '../../karmada/api/work.ts';
import { meansKind, parseKind } from '../../kubernetes/resourceNames.ts';

/** What a user asked for: KIND/NAME of a workload or of the binding itself, perhaps of one namespace. */
export interface BindingQuery {
  kind: string;
  name: string;
  namespace?: string;
}

/** Bindings whose workload, or who themselves, are what the query names. Kinds are spelled as for kubectl. */
export function findBindings(bindings: ResourceBinding[], query: BindingQuery): ResourceBinding[] {
  const typed = parseKind(query.kind);
  return bindings.filter((binding) => {
    const { resource } = binding.spec;
    if (query.namespace !== undefined && namespaceOf(binding) !== query.namespace) return false;
    if (resource.name === query.name && meansKind(typed, resource.apiVersion, resource.kind)) return true;
    const kind = binding.kind ?? (binding.metadata.namespace ? 'ResourceBinding' : 'ClusterResourceBinding');
    return binding.metadata.name === query.name && meansKind(typed, 'work.karmada.io/v1alpha2', kind);
  });
}

/** Names of the form KIND/NAME, in lower case, under which the bindings can be asked for. */
export function bindingNames(bindings: ResourceBinding[], query: Pick<BindingQuery, 'namespace'>): string[] {
  return bindings
    .filter((binding) => query.namespace === undefined || namespaceOf(binding) === query.namespace)
    .map(({ spec: { resource } }) => `${resource.kind.toLowerCase()}/${resource.name}`);
}

function namespaceOf(binding: ResourceBinding): string | undefined {
  return binding.metadata.namespace ?? binding.spec.resource.namespace;
}
