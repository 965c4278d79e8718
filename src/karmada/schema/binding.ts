import { NodeSelector, ResourceList, Toleration } from '../../kubernetes/schema/core.ts';
import { Condition, ObjectMeta, TypeMeta } from '../../kubernetes/schema/meta.ts';
import {
  bool,
  embedded,
  int32,
  int64,
  list,
  map,
  optional,
  pointer,
  raw,
  required,
  string,
  struct,
  text,
  time,
} from '../../kubernetes/schema/schema.ts';
import { newestApiRules, policyTypes, Suspension as PolicySuspension, type ApiRules } from './policy.ts';

// work.karmada.io/v1alpha2

export const ObjectReference = struct('v1alpha2.ObjectReference', {
  apiVersion: required(string),
  kind: required(string),
  namespace: optional(string),
  name: required(string),
  uid: optional(text('types.UID')),
  resourceVersion: optional(string),
});

const NodeClaim = struct('v1alpha2.NodeClaim', {
  hardNodeAffinity: optional(pointer(NodeSelector)),
  nodeSelector: optional(map(string)),
  tolerations: optional(list(Toleration)),
});

const ReplicaRequirements = struct('v1alpha2.ReplicaRequirements', {
  nodeClaim: optional(pointer(NodeClaim)),
  resourceRequest: optional(ResourceList),
  namespace: optional(string),
  priorityClassName: optional(string),
});

const ComponentReplicaRequirements = struct('v1alpha2.ComponentReplicaRequirements', {
  nodeClaim: optional(pointer(NodeClaim)),
  resourceRequest: optional(ResourceList),
  priorityClassName: optional(string),
});

export const Component = struct('v1alpha2.Component', {
  name: required(string, { maxLength: 32 }),
  replicas: required(int32),
  replicaRequirements: optional(pointer(ComponentReplicaRequirements)),
});

const SchedulePriority = struct('v1alpha2.SchedulePriority', {
  priority: optional(int32, { default: 0 }),
});

const WorkloadAffinityGroups = struct('v1alpha2.WorkloadAffinityGroups', {
  affinityGroup: optional(string),
  antiAffinityGroup: optional(string),
});

const ActiveEvictionHistory = struct('v1alpha2.ActiveEvictionHistory', {
  clusterName: required(string),
  creationTimestamp: optional(pointer(time)),
});

const TargetComponent = struct('v1alpha2.TargetComponent', {
  name: required(string),
  replicas: required(int32),
});

/** The binding types of one version: those that differ between versions. */
export function bindingTypes(api: ApiRules) {
  const { Placement, FailoverBehavior } = policyTypes(api);
  const AggregatedStatusItem = struct('v1alpha2.AggregatedStatusItem', {
    clusterName: required(string),
    status: optional(pointer(raw)),
    applied: optional(bool),
    ...(api.applicationPreConditions && { settled: optional(bool) }),
    appliedMessage: optional(string),
    health: optional(text('v1alpha2.ResourceHealth'), { enum: ['Healthy', 'Unhealthy', 'Unknown'] }),
    ...(api.applicationPreConditions && { creationTimestamp: optional(pointer(time)) }),
  });
  const ResourceBindingStatus = struct('v1alpha2.ResourceBindingStatus', {
    schedulerObservedGeneration: optional(int64),
    schedulerObservingAffinityName: optional(string),
    lastScheduledTime: optional(pointer(time)),
    conditions: optional(list(Condition)),
    aggregatedStatus: optional(list(AggregatedStatusItem)),
  });
  const TargetCluster = struct('v1alpha2.TargetCluster', {
    name: required(string),
    replicas: optional(int32),
    ...(api.targetComponents && { components: optional(list(TargetComponent)) }),
  });
  const GracefulEvictionTask = struct('v1alpha2.GracefulEvictionTask', {
    fromCluster: required(string),
    ...(api.taskState && {
      purgeMode: optional(text('v1alpha1.PurgeMode'), {
        ...(api.taskPurgeModes && { enum: api.taskPurgeModes }),
      }),
    }),
    replicas: optional(pointer(int32)),
    reason: required(string, {
      maxLength: 32,
      minLength: 1,
      pattern: /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/,
    }),
    message: optional(string, { maxLength: 1024 }),
    producer: required(string),
    gracePeriodSeconds: optional(pointer(int32)),
    suppressDeletion: optional(pointer(bool)),
    ...(api.taskState && { preservedLabelState: optional(map(string)) }),
    creationTimestamp: optional(pointer(time)),
    ...(api.taskState && { clustersBeforeFailover: optional(list(string)) }),
  });
  const BindingSnapshot = struct('v1alpha2.BindingSnapshot', {
    namespace: optional(string),
    name: required(string),
    clusters: optional(list(TargetCluster)),
  });
  const Suspension = api.schedulingSuspension
    ? struct('v1alpha2.Suspension', {
        ...embedded('Suspension', PolicySuspension),
        scheduling: optional(pointer(bool)),
      })
    : PolicySuspension;
  const ResourceBindingSpec = struct('v1alpha2.ResourceBindingSpec', {
    resource: required(ObjectReference),
    propagateDeps: optional(bool),
    replicaRequirements: optional(pointer(ReplicaRequirements)),
    replicas: optional(int32),
    ...(api.components && { components: optional(list(Component)) }),
    clusters: optional(list(TargetCluster)),
    placement: optional(pointer(Placement)),
    gracefulEvictionTasks: optional(list(GracefulEvictionTask)),
    ...(api.evictionHistory && { activeEvictionHistory: optional(list(ActiveEvictionHistory)) }),
    requiredBy: optional(list(BindingSnapshot)),
    schedulerName: optional(string),
    failover: optional(pointer(FailoverBehavior)),
    conflictResolution: optional(text('v1alpha1.ConflictResolution'), {
      default: 'Abort',
      enum: ['Abort', 'Overwrite'],
    }),
    rescheduleTriggeredAt: optional(pointer(time)),
    ...(api.suspension && { suspension: optional(pointer(Suspension)) }),
    ...(api.preserveResourcesOnDeletion && { preserveResourcesOnDeletion: optional(pointer(bool)) }),
    ...(api.schedulePriority && { schedulePriority: optional(pointer(SchedulePriority)) }),
    ...(api.workloadAffinity && { workloadAffinityGroups: optional(pointer(WorkloadAffinityGroups)) }),
  });
  const ResourceBinding = struct('v1alpha2.ResourceBinding', {
    ...embedded('TypeMeta', TypeMeta),
    metadata: optional(ObjectMeta),
    spec: required(ResourceBindingSpec),
    status: optional(ResourceBindingStatus),
  });
  const ClusterResourceBinding = struct('v1alpha2.ClusterResourceBinding', {
    ...embedded('TypeMeta', TypeMeta),
    metadata: optional(ObjectMeta),
    spec: required(ResourceBindingSpec),
    status: optional(ResourceBindingStatus),
  });
  return { ResourceBindingSpec, ResourceBinding, ClusterResourceBinding };
}

/** The binding types with every field of any version. */
export const newestBindingTypes = bindingTypes(newestApiRules);
