import type { ResourceBinding, ResourceBindingSpec } from '../karmada/api/work.ts';
import { ApiError } from '../state/live/apiError.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import { bindingResource, writeBindingSpec } from './writeBindingSpec.ts';
import { writeObject, type WriteObjectOptions, type WriteOutcome } from './writeObject.ts';

/** What puts a workload back to where it was. */
export interface WrittenReturn {
  spec: ResourceBindingSpec;
  /** the affinity group that the scheduler has to be put back to before */
  affinityName?: string | undefined;
}

/**
 * Writes the way back of a binding, under the conditions and with the outcomes of `writeObject`: the affinity group,
 * where the scheduler has to go back to one, and then the spec. Stopped in between nothing has moved: the scheduler reads
 * the group at the next change of the spec, and keeps off clusters that a task evicts from.
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
  // of a dry run the server keeps nothing
  return writeBindingSpec(server, options.dryRun ? binding : first.object, spec, options);
}

/** The group that the scheduler has come to is its own to write, in the status. */
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
    // who may not write a status may still take back what needs no more than a spec
    if (error instanceof ApiError && error.status === 403)
      return { result: 'refused', message: error.message };
    throw error;
  }
}
