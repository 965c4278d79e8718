import type { ResourceBinding, ResourceBindingSpec } from '../karmada/api/work.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import { CLUSTER_RESOURCE_BINDINGS, RESOURCE_BINDINGS, type ApiResource } from '../state/live/resources.ts';
import { writeObject, type WriteObjectOptions, type WriteOutcome } from './writeObject.ts';

/** The API resource of a binding: only ClusterResourceBindings have no namespace. */
export function bindingResource(binding: Pick<ResourceBinding, 'metadata'>): ApiResource {
  return binding.metadata.namespace ? RESOURCE_BINDINGS : CLUSTER_RESOURCE_BINDINGS;
}

/** Writes the changes of a binding's spec, with the preconditions and outcomes of `writeObject`. */
export function writeBindingSpec(
  server: ApiServer,
  binding: ResourceBinding,
  after: ResourceBindingSpec,
  options: WriteObjectOptions<ResourceBinding> = {},
): Promise<WriteOutcome<ResourceBinding>> {
  return writeObject(server, bindingResource(binding), binding, { ...binding, spec: after }, options);
}
