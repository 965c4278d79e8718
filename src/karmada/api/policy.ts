import type { PurgeMode } from '../dialects/switches/eviction.ts';
import { switches, type Rules } from '../dialects/rules.ts';
import { dialectOf, knownProposals, knownVersions } from '../dialects/dialects.ts';
import { NodeSelectorRequirement, Toleration, type TaintEffect } from '../../kubernetes/schema/core.ts';
import { kindOf, LabelSelector } from '../../kubernetes/schema/meta.ts';
import {
  bool,
  requiredByServer,
  embeddedFields,
  int,
  int32,
  int64,
  list,
  optional,
  pointer,
  required,
  string,
  struct,
  text,
  type Data,
} from '../../kubernetes/schema/schema.ts';

// policy.karmada.io/v1alpha1

// Defaults, in seconds, that the designs' CRDs give to absent fields. Rules apply them too, because objects from files
// may lack them.

// optimize-cluster-failover

/** taintsToAdd[].addOnMatchSeconds of a ClusterTaintPolicy */
export const ADD_ON_MATCH_SECONDS = 300;

/** taintsToAdd[].removeOnMismatchSeconds of a ClusterTaintPolicy */
export const REMOVE_ON_MISMATCH_SECONDS = 180;

/** failover.cluster.tolerationSeconds of policies and bindings that set failover.cluster */
export const CLUSTER_TOLERATION_SECONDS = 300;

// application-failover

/** failover.application.blockPredecessorSeconds */
export const BLOCK_PREDECESSOR_SECONDS = 600;

export const ResourceSelector = struct('v1alpha1.ResourceSelector', {
  apiVersion: required(string),
  kind: required(string),
  namespace: optional(string),
  name: optional(string),
  labelSelector: optional(pointer(LabelSelector)),
});

export const FieldSelector = struct('v1alpha1.FieldSelector', {
  matchExpressions: optional(list(NodeSelectorRequirement)),
});

export const ClusterAffinity = struct('v1alpha1.ClusterAffinity', {
  labelSelector: optional(pointer(LabelSelector)),
  fieldSelector: optional(pointer(FieldSelector)),
  clusterNames: optional(list(string)),
  exclude: optional(list(string), { goName: 'ExcludeClusters' }),
});

export const OverflowClusterAffinity = struct('v1alpha1.OverflowClusterAffinity', {
  affinityName: required(string, { maxLength: 32, minLength: 1 }),
  ...embeddedFields('ClusterAffinity', ClusterAffinity),
});

export const SpreadConstraint = struct('v1alpha1.SpreadConstraint', {
  spreadByField: optional(text('v1alpha1.SpreadFieldValue'), {
    enum: ['cluster', 'region', 'zone', 'provider'],
  }),
  spreadByLabel: optional(string),
  maxGroups: optional(int),
  minGroups: optional(int),
});

const StaticClusterWeight = struct('v1alpha1.StaticClusterWeight', {
  targetCluster: required(ClusterAffinity),
  weight: required(int64, { minimum: 1 }),
});

const ClusterPreferences = struct('v1alpha1.ClusterPreferences', {
  staticWeightList: optional(list(StaticClusterWeight)),
  dynamicWeight: optional(text('v1alpha1.DynamicWeightFactor'), { enum: ['AvailableReplicas'] }),
});

export const ReplicaSchedulingStrategy = struct('v1alpha1.ReplicaSchedulingStrategy', {
  replicaSchedulingType: optional(text('v1alpha1.ReplicaSchedulingType'), {
    default: 'Divided',
    enum: ['Duplicated', 'Divided'],
  }),
  replicaDivisionPreference: optional(text('v1alpha1.ReplicaDivisionPreference'), {
    enum: ['Aggregated', 'Weighted'],
  }),
  weightPreference: optional(pointer(ClusterPreferences)),
});

const WorkloadAffinityTerm = struct('v1alpha1.WorkloadAffinityTerm', {
  groupByLabelKey: required(string),
});

const WorkloadAntiAffinityTerm = struct('v1alpha1.WorkloadAntiAffinityTerm', {
  groupByLabelKey: required(string),
});

export const WorkloadAffinity = struct('v1alpha1.WorkloadAffinity', {
  affinity: optional(pointer(WorkloadAffinityTerm)),
  antiAffinity: optional(pointer(WorkloadAntiAffinityTerm)),
});

/** If both are given, both must hold. */
export const PreConditions = struct('v1alpha1.PreConditions', {
  /** seconds since the control plane first collected a status from the cluster */
  delaySeconds: optional(pointer(int32)),
  /** "Healthy": it has been Healthy on the cluster at least once */
  healthyState: optional(text('v1alpha2.ResourceHealth')),
});

const StatePreservationRule = struct('v1alpha1.StatePreservationRule', {
  aliasLabelName: required(string),
  jsonPath: required(string),
});

export const StatePreservation = struct('v1alpha1.StatePreservation', {
  rules: requiredByServer(list(StatePreservationRule)),
});

const SuspendClusters = struct('v1alpha1.SuspendClusters', {
  clusterNames: optional(list(string)),
});

export const Suspension = struct('v1alpha1.Suspension', {
  dispatching: optional(pointer(bool)),
  dispatchingOnClusters: optional(pointer(SuspendClusters)),
});

const SchedulePriority = struct('v1alpha1.SchedulePriority', {
  priorityClassSource: requiredByServer(text('v1alpha1.PriorityClassSource'), {
    enum: ['KubePriorityClass'],
  }),
  priorityClassName: requiredByServer(string),
});

export const MatchCondition = struct('v1alpha1.MatchCondition', {
  conditionType: required(string),
  operator: required(text('v1alpha1.MatchConditionOperator')),
  statusValues: requiredByServer(list(text('v1.ConditionStatus'))),
});

export const Taint = struct('v1alpha1.Taint', {
  key: required(string),
  effect: required(text<TaintEffect>('v1.TaintEffect')),
  value: optional(string),
});

/**
 * A taint with the design's windows: the seconds for which its conditions must match, or not match, without
 * interruption.
 */
export const TaintToAdd = struct('v1alpha1.TaintToAdd', {
  key: required(string),
  effect: required(text<TaintEffect>('v1.TaintEffect')),
  value: optional(string),
  addOnMatchSeconds: optional(pointer(int32), { default: ADD_ON_MATCH_SECONDS, minimum: 1 }),
  removeOnMismatchSeconds: optional(pointer(int32), { default: REMOVE_ON_MISMATCH_SECONDS, minimum: 1 }),
});

/** The shipped spec fields of a ClusterTaintPolicy. */
const conditionLists = (taintsRequired: boolean) => ({
  targetClusters: optional(pointer(ClusterAffinity)),
  addOnConditions: optional(list(MatchCondition)),
  removeOnConditions: optional(list(MatchCondition)),
  taints: { ...requiredByServer(list(Taint), { minItems: 1 }), required: taintsRequired },
});

/** The spec fields in the design optimize-cluster-failover. */
const windows = {
  targetCluster: optional(pointer(ClusterAffinity)),
  matchConditions: optional(list(MatchCondition)),
  taintsToAdd: optional(list(TaintToAdd)),
};

/** The differences between versions in the policy types; see the switches of the API. */
export type ApiRules = Rules['api'];

/** The policy types of one version that differ between versions. */
export function policyTypes(api: ApiRules) {
  /** An affinity group: the scheduler tries them in order. */
  const ClusterAffinityTerm = struct('v1alpha1.ClusterAffinityTerm', {
    affinityName: required(string, { maxLength: 32, minLength: 1 }),
    ...embeddedFields('ClusterAffinity', ClusterAffinity),
    ...(api.overflowAffinities && { overflowAffinities: optional(list(OverflowClusterAffinity)) }),
  });
  const Placement = struct('v1alpha1.Placement', {
    clusterAffinity: optional(pointer(ClusterAffinity)),
    clusterAffinities: optional(list(ClusterAffinityTerm)),
    clusterTolerations: optional(list(Toleration)),
    spreadConstraints: optional(list(SpreadConstraint)),
    replicaScheduling: optional(pointer(ReplicaSchedulingStrategy)),
    ...(api.workloadAffinity && { workloadAffinity: optional(pointer(WorkloadAffinity)) }),
  });
  const DecisionConditions = struct('v1alpha1.DecisionConditions', {
    tolerationSeconds: optional(pointer(int32), { default: api.applicationTolerationSeconds }),
  });
  const ApplicationFailoverBehavior = struct('v1alpha1.ApplicationFailoverBehavior', {
    ...(api.applicationPreConditions && {
      /** design application-failover: conditions that must hold before failover starts */
      preConditions: optional(pointer(PreConditions)),
    }),
    decisionConditions: requiredByServer(DecisionConditions),
    purgeMode: optional(text<PurgeMode>('v1alpha1.PurgeMode'), {
      default: api.defaultPurgeMode,
      ...(api.applicationPurgeModes && { enum: api.applicationPurgeModes }),
    }),
    gracePeriodSeconds: optional(pointer(int32)),
    ...(api.statePreservation && { statePreservation: optional(pointer(StatePreservation)) }),
    ...(api.evictionHistory && {
      /** design application-failover: seconds during which it may not return to a cluster that it left; 0: forever */
      blockPredecessorSeconds: optional(pointer(int32), { default: BLOCK_PREDECESSOR_SECONDS }),
    }),
  });
  const ClusterFailoverBehavior = struct('v1alpha1.ClusterFailoverBehavior', {
    purgeMode: optional(text<PurgeMode>('v1alpha1.PurgeMode'), {
      default: api.defaultClusterPurgeMode,
      enum: api.clusterPurgeModes,
    }),
    ...(api.clusterGracePeriod && {
      /**
       * design configurable-cluster-failover: how many seconds the old copy stays at most; absent:
       * graceful-eviction-timeout
       */
      gracePeriodSeconds: optional(pointer(int32)),
    }),
    ...(api.clusterFailoverToleration && {
      /** design optimize-cluster-failover: seconds that a binding stays after the taint PreferNoExecute was added */
      tolerationSeconds: optional(pointer(int32), { default: CLUSTER_TOLERATION_SECONDS }),
    }),
    statePreservation: optional(pointer(StatePreservation)),
  });
  const FailoverBehavior = struct('v1alpha1.FailoverBehavior', {
    application: optional(pointer(ApplicationFailoverBehavior)),
    ...(api.clusterFailover && { cluster: optional(pointer(ClusterFailoverBehavior)) }),
  });
  const PropagationSpec = struct('v1alpha1.PropagationSpec', {
    resourceSelectors: requiredByServer(list(ResourceSelector), { minItems: 1 }),
    association: optional(bool),
    propagateDeps: optional(bool),
    placement: optional(Placement),
    priority: optional(pointer(int32), { default: 0 }),
    preemption: optional(text('v1alpha1.PreemptionBehavior'), {
      default: 'Never',
      enum: ['Always', 'Never'],
    }),
    dependentOverrides: optional(list(string)),
    schedulerName: optional(string, { default: 'default-scheduler' }),
    failover: optional(pointer(FailoverBehavior)),
    conflictResolution: optional(text('v1alpha1.ConflictResolution'), {
      default: 'Abort',
      enum: ['Abort', 'Overwrite'],
    }),
    activationPreference: optional(text('v1alpha1.ActivationPreference'), { enum: ['Lazy'] }),
    ...(api.suspension && { suspension: optional(pointer(Suspension)) }),
    ...(api.preserveResourcesOnDeletion && { preserveResourcesOnDeletion: optional(pointer(bool)) }),
    ...(api.schedulePriority && { schedulePriority: optional(pointer(SchedulePriority)) }),
  });
  const PropagationPolicy = kindOf('v1alpha1.PropagationPolicy', {
    spec: required(PropagationSpec),
  });
  const ClusterPropagationPolicy = kindOf('v1alpha1.ClusterPropagationPolicy', {
    spec: required(PropagationSpec),
  });
  const form = api.taintPolicyForm;
  const ClusterTaintPolicySpec = struct('v1alpha1.ClusterTaintPolicySpec', {
    ...(form !== 'windows' && conditionLists(form === 'conditionLists')),
    ...(form !== 'conditionLists' && windows),
  });
  const ClusterTaintPolicy = kindOf('v1alpha1.ClusterTaintPolicy', {
    spec: required(ClusterTaintPolicySpec),
  });
  return {
    ClusterAffinityTerm,
    Placement,
    ApplicationFailoverBehavior,
    ClusterFailoverBehavior,
    FailoverBehavior,
    PropagationSpec,
    PropagationPolicy,
    ClusterPropagationPolicy,
    ClusterTaintPolicySpec,
    ClusterTaintPolicy,
  };
}

export type PolicyTypes = ReturnType<typeof policyTypes>;

const { applicationPurgeModes, taskPurgeModes } = switches.api;

/**
 * The rules of the newest version, which has all fields of older ones, plus the designs' fields and all versions' purge
 * modes.
 */
export const newestApiRules: ApiRules = {
  ...dialectOf(knownVersions.at(-1)!).dialect.rules.api,
  taintPolicyForm: 'either',
  clusterFailoverToleration: true,
  clusterGracePeriod: true,
  clusterPurgeModes: dialectOf(knownProposals.at(-1)!).dialect.rules.api.clusterPurgeModes,
  applicationPreConditions: true,
  evictionHistory: true,
  applicationPurgeModes: mostOf(applicationPurgeModes.values),
  taskPurgeModes: mostOf(taskPurgeModes.values),
};

/** The longest list of a switch. It contains all names: some versions from v1.15 on accepted old and new ones. */
function mostOf<T extends readonly string[] | undefined>(values: readonly { value: T }[]): T {
  return values.reduce((most, one) => ((one.value?.length ?? 0) > (most.value?.length ?? 0) ? one : most))
    .value;
}

/** The policy types with every field of any version. */
export const newestPolicyTypes = policyTypes(newestApiRules);

// Objects as decisions read them, with the fields of every version.

/** policy.karmada.io/v1alpha1 PropagationPolicy; ClusterPropagationPolicy differs only in scope. */
export type PropagationPolicy = Data<PolicyTypes['PropagationPolicy']>;
export type PropagationSpec = Data<PolicyTypes['PropagationSpec']>;
export type ResourceSelector = Data<typeof ResourceSelector>;
export type FieldSelector = Data<typeof FieldSelector>;
export type ClusterAffinity = Data<typeof ClusterAffinity>;
/** An affinity group: the scheduler tries them in order. */
export type ClusterAffinityTerm = Data<PolicyTypes['ClusterAffinityTerm']>;
export type OverflowClusterAffinity = Data<typeof OverflowClusterAffinity>;
export type Placement = Data<PolicyTypes['Placement']>;
type WorkloadAffinityTerm = Data<typeof WorkloadAffinityTerm>;
export type SpreadConstraint = Data<typeof SpreadConstraint>;
export type ReplicaSchedulingStrategy = Data<typeof ReplicaSchedulingStrategy>;
type ClusterPreferences = Data<typeof ClusterPreferences>;
type StaticClusterWeight = Data<typeof StaticClusterWeight>;
export type { PurgeMode };
export type FailoverBehavior = Data<PolicyTypes['FailoverBehavior']>;
export type ApplicationFailoverBehavior = Data<PolicyTypes['ApplicationFailoverBehavior']>;
export type ClusterFailoverBehavior = Data<PolicyTypes['ClusterFailoverBehavior']>;
/** If both are given, both must hold. */
export type PreConditions = Data<typeof PreConditions>;
export type StatePreservation = Data<typeof StatePreservation>;
type StatePreservationRule = Data<typeof StatePreservationRule>;
export type Suspension = Data<typeof Suspension>;
/** policy.karmada.io/v1alpha1 ClusterTaintPolicy */
export type ClusterTaintPolicy = Data<PolicyTypes['ClusterTaintPolicy']>;
/**
 * The spec of a policy, in one of two forms: the shipped one (targetClusters, addOnConditions, removeOnConditions,
 * taints), or the proposed one of the design optimize-cluster-failover (targetCluster, matchConditions, taintsToAdd).
 * Each version knows one of them.
 */
export type ClusterTaintPolicySpec = Data<PolicyTypes['ClusterTaintPolicySpec']>;
export type PolicyTaint = Data<typeof Taint>;
export type TaintToAdd = Data<typeof TaintToAdd>;
export type MatchCondition = Data<typeof MatchCondition>;
