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
  /** design application-failover: what has to hold before its process starts */
  preConditions?: PreConditions;
  decisionConditions?: { tolerationSeconds?: number };
  purgeMode?: PurgeMode;
  gracePeriodSeconds?: number;
  statePreservation?: StatePreservation;
  /** design application-failover: for how many seconds it may not return to a cluster that it left; 0: never */
  blockPredecessorSeconds?: number;
}

/** Both have to hold, if both are given. */
export interface PreConditions {
  /** seconds since the control plane first collected a status from the cluster */
  delaySeconds?: number;
  /** "Healthy": it has been Healthy once on the cluster */
  healthyState?: string;
}

export interface ClusterFailoverBehavior {
  purgeMode?: PurgeMode;
  /**
   * design configurable-cluster-failover: how many seconds the old copy stays at most; absent:
   * graceful-eviction-timeout
   */
  gracePeriodSeconds?: number;
  /** design optimize-cluster-failover: how many seconds a binding stays after the taint PreferNoExecute was added */
  tolerationSeconds?: number;
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

/**
 * The spec of a policy, in one of two forms: the one that is shipped (targetClusters, addOnConditions,
 * removeOnConditions, taints), or the one of the design optimize-cluster-failover (targetCluster, matchConditions,
 * taintsToAdd). A version knows one of them.
 */
export interface ClusterTaintPolicySpec {
  targetClusters?: ClusterAffinity;
  addOnConditions?: MatchCondition[];
  removeOnConditions?: MatchCondition[];
  taints?: PolicyTaint[];
  targetCluster?: ClusterAffinity;
  matchConditions?: MatchCondition[];
  taintsToAdd?: TaintToAdd[];
}

/** A taint that a policy lists. */
export interface PolicyTaint {
  key: string;
  effect: TaintEffect;
  value?: string;
}

/**
 * A taint with the windows of the design: for how many seconds the conditions must have matched, or not matched,
 * without a break.
 */
export interface TaintToAdd extends PolicyTaint {
  addOnMatchSeconds?: number;
  removeOnMismatchSeconds?: number;
}

export interface MatchCondition {
  conditionType: string;
  operator: string;
  statusValues?: string[];
}
