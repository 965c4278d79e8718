import type { Cluster } from '../../api/cluster.ts';
import type { Taint } from '../../api/meta.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../api/work.ts';
import type { Evidence } from '../../evidence.ts';
import type { Affinities } from '../../selection/clusterAffinity.ts';
import type { ClusterColumns, Column } from '../../selection/clusterColumns.ts';
import type { ClusterSet } from '../../selection/clusterSet.ts';
import type { SchedulingRules } from '../schedulerOptions.ts';
import type { WorkloadGroups } from '../workloadGroups.ts';

/** What filters need besides the binding and one cluster. */
export interface FilterContext {
  readonly filters: readonly Filter[];
  readonly rules: SchedulingRules;
  readonly affinities: Affinities;
  /** which bindings are in which workload affinity group, for the gate WorkloadAffinity */
  readonly workloads: WorkloadGroups;
}

/** What filters ask of all clusters at once. */
export interface FilterColumns extends FilterContext, ClusterColumns {
  taints(): Column<readonly Taint[]>;
  /** clusters that list an API */
  listing(apiVersion: string, kind: string): ClusterSet;
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
  /** why it rejects a cluster; undefined if the cluster passes */
  readonly reject: Question<string | undefined>;
  /** the evidence of a rejection: every reason against the cluster */
  readonly evidence: Question<Evidence[]>;
  /** Keeps in `set` the clusters that pass, without exceptions (`spares`). */
  keep(
    set: ClusterSet,
    columns: FilterColumns,
    spec: ResourceBindingSpec,
    status: ResourceBindingStatus | undefined,
  ): void;
}
