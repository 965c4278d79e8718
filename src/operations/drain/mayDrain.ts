import type { DrainOptions } from '../../analysis/drain/drainOptions.ts';
import type { DrainStep } from '../../analysis/drain/decide/drainStep.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import {
  CLUSTER_RESOURCE_BINDINGS,
  CLUSTERS,
  RESOURCE_BINDINGS,
  type ApiResource,
} from '../../state/live/resources.ts';

/**
 * Checks before the first write that the user may make all writes of a drain, so that it cannot stop halfway.
 *
 * @throws ApiError that names every missing permission
 */
export async function assertMayDrain(
  server: ApiServer,
  { selection: { namespace } }: Pick<DrainOptions, 'selection'>,
  { workloads }: Pick<DrainStep, 'workloads'>,
): Promise<void> {
  const kinds = new Set(workloads.map(({ binding }) => binding.kind));
  const resources = [CLUSTERS, RESOURCE_BINDINGS, CLUSTER_RESOURCE_BINDINGS].filter(
    (resource) => resource === CLUSTERS || kinds.has(resource.kind),
  );
  const missing: string[] = [];
  await Promise.all(
    resources.map(async (resource) => {
      const within = resource.namespaced ? namespace : undefined;
      const access = { group: resource.group, resource: resource.resource };
      const scope = within === undefined ? {} : { namespace: within };
      if (!(await server.can({ verb: 'patch', ...access, ...scope }))) missing.push(rule(resource, within));
    }),
  );
  if (missing.length === 0) return;
  throw new ApiError(
    `a drain needs to patch ${missing.sort().join(' and ')}, which this user may not; grant it as in docs/rbac.yaml`,
    { status: 403, reason: 'Forbidden' },
  );
}

function rule({ resource, group }: ApiResource, namespace: string | undefined): string {
  return `${resource}.${group}${namespace === undefined ? '' : ` in namespace ${namespace}`}`;
}
