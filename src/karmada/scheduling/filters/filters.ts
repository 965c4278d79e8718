import type { Cluster } from '../../api/cluster.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../api/work.ts';
import type { SchedulerOptions } from '../schedulerOptions.ts';
import { apiEnablement, listsAllApis } from './apiEnablement.ts';
import { clusterAffinity } from './clusterAffinity.ts';
import { clusterEviction, evictionHistory } from './clusterEviction.ts';
import type { Filter, FilterContext } from './filter.ts';
import { spreadConstraint } from './spreadConstraint.ts';
import { taintToleration } from './taintToleration.ts';
import { workloadAffinity, workloadAntiAffinity } from './workloadAffinity.ts';

/**
 * The scheduler's filters. Karmada runs them in any order and stops at the first that rejects. Here all are asked, in
 * the order of their registration, which is the most frequent one in Karmada.
 */
export function filtersOf({ rules, featureGates }: SchedulerOptions): readonly Filter[] {
  return [
    apiEnablement(rules.apiEnablementExemption),
    taintToleration,
    clusterAffinity,
    spreadConstraint,
    ...(rules.evictedClusters === 'filtered' ? [clusterEviction] : []),
    ...(rules.evictionHistory ? [evictionHistory] : []),
    ...(featureGates.WorkloadAffinity ? [workloadAntiAffinity, workloadAffinity] : []),
  ];
}

/** Why a filter rejects a cluster for a binding; undefined if the cluster passes. */
export function rejecting(
  { demands, spares }: Filter,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  context: FilterContext,
): (cluster: Cluster) => string | undefined {
  const asked = demands(spec, status, context);
  return (cluster) => {
    for (const demand of asked) {
      const reason = demand.reject(cluster);
      if (reason !== undefined) return isSpared(spares, spec, cluster) ? undefined : reason;
    }
    return undefined;
  };
}

function isSpared(spares: Filter['spares'], { clusters }: ResourceBindingSpec, cluster: Cluster): boolean {
  if (spares === 'none' || !clusters?.some(({ name }) => name === cluster.metadata.name)) return false;
  return spares === 'assigned' || !listsAllApis(cluster);
}
