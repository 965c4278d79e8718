import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../karmada/api/work.ts';
import type { Evidence } from '../evidence.ts';
import { keepAccepted } from '../selection/clusterColumns.ts';
import { addAll, addCluster, keepCommon, noClusters, type ClusterSet } from '../selection/clusterSet.ts';
import type { ClusterSnapshot, SchedulerOptions } from './clusterSnapshot.ts';
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
import type { WorkloadGroups } from './workloadGroups.ts';

type Question<Answer> = (
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  cluster: Cluster,
  workloads: WorkloadGroups,
) => Answer;

/** A filter plugin of the scheduler, for one cluster and for all of them. */
export interface Filter {
  readonly plugin: string;
  /** clusters of the previous result always pass */
  readonly sparesAssigned: boolean;
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

const alwaysThere: readonly Filter[] = [
  {
    plugin: 'APIEnablement',
    sparesAssigned: true,
    reject: (spec, _status, cluster) => apiEnablementFilter(spec, cluster),
    evidence: (spec, _status, cluster) => apiEnablementEvidence(spec, cluster),
    keep: (set, snapshot, { resource }) =>
      keepCommon(set, snapshot.listing(resource.apiVersion, resource.kind)),
  },
  {
    plugin: 'ClusterAffinity',
    sparesAssigned: false,
    reject: clusterAffinityFilter,
    evidence: clusterAffinityEvidence,
    keep: keepMatchingBindingAffinity,
  },
  {
    plugin: 'ClusterEviction',
    sparesAssigned: false,
    reject: (spec, _status, cluster) => clusterEvictionFilter(spec, cluster),
    evidence: (spec, _status, cluster) => clusterEvictionEvidence(spec, cluster),
    keep: keepNotEvicted,
  },
  {
    plugin: 'SpreadConstraint',
    sparesAssigned: false,
    reject: ({ placement }, _status, cluster) =>
      spreadConstraintFilter(placement?.spreadConstraints, cluster),
    evidence: (spec, _status, cluster) => spreadConstraintEvidence(spec, cluster),
    keep: (set, snapshot, { placement }) => keepSpreadable(set, snapshot, placement?.spreadConstraints),
  },
  {
    plugin: 'TaintToleration',
    sparesAssigned: true,
    reject: (spec, _status, cluster) => taintTolerationFilter(spec, cluster),
    evidence: (spec, _status, cluster) => taintTolerationEvidence(spec, cluster),
    keep(set, snapshot, { placement }) {
      const tolerations = placement?.clusterTolerations ?? [];
      keepAccepted(set, snapshot.taints(), (taints) => untoleratedTaint(taints, tolerations) === undefined);
    },
  },
];

/** What the gate WorkloadAffinity adds. */
const workloadFilters: readonly Filter[] = [
  {
    plugin: 'WorkloadAffinity',
    sparesAssigned: true,
    reject: (spec, _status, cluster, workloads) => workloadAffinityFilter(spec, cluster, workloads),
    evidence: (spec, _status, cluster, workloads) => workloadAffinityEvidence(spec, cluster, workloads),
    keep: (set, snapshot, spec) => keepWithCompanions(set, snapshot, spec, snapshot.workloads),
  },
  {
    plugin: 'WorkloadAntiAffinity',
    sparesAssigned: true,
    reject: (spec, _status, cluster, workloads) => workloadAntiAffinityFilter(spec, cluster, workloads),
    evidence: (spec, _status, cluster, workloads) => workloadAntiAffinityEvidence(spec, cluster, workloads),
    keep: (set, snapshot, spec) => keepWithoutRivals(set, snapshot, spec, snapshot.workloads),
  },
];
const withWorkloadFilters = [...alwaysThere, ...workloadFilters];

/**
 * The scheduler's filters. Karmada runs them in no fixed order and stops at the first refusal; here all of
 * them speak, in this order.
 */
export function filtersOf(options: SchedulerOptions | undefined): readonly Filter[] {
  return options?.featureGates.WorkloadAffinity ? withWorkloadFilters : alwaysThere;
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
  if (!filter.sparesAssigned) return filter.keep(set, snapshot, spec, status);
  const spared = set.slice();
  keepCommon(spared, assigned);
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
  const feasible = snapshot.present().slice();
  for (const filter of filtersOf(snapshot.options))
    keepPassing(feasible, filter, assigned, snapshot, spec, status);
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
