import type { Condition, KubernetesObject, ObjectMeta, ResourceList } from './meta.ts';
import type { FailoverBehavior, Placement, PurgeMode, Suspension } from './policy.ts';

/** work.karmada.io/v1alpha2 ResourceBinding; ClusterResourceBinding differs only in scope. */
export interface ResourceBinding {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  spec: ResourceBindingSpec;
  status?: ResourceBindingStatus;
}

export interface ResourceBindingSpec {
  resource: ObjectReference;
  propagateDeps?: boolean;
  replicaRequirements?: ReplicaRequirements;
  replicas?: number;
  components?: Component[];
  clusters?: TargetCluster[];
  placement?: Placement;
  gracefulEvictionTasks?: GracefulEvictionTask[];
  /** design application-failover: one entry for each cluster that application failover has evicted from */
  activeEvictionHistory?: ActiveEvictionHistory[];
  requiredBy?: BindingSnapshot[];
  schedulerName?: string;
  failover?: FailoverBehavior;
  conflictResolution?: string;
  /** RFC 3339 */
  rescheduleTriggeredAt?: string | null;
  suspension?: Suspension & { scheduling?: boolean };
  preserveResourcesOnDeletion?: boolean;
  schedulePriority?: { priority?: number };
  workloadAffinityGroups?: { affinityGroup?: string; antiAffinityGroup?: string };
}

export interface ObjectReference {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
  uid?: string;
  resourceVersion?: string;
}

export interface ReplicaRequirements {
  nodeClaim?: NodeClaim;
  resourceRequest?: ResourceList;
  namespace?: string;
  priorityClassName?: string;
}

export interface NodeClaim {
  hardNodeAffinity?: unknown;
  nodeSelector?: Record<string, string>;
  tolerations?: unknown[];
}

export interface Component {
  name: string;
  replicas?: number;
  replicaRequirements?: ReplicaRequirements;
}

export interface TargetCluster {
  name: string;
  replicas?: number;
  /** since v1.19: the replicas of each component, for workloads that are scheduled as whole sets */
  components?: { name: string; replicas: number }[];
}

export interface GracefulEvictionTask {
  fromCluster: string;
  purgeMode?: PurgeMode;
  replicas?: number;
  reason: string;
  message?: string;
  producer: string;
  gracePeriodSeconds?: number;
  suppressDeletion?: boolean;
  preservedLabelState?: Record<string, string>;
  /** RFC 3339; the graceful eviction controller sets it, not the task's creator */
  creationTimestamp?: string | null;
  clustersBeforeFailover?: string[];
}

export interface ActiveEvictionHistory {
  clusterName: string;
  /** RFC 3339: the newest eviction from there */
  creationTimestamp?: string | null;
}

export interface BindingSnapshot {
  namespace?: string;
  name: string;
  clusters?: TargetCluster[];
}

export interface ResourceBindingStatus {
  schedulerObservedGeneration?: number;
  /** The Go field is SchedulerObservedAffinityName; this is its JSON name. */
  schedulerObservingAffinityName?: string;
  /** RFC 3339 */
  lastScheduledTime?: string | null;
  conditions?: Condition[];
  aggregatedStatus?: AggregatedStatusItem[];
}

export type ResourceHealth = 'Healthy' | 'Unhealthy' | 'Unknown';

export interface AggregatedStatusItem {
  clusterName: string;
  status?: unknown;
  applied?: boolean;
  appliedMessage?: string;
  health?: ResourceHealth;
  /** design application-failover: it has been Healthy there once */
  settled?: boolean;
  /** RFC 3339; design application-failover: when the control plane first collected a status from there */
  creationTimestamp?: string | null;
}

/** work.karmada.io/v1alpha1 Work */
export interface Work {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  spec?: {
    workload?: { manifests?: KubernetesObject[] };
    suspendDispatching?: boolean;
    preserveResourcesOnDeletion?: boolean;
  };
  status?: {
    conditions?: Condition[];
    manifestStatuses?: { identifier?: ManifestIdentifier; status?: unknown; health?: ResourceHealth }[];
  };
}

/** Which manifest of a Work a status belongs to. */
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
