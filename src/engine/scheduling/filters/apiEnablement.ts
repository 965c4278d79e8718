import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBindingSpec } from '../../../karmada/api/work.ts';

export const API_ENABLEMENT_REASON = 'cluster(s) did not have the API resource';

/**
 * The reason for which the APIEnablement filter rejects a cluster: it does not list the binding's API. One that is
 * in the scheduling result already passes (Karmada v1.15 and later).
 */
export function apiEnablementFilter(spec: ResourceBindingSpec, cluster: Cluster): string | undefined {
  if (spec.clusters?.some(({ name }) => name === cluster.metadata.name)) return undefined;
  const { apiVersion, kind } = spec.resource;
  return listsApi(cluster, apiVersion, kind) ? undefined : API_ENABLEMENT_REASON;
}

/** Whether a cluster lists an API among its enablements. */
export function listsApi(cluster: Cluster, apiVersion: string, kind: string): boolean {
  const groupVersion = groupVersionOf(apiVersion);
  return (cluster.status?.apiEnablements ?? []).some(
    (enablement) =>
      enablement.groupVersion === groupVersion &&
      (enablement.resources ?? []).some((resource) => resource.kind === kind),
  );
}

/** An apiVersion as schema.FromAPIVersionAndKind reads it: one with more than one slash names nothing. */
function groupVersionOf(apiVersion: string): string {
  return apiVersion === '/' || apiVersion.split('/').length > 2 ? '' : apiVersion;
}
