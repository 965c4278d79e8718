import { keepCommon } from '../../selection/clusterSet.ts';
import type { SchedulerOptions, SchedulingRules } from '../schedulerOptions.ts';
import { apiEnablementFilter } from './apiEnablement.ts';
import { clusterAffinityFilter, keepMatchingBindingAffinity } from './clusterAffinity.ts';
import { clusterEvictionFilter, keepNotEvicted } from './clusterEviction.ts';
import { evictionHistoryEvidence, evictionHistoryFilter, keepUnblocked } from './evictionHistory.ts';
import type { Filter } from './filter.ts';
import {
  apiEnablementEvidence,
  clusterAffinityEvidence,
  clusterEvictionEvidence,
  spreadConstraintEvidence,
  taintTolerationEvidence,
  workloadAffinityEvidence,
  workloadAntiAffinityEvidence,
} from './rejectionEvidence.ts';
import { keepSpreadable, spreadConstraintFilter } from './spreadConstraint.ts';
import { keepTolerated, taintTolerationFilter } from './taintToleration.ts';
import {
  keepWithCompanions,
  keepWithoutRivals,
  workloadAffinityFilter,
  workloadAntiAffinityFilter,
} from './workloadAffinity.ts';

const sparedBy = {
  never: 'none',
  whileListIncomplete: 'assignedWithIncompleteList',
  always: 'assigned',
} as const;

function apiEnablement(exemption: SchedulingRules['apiEnablementExemption']): Filter {
  return {
    plugin: 'APIEnablement',
    spares: sparedBy[exemption],
    reject: (spec, _status, cluster) => apiEnablementFilter(spec, cluster, exemption),
    evidence: (spec, _status, cluster) => apiEnablementEvidence(spec, cluster),
    keep: (set, columns, { resource }) =>
      keepCommon(set, columns.listing(resource.apiVersion, resource.kind)),
  };
}

const alwaysThere: readonly Filter[] = [
  {
    plugin: 'TaintToleration',
    spares: 'assigned',
    reject: (spec, _status, cluster, { rules }) => taintTolerationFilter(spec, cluster, rules),
    evidence: (spec, _status, cluster, context) => taintTolerationEvidence(spec, cluster, context),
    keep: keepTolerated,
  },
  {
    plugin: 'ClusterAffinity',
    spares: 'none',
    reject: clusterAffinityFilter,
    evidence: clusterAffinityEvidence,
    keep: keepMatchingBindingAffinity,
  },
  {
    plugin: 'SpreadConstraint',
    spares: 'none',
    reject: ({ placement }, _status, cluster) =>
      spreadConstraintFilter(placement?.spreadConstraints, cluster),
    evidence: (spec, _status, cluster) => spreadConstraintEvidence(spec, cluster),
    keep: (set, columns, { placement }) => keepSpreadable(set, columns, placement?.spreadConstraints),
  },
];

const clusterEviction: Filter = {
  plugin: 'ClusterEviction',
  spares: 'none',
  reject: (spec, _status, cluster) => clusterEvictionFilter(spec, cluster),
  evidence: (spec, _status, cluster) => clusterEvictionEvidence(spec, cluster),
  keep: keepNotEvicted,
};

const evictionHistory: Filter = {
  plugin: 'ActiveEvictionHistory',
  spares: 'none',
  reject: (spec, _status, cluster) => evictionHistoryFilter(spec, cluster),
  evidence: (spec, _status, cluster) => evictionHistoryEvidence(spec, cluster),
  keep: keepUnblocked,
};

/** The filters of the gate WorkloadAffinity. */
const workloadFilters: readonly Filter[] = [
  {
    plugin: 'WorkloadAntiAffinity',
    spares: 'assigned',
    reject: (spec, _status, cluster, { workloads }) => workloadAntiAffinityFilter(spec, cluster, workloads),
    evidence: (spec, _status, cluster, { workloads }) =>
      workloadAntiAffinityEvidence(spec, cluster, workloads),
    keep: (set, columns, spec) => keepWithoutRivals(set, columns, spec, columns.workloads),
  },
  {
    plugin: 'WorkloadAffinity',
    spares: 'assigned',
    reject: (spec, _status, cluster, { workloads }) => workloadAffinityFilter(spec, cluster, workloads),
    evidence: (spec, _status, cluster, { workloads }) => workloadAffinityEvidence(spec, cluster, workloads),
    keep: (set, columns, spec) => keepWithCompanions(set, columns, spec, columns.workloads),
  },
];

/**
 * The scheduler's filters. Karmada runs them in any order and stops at the first that rejects. Here all are asked, in
 * the order of their registration, which is the most frequent one in Karmada.
 */
export function filtersOf({ rules, featureGates }: SchedulerOptions): readonly Filter[] {
  return [
    apiEnablement(rules.apiEnablementExemption),
    ...alwaysThere,
    ...(rules.evictedClusters === 'filtered' ? [clusterEviction] : []),
    ...(rules.evictionHistory ? [evictionHistory] : []),
    ...(featureGates.WorkloadAffinity ? workloadFilters : []),
  ];
}
