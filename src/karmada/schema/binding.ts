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
import { FailoverBehavior, Placement, Suspension as PolicySuspension } from './policy.ts';

// work.karmada.io/v1alpha2

export const ObjectReference = struct('v1alpha2.ObjectReference', {
  apiVersion: required(string),
  kind: required(string),
  namespace: optional(string),
  name: required(string),
  uid: optional(text('types.UID')),
  resourceVersion: optional(string),
});

export const NodeClaim = struct('v1alpha2.NodeClaim', {
  hardNodeAffinity: optional(pointer(NodeSelector)),
  nodeSelector: optional(map(string)),
  tolerations: optional(list(Toleration)),
});

export const ReplicaRequirements = struct('v1alpha2.ReplicaRequirements', {
  nodeClaim: optional(pointer(NodeClaim)),
  resourceRequest: optional(ResourceList),
  namespace: optional(string),
  priorityClassName: optional(string),
});

export const ComponentReplicaRequirements = struct('v1alpha2.ComponentReplicaRequirements', {
  nodeClaim: optional(pointer(NodeClaim)),
  resourceRequest: optional(ResourceList),
  priorityClassName: optional(string),
});

export const Component = struct('v1alpha2.Component', {
  name: required(string, { maxLength: 32 }),
  replicas: required(int32),
  replicaRequirements: optional(pointer(ComponentReplicaRequirements)),
});

export const TargetCluster = struct('v1alpha2.TargetCluster', {
  name: required(string),
  replicas: optional(int32),
});

export const GracefulEvictionTask = struct('v1alpha2.GracefulEvictionTask', {
  fromCluster: required(string),
  purgeMode: optional(text('v1alpha1.PurgeMode'), {
    enum: ['Immediately', 'Directly', 'Graciously', 'Gracefully', 'Never'],
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
  preservedLabelState: optional(map(string)),
  creationTimestamp: optional(pointer(time)),
  clustersBeforeFailover: optional(list(string)),
});

export const BindingSnapshot = struct('v1alpha2.BindingSnapshot', {
  namespace: optional(string),
  name: required(string),
  clusters: optional(list(TargetCluster)),
});

export const Suspension = struct('v1alpha2.Suspension', {
  ...embedded('Suspension', PolicySuspension),
  scheduling: optional(pointer(bool)),
});

export const SchedulePriority = struct('v1alpha2.SchedulePriority', {
  priority: optional(int32, { default: 0 }),
});

export const WorkloadAffinityGroups = struct('v1alpha2.WorkloadAffinityGroups', {
  affinityGroup: optional(string),
  antiAffinityGroup: optional(string),
});

export const ResourceBindingSpec = struct('v1alpha2.ResourceBindingSpec', {
  resource: required(ObjectReference),
  propagateDeps: optional(bool),
  replicaRequirements: optional(pointer(ReplicaRequirements)),
  replicas: optional(int32),
  components: optional(list(Component)),
  clusters: optional(list(TargetCluster)),
  placement: optional(pointer(Placement)),
  gracefulEvictionTasks: optional(list(GracefulEvictionTask)),
  requiredBy: optional(list(BindingSnapshot)),
  schedulerName: optional(string),
  failover: optional(pointer(FailoverBehavior)),
  conflictResolution: optional(text('v1alpha1.ConflictResolution'), {
    default: 'Abort',
    enum: ['Abort', 'Overwrite'],
  }),
  rescheduleTriggeredAt: optional(pointer(time)),
  suspension: optional(pointer(Suspension)),
  preserveResourcesOnDeletion: optional(pointer(bool)),
  schedulePriority: optional(pointer(SchedulePriority)),
  workloadAffinityGroups: optional(pointer(WorkloadAffinityGroups)),
});

export const AggregatedStatusItem = struct('v1alpha2.AggregatedStatusItem', {
  clusterName: required(string),
  status: optional(pointer(raw)),
  applied: optional(bool),
  appliedMessage: optional(string),
  health: optional(text('v1alpha2.ResourceHealth'), { enum: ['Healthy', 'Unhealthy', 'Unknown'] }),
});

export const ResourceBindingStatus = struct('v1alpha2.ResourceBindingStatus', {
  schedulerObservedGeneration: optional(int64),
  schedulerObservingAffinityName: optional(string),
  lastScheduledTime: optional(pointer(time)),
  conditions: optional(list(Condition)),
  aggregatedStatus: optional(list(AggregatedStatusItem)),
});

export const ResourceBinding = struct('v1alpha2.ResourceBinding', {
  ...embedded('TypeMeta', TypeMeta),
  metadata: optional(ObjectMeta),
  spec: required(ResourceBindingSpec),
  status: optional(ResourceBindingStatus),
});

export const ClusterResourceBinding = struct('v1alpha2.ClusterResourceBinding', {
  ...embedded('TypeMeta', TypeMeta),
  metadata: optional(ObjectMeta),
  spec: required(ResourceBindingSpec),
  status: optional(ResourceBindingStatus),
});
