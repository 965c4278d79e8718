import type { ResourceBinding, ResourceBindingSpec } from '../karmada/api/work.ts';
import { ApiError } from '../state/live/apiError.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import { type ApiResource, CLUSTER_RESOURCE_BINDINGS, RESOURCE_BINDINGS } from '../state/live/resources.ts';
import { type WriteObjectOptions, type WriteOutcome, writeObject } from './writeObject.ts';

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

/** The write that puts a workload back on its cluster. */
interface WrittenReturn {
  spec: ResourceBindingSpec;
  /** the affinity group to write into the status first, so that the scheduler starts with it */
  affinityName?: string | undefined;
}

/**
 * Restores a binding, with the preconditions and outcomes of `writeObject`: first writes the affinity group, if the
 * scheduler must start with one, then the spec. Stopping in between moves nothing: the scheduler reads the group only
 * at the next change of the spec, and avoids clusters with an eviction task.
 */
export async function writeReturn(
  server: ApiServer,
  binding: ResourceBinding,
  { spec, affinityName }: WrittenReturn,
  options: WriteObjectOptions<ResourceBinding>,
): Promise<WriteOutcome<ResourceBinding>> {
  if (affinityName === undefined) return writeBindingSpec(server, binding, spec, options);
  const first = await writeAffinityName(server, binding, affinityName, options);
  if (first.result !== 'written') return first;
  // in a dry run, the server has not stored the first write
  return writeBindingSpec(server, options.dryRun ? binding : first.object, spec, options);
}

/** Writes the affinity group into the status, which belongs to the scheduler. */
async function writeAffinityName(
  server: ApiServer,
  binding: ResourceBinding,
  affinityName: string,
  { holds: _ofTheSpec, ...options }: WriteObjectOptions<ResourceBinding>,
): Promise<WriteOutcome<ResourceBinding>> {
  const after = { ...binding, status: { ...binding.status, schedulerObservingAffinityName: affinityName } };
  try {
    return await writeObject(server, bindingResource(binding), binding, after, {
      ...options,
      subresource: 'status',
    });
  } catch (error) {
    // users who may not write the status can still restore workloads that need only the spec
    if (error instanceof ApiError && error.status === 403)
      return { result: 'refused', message: error.message };
    throw error;
  }
}
