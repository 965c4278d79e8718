import type { TargetCluster } from '../api/work.ts';
import type { Evidence } from '../evidence.ts';
import type { FilterPlugin } from './filters/filter.ts';

/**
 * The inputs and decisions of a scheduling attempt, step by step. The caller passes a trace for the steps to fill;
 * without one, tracing costs nothing.
 */
export interface ScheduleTrace {
  attempts: AttemptTrace[];
}

export interface AttemptTrace {
  /** the attempted affinity group, if placement.clusterAffinities has groups */
  affinityName?: string;
  /** every cluster, in name order, with every filter's reasons against it */
  clusters: ClusterTrace[];
  spread?: SpreadTrace;
  /** one, or one per tier of overflow affinities */
  divisions?: DivisionTrace[];
  result?: TargetCluster[];
  error?: string;
}

export interface ClusterTrace {
  name: string;
  /** being deleted: skipped before any filter */
  deleting: boolean;
  region?: string;
  /** in the order of the filters; without a reason the cluster passes */
  filters: FilterTrace[];
  fits: boolean;
  /** the rank among the feasible clusters, starting at 0 */
  rank?: number;
  score?: number;
  /** how many replicas the estimator has capacity for */
  allocatableReplicas?: number;
  /** the same plus the binding's current replicas there */
  availableReplicas?: number;
  selected?: boolean;
}

interface FilterTrace {
  plugin: FilterPlugin;
  /** Karmada's text */
  reason?: string;
  /** Karmada's text for the reason, ignored because the binding already runs there */
  spared?: string;
  /** every reason against the cluster, if the filter rejects it */
  evidence?: Evidence[];
}

export interface SpreadTrace {
  /** the rule that chose: all feasible clusters, or a constraint */
  rule: 'all' | 'cluster' | 'region';
  constraints: { field: string; minGroups: number; maxGroups: number; groups: number }[];
  regions?: { name: string; clusters: number; score: number; chosen: boolean }[];
  error?: string;
}

export interface DivisionTrace {
  strategy: string;
  /** how the division starts: from scratch, from the current replicas, or not at all */
  mode: string;
  /** replicas to divide */
  replicas: number;
  weights: { name: string; weight: number }[];
  /** kept from the previous result */
  kept: TargetCluster[];
}
