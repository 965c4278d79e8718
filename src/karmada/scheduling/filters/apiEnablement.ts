import { conditionOf } from '../../objects/conditions.ts';
import type { Cluster } from '../../api/cluster.ts';
import type { ResourceBindingSpec } from '../../api/work.ts';
import { CLUSTER_CONDITION_COMPLETE_API_ENABLEMENTS } from '../../api/names.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';

const API_ENABLEMENT_REASON = 'cluster(s) did not have the API resource';

/**
 * The reason for which the APIEnablement filter rejects a cluster: it does not list the binding's API. The version
 * decides whether a cluster in the scheduling result passes.
 */
export function apiEnablementFilter(
  spec: ResourceBindingSpec,
  cluster: Cluster,
  exemption: SchedulingRules['apiEnablementExemption'],
): string | undefined {
  const { apiVersion, kind } = spec.resource;
  if (listsApi(cluster, apiVersion, kind)) return undefined;
  if (exemption !== 'never' && spec.clusters?.some(({ name }) => name === cluster.metadata.name))
    if (exemption === 'always' || !listsAllApis(cluster)) return undefined;
  return API_ENABLEMENT_REASON;
}

/** Whether a cluster's list of APIs is known to be complete; Karmada keeps an incomplete list if it cannot read all. */
export function listsAllApis({ status }: Cluster): boolean {
  const complete = conditionOf(status?.conditions, CLUSTER_CONDITION_COMPLETE_API_ENABLEMENTS);
  return complete?.status === 'True';
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

/** An apiVersion as schema.FromAPIVersionAndKind reads it: with more than one slash it names nothing. */
function groupVersionOf(apiVersion: string): string {
  return apiVersion === '/' || apiVersion.split('/').length > 2 ? '' : apiVersion;
}
