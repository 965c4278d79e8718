import type { TargetCluster } from '../api/work.ts';
import type { Evidence } from '../evidence.ts';
import type { FilterPlugin } from './filters/filter.ts';

/**
 * What a scheduling attempt saw and decided, step by step. The caller passes it in; the steps fill it in as they go,
 * and cost nothing if none is given.
 */
export interface ScheduleTrace {
  attempts: AttemptTrace[];
}

export interface AttemptTrace {
  /** the affinity group that was tried, if placement.clusterAffinities has groups */
  affinityName?: string;
  /** every cluster, in name order, with all that each filter says against it */
  clusters: ClusterTrace[];
  spread?: SpreadTrace;
  /** one, or one for each tier of overflow affinities */
  divisions?: DivisionTrace[];
  result?: TargetCluster[];
  error?: string;
}

export interface ClusterTrace {
  name: string;
  /** being deleted: passed over before any filter */
  deleting: boolean;
  region?: string;
  /** in the order of the filters; undefined reason means that the cluster passes */
  filters: FilterTrace[];
  fits: boolean;
  /** the rank among the feasible clusters, from 0 on */
  rank?: number;
  score?: number;
  /** how many replicas the estimator finds room for */
  allocatableReplicas?: number;
  /** the same plus what the binding has there already */
  availableReplicas?: number;
  selected?: boolean;
}

interface FilterTrace {
  plugin: FilterPlugin;
  /** Karmada's text */
  reason?: string;
  /** Karmada's text for what is not checked, since the binding runs there already */
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
  /** how the division starts: from scratch, from what is there, or not at all */
  mode: string;
  /** replicas to divide */
  replicas: number;
  weights: { name: string; weight: number }[];
  /** kept from the previous result */
  kept: TargetCluster[];
}
