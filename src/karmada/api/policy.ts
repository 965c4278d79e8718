import type { LabelSelector, LabelSelectorRequirement, ObjectMeta, TaintEffect, Toleration } from './meta.ts';

/** policy.karmada.io/v1alpha1 PropagationPolicy; ClusterPropagationPolicy differs only in scope. */
export interface PropagationPolicy {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  spec: PropagationSpec;
}

export interface PropagationSpec {
  resourceSelectors?: ResourceSelector[];
  association?: boolean;
  propagateDeps?: boolean;
  placement?: Placement;
  priority?: number;
  preemption?: string;
  dependentOverrides?: string[];
  schedulerName?: string;
  failover?: FailoverBehavior;
  conflictResolution?: string;
  activationPreference?: string;
  suspension?: Suspension;
  preserveResourcesOnDeletion?: boolean;
  schedulePriority?: { priorityClassSource?: string; priorityClassName?: string };
}

export interface ResourceSelector {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name?: string;
  labelSelector?: LabelSelector;
}

export interface FieldSelector {
  matchExpressions?: LabelSelectorRequirement[];
}

export interface ClusterAffinity {
  labelSelector?: LabelSelector;
  fieldSelector?: FieldSelector;
  clusterNames?: string[];
  exclude?: string[];
}

/** An affinity group: the scheduler tries them in order. */
export interface ClusterAffinityTerm extends ClusterAffinity {
  affinityName: string;
  overflowAffinities?: OverflowClusterAffinity[];
}

export interface OverflowClusterAffinity extends ClusterAffinity {
  affinityName: string;
}

export interface Placement {
  clusterAffinity?: ClusterAffinity;
  clusterAffinities?: ClusterAffinityTerm[];
  clusterTolerations?: Toleration[];
  spreadConstraints?: SpreadConstraint[];
  replicaScheduling?: ReplicaSchedulingStrategy;
  workloadAffinity?: { affinity?: WorkloadAffinityTerm; antiAffinity?: WorkloadAffinityTerm };
}

export interface WorkloadAffinityTerm {
  groupByLabelKey: string;
}

export interface SpreadConstraint {
  spreadByField?: string;
  spreadByLabel?: string;
  maxGroups?: number;
  minGroups?: number;
}

export interface ReplicaSchedulingStrategy {
  replicaSchedulingType?: string;
  replicaDivisionPreference?: string;
  weightPreference?: ClusterPreferences;
}

export interface ClusterPreferences {
  staticWeightList?: StaticClusterWeight[];
  dynamicWeight?: string;
}

export interface StaticClusterWeight {
  targetCluster: ClusterAffinity;
  weight: number;
}

/** Directly and Gracefully have deprecated synonyms: Immediately and Graciously. */
export type PurgeMode = 'Directly' | 'Gracefully' | 'Never' | 'Immediately' | 'Graciously';

export interface FailoverBehavior {
  application?: ApplicationFailoverBehavior;
  cluster?: ClusterFailoverBehavior;
}

export interface ApplicationFailoverBehavior {
  decisionConditions?: { tolerationSeconds?: number };
  purgeMode?: PurgeMode;
  gracePeriodSeconds?: number;
  statePreservation?: StatePreservation;
}

export interface ClusterFailoverBehavior {
  purgeMode?: PurgeMode;
  statePreservation?: StatePreservation;
}

export interface StatePreservation {
  rules?: StatePreservationRule[];
}

export interface StatePreservationRule {
  aliasLabelName: string;
  jsonPath: string;
}

export interface Suspension {
  dispatching?: boolean;
  dispatchingOnClusters?: { clusterNames?: string[] };
}

/** policy.karmada.io/v1alpha1 ClusterTaintPolicy */
export interface ClusterTaintPolicy {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  spec: ClusterTaintPolicySpec;
}

export interface ClusterTaintPolicySpec {
  targetClusters?: ClusterAffinity;
  addOnConditions?: MatchCondition[];
  removeOnConditions?: MatchCondition[];
  taints?: { key: string; effect: TaintEffect; value?: string }[];
}

export interface MatchCondition {
  conditionType: string;
  operator: string;
  statusValues?: string[];
}
