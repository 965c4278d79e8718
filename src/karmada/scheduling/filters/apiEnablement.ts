import { conditionOf } from '../../objects/conditions.ts';
import type { Cluster } from '../../api/cluster.ts';
import type { ResourceBindingSpec } from '../../api/work.ts';
import { CLUSTER_CONDITION_COMPLETE_API_ENABLEMENTS } from '../../api/names.ts';
import type { Evidence } from '../../evidence.ts';
import { keepCommon } from '../../selection/clusterSet.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';
import { rejectAll, type Filter } from './filter.ts';

const API_ENABLEMENT_REASON = 'cluster(s) did not have the API resource';

const sparedBy = {
  never: 'none',
  whileListIncomplete: 'assignedWithIncompleteList',
  always: 'assigned',
} as const;

/** A cluster must list the binding's API; the version decides whether a cluster in the scheduling result is exempt. */
export function apiEnablement(exemption: SchedulingRules['apiEnablementExemption']): Filter {
  return {
    plugin: 'APIEnablement',
    spares: sparedBy[exemption],
    demands: ({ resource: { apiVersion, kind } }) => [
      rejectAll(API_ENABLEMENT_REASON, {
        matches: (cluster) => listsApi(cluster, apiVersion, kind),
        keep: (set, columns) => keepCommon(set, columns.listing(apiVersion, kind)),
      }),
    ],
    evidence: (spec, _status, cluster) => apiEnablementEvidence(spec, cluster),
  };
}

/** Whether a cluster's API list is known to be complete; Karmada keeps an incomplete list if some cannot be read. */
export function listsAllApis({ status }: Cluster): boolean {
  const complete = conditionOf(status?.conditions, CLUSTER_CONDITION_COMPLETE_API_ENABLEMENTS);
  return complete?.status === 'True';
}

/** Whether a cluster's API enablements list an API. */
export function listsApi(cluster: Cluster, apiVersion: string, kind: string): boolean {
  const groupVersion = groupVersionOf(apiVersion);
  return (cluster.status?.apiEnablements ?? []).some(
    (enablement) =>
      enablement.groupVersion === groupVersion &&
      (enablement.resources ?? []).some((resource) => resource.kind === kind),
  );
}

/** An apiVersion as schema.FromAPIVersionAndKind reads it: with more than one slash it is empty. */
function groupVersionOf(apiVersion: string): string {
  return apiVersion === '/' || apiVersion.split('/').length > 2 ? '' : apiVersion;
}

/**
 * The cluster does not list the binding's API, possibly because its list is incomplete; some versions reject even an
 * assigned cluster.
 */
function apiEnablementEvidence(
  { resource, clusters }: ResourceBindingSpec,
  { metadata, status }: Cluster,
): Evidence[] {
  const complete = conditionOf(status?.conditions, CLUSTER_CONDITION_COMPLETE_API_ENABLEMENTS);
  const doubt = complete && complete.status !== 'True';
  const there = clusters?.some(({ name }) => name === metadata.name);
  return [
    {
      rule: `does not list ${resource.apiVersion} ${resource.kind}${there ? ', which removes it although it runs there' : ''}`,
      field: 'status.apiEnablements',
      ...(doubt ? { value: `${complete.type}=${complete.status}` } : {}),
    },
  ];
}
