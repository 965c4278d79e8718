import type { Condition, ObjectMeta, ResourceList, Taint } from './meta.ts';

/** cluster.karmada.io/v1alpha1 Cluster */
export interface Cluster {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  spec?: ClusterSpec;
  status?: ClusterStatus;
}

export interface ClusterSpec {
  id?: string;
  syncMode?: 'Push' | 'Pull';
  apiEndpoint?: string;
  provider?: string;
  region?: string;
  /** deprecated in favour of zones, never both in practice */
  zone?: string;
  zones?: string[];
  taints?: Taint[];
  resourceModels?: ResourceModel[];
}

export interface ResourceModel {
  grade?: number;
  ranges: ResourceModelRange[];
}

export interface ResourceModelRange {
  name: string;
  min: string | number;
  max: string | number;
}

export interface ClusterStatus {
  kubernetesVersion?: string;
  apiEnablements?: ApiEnablement[];
  conditions?: Condition[];
  nodeSummary?: { totalNum?: number; readyNum?: number };
  resourceSummary?: ResourceSummary;
}

export interface ApiEnablement {
  groupVersion: string;
  resources?: { name?: string; kind: string }[];
}

export interface ResourceSummary {
  allocatable?: ResourceList;
  allocating?: ResourceList;
  allocated?: ResourceList;
  allocatableModelings?: AllocatableModeling[];
}

export interface AllocatableModeling {
  grade?: number;
  count?: number;
}
