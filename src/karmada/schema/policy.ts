import {
  ADD_ON_MATCH_SECONDS,
  BLOCK_PREDECESSOR_SECONDS,
  CLUSTER_TOLERATION_SECONDS,
  REMOVE_ON_MISMATCH_SECONDS,
} from './designSeconds.ts';
import { switches, type Rules } from '../dialects/rules.ts';
import { dialectOf, knownProposals, knownVersions } from '../dialects/dialects.ts';
import { NodeSelectorRequirement, Toleration } from '../../kubernetes/schema/core.ts';
import { LabelSelector, ObjectMeta, TypeMeta } from '../../kubernetes/schema/meta.ts';
import {
  bool,
  embedded,
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
} from '../../kubernetes/schema/schema.ts';

// policy.karmada.io/v1alpha1

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
  ...embedded('ClusterAffinity', ClusterAffinity),
});

export const SpreadConstraint = struct('v1alpha1.SpreadConstraint', {
  spreadByField: optional(text('v1alpha1.SpreadFieldValue'), {
    enum: ['cluster', 'region', 'zone', 'provider'],
  }),
  spreadByLabel: optional(string),
  maxGroups: optional(int),
  minGroups: optional(int),
});

export const StaticClusterWeight = struct('v1alpha1.StaticClusterWeight', {
  targetCluster: required(ClusterAffinity),
  weight: required(int64, { minimum: 1 }),
});

export const ClusterPreferences = struct('v1alpha1.ClusterPreferences', {
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

export const WorkloadAffinityTerm = struct('v1alpha1.WorkloadAffinityTerm', {
  groupByLabelKey: required(string),
});

export const WorkloadAntiAffinityTerm = struct('v1alpha1.WorkloadAntiAffinityTerm', {
  groupByLabelKey: required(string),
});

export const WorkloadAffinity = struct('v1alpha1.WorkloadAffinity', {
  affinity: optional(pointer(WorkloadAffinityTerm)),
  antiAffinity: optional(pointer(WorkloadAntiAffinityTerm)),
});

export const PreConditions = struct('v1alpha1.PreConditions', {
  delaySeconds: optional(pointer(int32)),
  healthyState: optional(text('v1alpha2.ResourceHealth')),
});

export const StatePreservationRule = struct('v1alpha1.StatePreservationRule', {
  aliasLabelName: required(string),
  jsonPath: required(string),
});

export const StatePreservation = struct('v1alpha1.StatePreservation', {
  rules: required(list(StatePreservationRule)),
});

export const SuspendClusters = struct('v1alpha1.SuspendClusters', {
  clusterNames: optional(list(string)),
});

export const Suspension = struct('v1alpha1.Suspension', {
  dispatching: optional(pointer(bool)),
  dispatchingOnClusters: optional(pointer(SuspendClusters)),
});

export const SchedulePriority = struct('v1alpha1.SchedulePriority', {
  priorityClassSource: required(text('v1alpha1.PriorityClassSource'), { enum: ['KubePriorityClass'] }),
  priorityClassName: required(string),
});

export const MatchCondition = struct('v1alpha1.MatchCondition', {
  conditionType: required(string),
  operator: required(text('v1alpha1.MatchConditionOperator')),
  statusValues: required(list(text('v1.ConditionStatus'))),
});

export const Taint = struct('v1alpha1.Taint', {
  key: required(string),
  effect: required(text('v1.TaintEffect')),
  value: optional(string),
});

export const TaintToAdd = struct('v1alpha1.TaintToAdd', {
  key: required(string),
  effect: required(text('v1.TaintEffect')),
  value: optional(string),
  addOnMatchSeconds: optional(pointer(int32), { default: ADD_ON_MATCH_SECONDS, minimum: 1 }),
  removeOnMismatchSeconds: optional(pointer(int32), { default: REMOVE_ON_MISMATCH_SECONDS, minimum: 1 }),
});

/** The fields of a ClusterTaintPolicy's spec that are shipped. */
const conditionLists = {
  targetClusters: optional(pointer(ClusterAffinity)),
  addOnConditions: optional(list(MatchCondition)),
  removeOnConditions: optional(list(MatchCondition)),
  taints: required(list(Taint), { minItems: 1 }),
};

/** Those of the design optimize-cluster-failover. */
const windows = {
  targetCluster: optional(pointer(ClusterAffinity)),
  matchConditions: optional(list(MatchCondition)),
  taintsToAdd: optional(list(TaintToAdd)),
};

const taintPolicyFields = {
  conditionLists,
  windows,
  either: { ...conditionLists, ...windows, taints: { ...conditionLists.taints, required: false } },
};

/** What differs between versions in the types of policies; see the switches of the API. */
export type ApiRules = Rules['api'];

/** The policy types of one version: those that differ between versions. */
export function policyTypes(api: ApiRules) {
  const ClusterAffinityTerm = struct('v1alpha1.ClusterAffinityTerm', {
    affinityName: required(string, { maxLength: 32, minLength: 1 }),
    ...embedded('ClusterAffinity', ClusterAffinity),
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
    ...(api.applicationPreConditions && { preConditions: optional(pointer(PreConditions)) }),
    decisionConditions: required(DecisionConditions),
    purgeMode: optional(text('v1alpha1.PurgeMode'), {
      default: api.defaultPurgeMode,
      ...(api.applicationPurgeModes && { enum: api.applicationPurgeModes }),
    }),
    gracePeriodSeconds: optional(pointer(int32)),
    ...(api.statePreservation && { statePreservation: optional(pointer(StatePreservation)) }),
    ...(api.evictionHistory && {
      blockPredecessorSeconds: optional(pointer(int32), { default: BLOCK_PREDECESSOR_SECONDS }),
    }),
  });
  const ClusterFailoverBehavior = struct('v1alpha1.ClusterFailoverBehavior', {
    purgeMode: optional(text('v1alpha1.PurgeMode'), {
      default: api.defaultClusterPurgeMode,
      enum: api.clusterPurgeModes,
    }),
    ...(api.clusterGracePeriod && { gracePeriodSeconds: optional(pointer(int32)) }),
    ...(api.clusterFailoverToleration && {
      tolerationSeconds: optional(pointer(int32), { default: CLUSTER_TOLERATION_SECONDS }),
    }),
    statePreservation: optional(pointer(StatePreservation)),
  });
  const FailoverBehavior = struct('v1alpha1.FailoverBehavior', {
    application: optional(pointer(ApplicationFailoverBehavior)),
    ...(api.clusterFailover && { cluster: optional(pointer(ClusterFailoverBehavior)) }),
  });
  const PropagationSpec = struct('v1alpha1.PropagationSpec', {
    resourceSelectors: required(list(ResourceSelector), { minItems: 1 }),
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
  const PropagationPolicy = struct('v1alpha1.PropagationPolicy', {
    ...embedded('TypeMeta', TypeMeta),
    metadata: optional(ObjectMeta),
    spec: required(PropagationSpec),
  });
  const ClusterPropagationPolicy = struct('v1alpha1.ClusterPropagationPolicy', {
    ...embedded('TypeMeta', TypeMeta),
    metadata: optional(ObjectMeta),
    spec: required(PropagationSpec),
  });
  const ClusterTaintPolicySpec = struct(
    'v1alpha1.ClusterTaintPolicySpec',
    taintPolicyFields[api.taintPolicyForm],
  );
  const ClusterTaintPolicy = struct('v1alpha1.ClusterTaintPolicy', {
    ...embedded('TypeMeta', TypeMeta),
    metadata: optional(ObjectMeta),
    spec: required(ClusterTaintPolicySpec),
  });
  return {
    ClusterAffinityTerm,
    Placement,
    ApplicationFailoverBehavior,
    FailoverBehavior,
    PropagationSpec,
    PropagationPolicy,
    ClusterPropagationPolicy,
    ClusterTaintPolicy,
  };
}

export type PolicyTypes = ReturnType<typeof policyTypes>;

const { applicationPurgeModes, taskPurgeModes } = switches.api;

/**
 * The rules of the newest version, which has every field of older ones, with the fields of designs and the purge modes
 * of all versions.
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

/** The longest list of a switch. It holds all names: from v1.15 on, until the old names were dropped, both were valid. */
function mostOf<T extends readonly string[] | undefined>(values: readonly { value: T }[]): T {
  return values.reduce((most, one) => ((one.value?.length ?? 0) > (most.value?.length ?? 0) ? one : most))
    .value;
}

/** The policy types with every field of any version. */
export const newestPolicyTypes = policyTypes(newestApiRules);
