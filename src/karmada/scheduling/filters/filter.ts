import type { Cluster } from '../../api/cluster.ts';
import type { Taint } from '../../api/meta.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../api/work.ts';
import type { Evidence } from '../../evidence.ts';
import type { Affinities, Demand } from '../../selection/clusterAffinity.ts';
import type { ClusterColumns, ClusterSet, Column } from '../../selection/clusterSet.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';
import type { WorkloadGroups } from '../workloadGroups.ts';

/** Inputs of filters besides the binding and one cluster. */
export interface FilterContext {
  readonly filters: readonly Filter[];
  readonly rules: SchedulingRules;
  readonly affinities: Affinities;
  /** the bindings of each workload affinity group, for the gate WorkloadAffinity */
  readonly workloads: WorkloadGroups;
}

/** Inputs of filters about all clusters at once. */
export interface FilterColumns extends FilterContext, ClusterColumns {
  readonly clusters: readonly Cluster[];
  taints(): Column<readonly Taint[]>;
  /** clusters that list an API */
  listing(apiVersion: string, kind: string): ClusterSet;
}

/** The filter plugins of the scheduler, by Karmada's names. */
export type FilterPlugin =
  | 'APIEnablement'
  | 'ActiveEvictionHistory'
  | 'ClusterAffinity'
  | 'ClusterEviction'
  | 'SpreadConstraint'
  | 'TaintToleration'
  | 'WorkloadAffinity'
  | 'WorkloadAntiAffinity';

/** A filter's requirement for a binding, for one cluster or all at once, from the same rule. */
export interface FilterDemand {
  /** why it rejects a cluster; undefined if the cluster passes */
  reject(cluster: Cluster): string | undefined;
  /** Keeps in `set` the clusters that pass. */
  keep(set: ClusterSet, columns: FilterColumns): void;
}

/** A requirement that rejects every cluster for the same reason. */
export function rejectAll(reason: string, { matches, keep }: Demand<FilterColumns>): FilterDemand {
  return { reject: (cluster) => (matches(cluster) ? undefined : reason), keep };
}

type Question<Answer> = (
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  context: FilterContext,
) => Answer;

export interface Filter {
  readonly plugin: FilterPlugin;
  /** clusters of the previous result that always pass */
  readonly spares: 'none' | 'assigned' | 'assignedWithIncompleteList';
  /** The filter's requirements besides these exceptions: a cluster must meet all of them. */
  readonly demands: Question<readonly FilterDemand[]>;
  /** Evidence of a rejection: every reason against the cluster. */
  evidence(
    spec: ResourceBindingSpec,
    status: ResourceBindingStatus | undefined,
    cluster: Cluster,
    context: FilterContext,
  ): Evidence[];
}
