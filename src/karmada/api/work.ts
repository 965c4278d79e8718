import type { KubernetesObject } from './meta.ts';
import { NodeSelector, ResourceList, Toleration } from '../../kubernetes/schema/core.ts';
import { Condition, kindOf, LabelSelector, ObjectMeta } from '../../kubernetes/schema/meta.ts';
import {
  bool,
  requiredByServer,
  embeddedFields,
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
  unchecked,
  type Data,
  type Schema,
  type StructSchema,
} from '../../kubernetes/schema/schema.ts';
import type { PurgeMode } from '../dialects/switches/eviction.ts';
import { newestApiRules, policyTypes, Suspension as PolicySuspension, type ApiRules } from './policy.ts';

export type ResourceHealth = 'Healthy' | 'Unhealthy' | 'Unknown';

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
  replicas: requiredByServer(int32),
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
  /** RFC 3339: the latest eviction from that cluster */
  creationTimestamp: optional(pointer(time)),
});

const TargetComponent = struct('v1alpha2.TargetComponent', {
  name: required(string),
  replicas: required(int32),
});

const BindingSuspension = struct('v1alpha2.Suspension', {
  ...embeddedFields('Suspension', PolicySuspension),
  scheduling: optional(pointer(bool)),
});

/** The binding types of one version that differ between versions. */
export function bindingTypes(api: ApiRules) {
  const { Placement, FailoverBehavior } = policyTypes(api);
  const AggregatedStatusItem = struct('v1alpha2.AggregatedStatusItem', {
    clusterName: required(string),
    status: optional(pointer(raw)),
    applied: optional(bool),
    ...(api.applicationPreConditions && {
      /** design application-failover: it has been Healthy there at least once */
      settled: optional(bool),
    }),
    appliedMessage: optional(string),
    health: optional(text<ResourceHealth>('v1alpha2.ResourceHealth'), {
      enum: ['Healthy', 'Unhealthy', 'Unknown'],
    }),
    ...(api.applicationPreConditions && {
      /** RFC 3339; design application-failover: when the control plane first collected a status from there */
      creationTimestamp: optional(pointer(time)),
    }),
  });
  const ResourceBindingStatus = struct('v1alpha2.ResourceBindingStatus', {
    schedulerObservedGeneration: optional(int64),
    /** The Go field is SchedulerObservedAffinityName; this is its JSON name. */
    schedulerObservingAffinityName: optional(string),
    /** RFC 3339 */
    lastScheduledTime: optional(pointer(time)),
    conditions: optional(list(Condition)),
    aggregatedStatus: optional(list(AggregatedStatusItem)),
  });
  const TargetCluster = struct('v1alpha2.TargetCluster', {
    name: required(string),
    replicas: optional(int32),
    ...(api.targetComponents && {
      /** since v1.19: the replicas of each component, for workloads that are scheduled as whole sets */
      components: optional(list(TargetComponent)),
    }),
  });
  const GracefulEvictionTask = struct('v1alpha2.GracefulEvictionTask', {
    fromCluster: required(string),
    ...(api.taskState && {
      purgeMode: optional(text<PurgeMode>('v1alpha1.PurgeMode'), {
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
    /** RFC 3339; the graceful eviction controller sets it, not the task's creator */
    creationTimestamp: optional(pointer(time)),
    ...(api.taskState && { clustersBeforeFailover: optional(list(string)) }),
  });
  const BindingSnapshot = struct('v1alpha2.BindingSnapshot', {
    namespace: optional(string),
    name: required(string),
    clusters: optional(list(TargetCluster)),
  });
  const Suspension: StructSchema<Data<typeof BindingSuspension>> = api.schedulingSuspension
    ? BindingSuspension
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
    ...(api.evictionHistory && {
      /** design application-failover: one entry for each cluster that application failover has evicted from */
      activeEvictionHistory: optional(list(ActiveEvictionHistory)),
    }),
    requiredBy: optional(list(BindingSnapshot)),
    schedulerName: optional(string),
    failover: optional(pointer(FailoverBehavior)),
    conflictResolution: optional(text('v1alpha1.ConflictResolution'), {
      default: 'Abort',
      enum: ['Abort', 'Overwrite'],
    }),
    /** RFC 3339 */
    rescheduleTriggeredAt: optional(pointer(time)),
    ...(api.suspension && { suspension: optional(pointer(Suspension)) }),
    ...(api.preserveResourcesOnDeletion && { preserveResourcesOnDeletion: optional(pointer(bool)) }),
    ...(api.schedulePriority && { schedulePriority: optional(pointer(SchedulePriority)) }),
    ...(api.workloadAffinity && { workloadAffinityGroups: optional(pointer(WorkloadAffinityGroups)) }),
  });
  const ResourceBinding = kindOf('v1alpha2.ResourceBinding', {
    spec: required(ResourceBindingSpec),
    status: optional(ResourceBindingStatus),
  });
  const ClusterResourceBinding = kindOf('v1alpha2.ClusterResourceBinding', {
    spec: required(ResourceBindingSpec),
    status: optional(ResourceBindingStatus),
  });
  return {
    AggregatedStatusItem,
    ResourceBindingStatus,
    TargetCluster,
    GracefulEvictionTask,
    BindingSnapshot,
    ResourceBindingSpec,
    ResourceBinding,
    ClusterResourceBinding,
  };
}

/** The binding types with every field of any version. */
export const newestBindingTypes = bindingTypes(newestApiRules);

type BindingTypes = typeof newestBindingTypes;

/** work.karmada.io/v1alpha2 ResourceBinding; ClusterResourceBinding differs only in scope. */
export type ResourceBinding = Data<BindingTypes['ResourceBinding']>;
export type ResourceBindingSpec = Data<BindingTypes['ResourceBindingSpec']>;
export type TargetCluster = Data<BindingTypes['TargetCluster']>;
export type GracefulEvictionTask = Data<BindingTypes['GracefulEvictionTask']>;
export type BindingSnapshot = Data<BindingTypes['BindingSnapshot']>;
export type ResourceBindingStatus = Data<BindingTypes['ResourceBindingStatus']>;
export type AggregatedStatusItem = Data<BindingTypes['AggregatedStatusItem']>;
export type ObjectReference = Data<typeof ObjectReference>;
export type ReplicaRequirements = Data<typeof ReplicaRequirements>;
export type NodeClaim = Data<typeof NodeClaim>;
export type Component = Data<typeof Component>;
export type ActiveEvictionHistory = Data<typeof ActiveEvictionHistory>;

// work.karmada.io/v1alpha1: the fields that decisions read

/** Karmada accepts any manifest; its kind and name identify the binding that a Work serves. */
const Manifest: Schema<KubernetesObject> = struct('v1alpha1.Manifest', {
  apiVersion: required(string),
  kind: required(string),
  metadata: required(ObjectMeta),
});

/** Identifies the manifest of a Work that a status belongs to. */
export interface ManifestIdentifier {
  /** index in spec.workload.manifests */
  ordinal?: number;
  group?: string;
  version?: string;
  kind?: string;
  resource?: string;
  namespace?: string;
  name?: string;
}

const ManifestStatus = struct('v1alpha1.ManifestStatus', {
  identifier: optional(unchecked<ManifestIdentifier>()),
  status: optional(pointer(raw)),
  health: optional(text<ResourceHealth>('v1alpha1.ResourceHealth'), {
    enum: ['Healthy', 'Unhealthy', 'Unknown'],
  }),
});

/** work.karmada.io/v1alpha1 Work */
export const Work = kindOf('v1alpha1.Work', {
  spec: optional(
    struct('v1alpha1.WorkSpec', {
      workload: optional(struct('v1alpha1.WorkloadTemplate', { manifests: optional(list(Manifest)) })),
      suspendDispatching: optional(pointer(bool)),
      preserveResourcesOnDeletion: optional(pointer(bool)),
    }),
  ),
  status: optional(
    struct('v1alpha1.WorkStatus', {
      conditions: optional(list(Condition)),
      manifestStatuses: optional(list(ManifestStatus)),
    }),
  ),
});

export type Work = Data<typeof Work>;

// config.karmada.io/v1alpha1

const DependentObjectReference = struct('v1alpha1.DependentObjectReference', {
  apiVersion: required(string),
  kind: required(string),
  namespace: optional(string),
  name: optional(string),
  labelSelector: optional(pointer(LabelSelector)),
});

/** The contents of a binding's dependencies annotation. */
export const dependentObjectReferences = list(DependentObjectReference);
