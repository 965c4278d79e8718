import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../karmada/api/work.ts';
import type { Evidence } from '../evidence.ts';
import { createAffinities } from '../selection/clusterAffinity.ts';
import { keepAccepted } from '../selection/clusterColumns.ts';
import { addAll, addCluster, keepCommon, noClusters, type ClusterSet } from '../selection/clusterSet.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import { apiEnablementFilter } from './filters/apiEnablement.ts';
import { clusterAffinityFilter, keepMatchingBindingAffinity } from './filters/clusterAffinity.ts';
import { clusterEvictionFilter, keepNotEvicted } from './filters/clusterEviction.ts';
import { keepSpreadable, spreadConstraintFilter } from './filters/spreadConstraint.ts';
import { taintTolerationFilter, untoleratedTaint } from './filters/taintToleration.ts';
import {
  keepWithoutRivals,
  keepWithCompanions,
  workloadAffinityFilter,
  workloadAntiAffinityFilter,
} from './filters/workloadAffinity.ts';
import {
  apiEnablementEvidence,
  clusterAffinityEvidence,
  clusterEvictionEvidence,
  spreadConstraintEvidence,
  taintTolerationEvidence,
  workloadAffinityEvidence,
  workloadAntiAffinityEvidence,
} from './rejectionEvidence.ts';
import type { SchedulerOptions, SchedulingRules } from './schedulerOptions.ts';
import { noWorkloadGroups } from './workloadGroups.ts';

/** What filters ask beside the binding and one cluster; a ClusterSnapshot has all of it. */
export type FilterContext = Pick<ClusterSnapshot, 'filters' | 'rules' | 'affinities' | 'workloads'>;

/** For questions about single clusters, without the filters of the gate WorkloadAffinity, which look at other bindings. */
export function filterContext(rules: SchedulingRules): FilterContext {
  return {
    filters: [apiEnablement(rules.apiEnablementExemption), ...alwaysThere],
    rules,
    affinities: createAffinities(rules),
    workloads: noWorkloadGroups,
  };
}

type Question<Answer> = (
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  cluster: Cluster,
  context: FilterContext,
) => Answer;

/** A filter plugin of the scheduler, for one cluster and for all of them. */
export interface Filter {
  readonly plugin: string;
  /** which clusters of the previous result always pass */
  readonly spares: 'none' | 'assigned' | 'assignedWithIncompleteList';
  /** why it rejects a cluster; undefined when the cluster passes */
  readonly reject: Question<string | undefined>;
  /** what a refusal rests on, with all that speaks against the cluster */
  readonly evidence: Question<Evidence[]>;
  /** Keeps in `set` the clusters that pass, without sparing any. */
  keep(
    set: ClusterSet,
    snapshot: ClusterSnapshot,
    spec: ResourceBindingSpec,
    status: ResourceBindingStatus | undefined,
  ): void;
}

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
    keep: (set, snapshot, { resource }) =>
      keepCommon(set, snapshot.listing(resource.apiVersion, resource.kind)),
  };
}

const alwaysThere: readonly Filter[] = [
  {
    plugin: 'TaintToleration',
    spares: 'assigned',
    reject: (spec, _status, cluster) => taintTolerationFilter(spec, cluster),
    evidence: (spec, _status, cluster) => taintTolerationEvidence(spec, cluster),
    keep(set, snapshot, { placement }) {
      const tolerations = placement?.clusterTolerations ?? [];
      keepAccepted(set, snapshot.taints(), (taints) => untoleratedTaint(taints, tolerations) === undefined);
    },
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
    keep: (set, snapshot, { placement }) => keepSpreadable(set, snapshot, placement?.spreadConstraints),
  },
  {
    plugin: 'ClusterEviction',
    spares: 'none',
    reject: (spec, _status, cluster) => clusterEvictionFilter(spec, cluster),
    evidence: (spec, _status, cluster) => clusterEvictionEvidence(spec, cluster),
    keep: keepNotEvicted,
  },
];

/** What the gate WorkloadAffinity adds. */
const workloadFilters: readonly Filter[] = [
  {
    plugin: 'WorkloadAntiAffinity',
    spares: 'assigned',
    reject: (spec, _status, cluster, { workloads }) => workloadAntiAffinityFilter(spec, cluster, workloads),
    evidence: (spec, _status, cluster, { workloads }) =>
      workloadAntiAffinityEvidence(spec, cluster, workloads),
    keep: (set, snapshot, spec) => keepWithoutRivals(set, snapshot, spec, snapshot.workloads),
  },
  {
    plugin: 'WorkloadAffinity',
    spares: 'assigned',
    reject: (spec, _status, cluster, { workloads }) => workloadAffinityFilter(spec, cluster, workloads),
    evidence: (spec, _status, cluster, { workloads }) => workloadAffinityEvidence(spec, cluster, workloads),
    keep: (set, snapshot, spec) => keepWithCompanions(set, snapshot, spec, snapshot.workloads),
  },
];

/**
 * The scheduler's filters. Karmada begins with any of them and stops at the first refusal; here all of them speak, in
 * the order in which it registers them, which is the most frequent one.
 */
export function filtersOf({ rules, featureGates }: SchedulerOptions): readonly Filter[] {
  return [
    apiEnablement(rules.apiEnablementExemption),
    ...alwaysThere,
    ...(featureGates.WorkloadAffinity ? workloadFilters : []),
  ];
}

/** Keeps in `set` the clusters that pass a filter. `assigned` are those of the previous result. */
export function keepPassing(
  set: ClusterSet,
  filter: Filter,
  assigned: ClusterSet,
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): void {
  if (filter.spares === 'none') return filter.keep(set, snapshot, spec, status);
  const spared = set.slice();
  keepCommon(spared, assigned);
  if (filter.spares === 'assignedWithIncompleteList') keepCommon(spared, snapshot.incompleteLists());
  filter.keep(set, snapshot, spec, status);
  addAll(set, spared);
}

/** The clusters that pass all filters. */
export function feasibleClusters(
  snapshot: ClusterSnapshot,
  assigned: ClusterSet,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
): ClusterSet {
  const feasible = snapshot.candidates().slice();
  for (const filter of snapshot.filters) keepPassing(feasible, filter, assigned, snapshot, spec, status);
  return feasible;
}

/** The clusters of the previous result. */
export function assignedClusters({ index }: ClusterSnapshot, spec: ResourceBindingSpec): ClusterSet {
  const assigned = noClusters(index.size);
  for (const { name } of spec.clusters ?? []) {
    const at = index.get(name);
    if (at !== undefined) addCluster(assigned, at);
  }
  return assigned;
}
