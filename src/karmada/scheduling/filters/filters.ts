import { startsPlugin } from '../../dialects/schedulerPlugins.ts';
import type { Cluster } from '../../api/cluster.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../api/work.ts';
import type { SchedulerOptions } from '../schedulerOptions.ts';
import { apiEnablement, listsAllApis } from './apiEnablement.ts';
import { clusterAffinity } from './clusterAffinity.ts';
import { clusterEviction, evictionHistory } from './clusterEviction.ts';
import { type Filter, type FilterContext, rejectAll, type FilterDemand } from './filter.ts';
import { taintToleration } from './taintToleration.ts';
import { workloadAffinity, workloadAntiAffinity } from './workloadAffinity.ts';
import type { SpreadConstraint } from '../../api/policy.ts';
import type { Evidence } from '../../evidence.ts';
import { propertyDemand, providerOf, regionOf, zonesOf } from '../../selection/clusterAffinity.ts';

const isGiven = (value: string | undefined) => value !== undefined;

const demanded: Record<string, FilterDemand> = {
  provider: rejectAll(
    'cluster(s) did not have provider property',
    propertyDemand(providerOf, (columns) => columns.provider(), isGiven),
  ),
  region: rejectAll(
    'cluster(s) did not have region property',
    propertyDemand(regionOf, (columns) => columns.region(), isGiven),
  ),
  zone: rejectAll(
    'cluster(s) did not have zones property',
    propertyDemand(
      zonesOf,
      (columns) => columns.zones(),
      (zones) => zones.length > 0,
    ),
  ),
};

/** A cluster needs every property that a constraint spreads by; the first missing one is the reason. */
const spreadConstraint: Filter = {
  plugin: 'SpreadConstraint',
  spares: 'none',
  demands: ({ placement }) => (placement?.spreadConstraints ?? []).flatMap(demandsOf),
  evidence: (spec, _status, cluster) => spreadConstraintEvidence(spec, cluster),
};

function demandsOf({ spreadByField = '' }: SpreadConstraint): FilterDemand[] {
  const demand = Object.hasOwn(demanded, spreadByField) ? demanded[spreadByField] : undefined;
  return demand ? [demand] : [];
}

/** Every property that a constraint spreads by and that the cluster lacks. */
function spreadConstraintEvidence({ placement }: ResourceBindingSpec, cluster: Cluster): Evidence[] {
  return (placement?.spreadConstraints ?? []).flatMap((constraint, index): Evidence | [] =>
    demandsOf(constraint).every((demand) => demand.reject(cluster) === undefined)
      ? []
      : {
          rule: `has no ${constraint.spreadByField}`,
          field: `spec.placement.spreadConstraints[${index}].spreadByField`,
          value: constraint.spreadByField,
        },
  );
}

/**
 * The scheduler's filters. Karmada runs them in any order and stops at the first rejection. Here all of them run, in
 * the order of their registration, which is also the most frequent one in Karmada. Plugins that --plugins leaves out
 * are absent.
 */
export function filtersOf({ rules, featureGates, plugins = '*' }: SchedulerOptions): readonly Filter[] {
  const all = [
    apiEnablement(rules.apiEnablementExemption),
    taintToleration,
    clusterAffinity,
    spreadConstraint,
    ...(rules.evictedClusters === 'filtered' ? [clusterEviction] : []),
    ...(rules.evictionHistory ? [evictionHistory] : []),
    ...(featureGates.WorkloadAffinity ? [workloadAntiAffinity, workloadAffinity] : []),
  ];
  return all.filter(({ plugin }) => startsPlugin(plugins, plugin));
}

/** A filter's verdict on a cluster: empty if the cluster passes. */
interface FilterVerdict {
  /** why it is rejected */
  reason?: string;
  /** why it would be rejected if the binding did not already run there */
  spared?: string;
}

/** A filter's verdicts on clusters for a binding. */
export function filterVerdicts(
  { demands, spares }: Filter,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  context: FilterContext,
): (cluster: Cluster) => FilterVerdict {
  const asked = demands(spec, status, context);
  return (cluster) => {
    for (const demand of asked) {
      const reason = demand.reject(cluster);
      if (reason !== undefined) return isSpared(spares, spec, cluster) ? { spared: reason } : { reason };
    }
    return {};
  };
}

/** Why a filter rejects a cluster for a binding; undefined if the cluster passes. */
export function rejectionReason(
  filter: Filter,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  context: FilterContext,
): (cluster: Cluster) => string | undefined {
  const judge = filterVerdicts(filter, spec, status, context);
  return (cluster) => judge(cluster).reason;
}

function isSpared(spares: Filter['spares'], { clusters }: ResourceBindingSpec, cluster: Cluster): boolean {
  if (spares === 'none' || !clusters?.some(({ name }) => name === cluster.metadata.name)) return false;
  return spares === 'assigned' || !listsAllApis(cluster);
}
