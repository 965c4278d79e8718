import { ResourceList, type TaintEffect } from '../../kubernetes/schema/core.ts';
import { Condition, kindOf, type ConditionStatus } from '../../kubernetes/schema/meta.ts';
import {
  int,
  int32,
  list,
  optional,
  pointer,
  quantity,
  required,
  string,
  struct,
  text,
  time,
  type Data,
} from '../../kubernetes/schema/schema.ts';

// cluster.karmada.io/v1alpha1: the fields that decisions read

const Taint = struct('v1.Taint', {
  key: required(string),
  value: optional(string),
  effect: required(text<TaintEffect>('v1.TaintEffect'), {
    enum: ['NoSchedule', 'PreferNoSchedule', 'PreferNoExecute', 'NoExecute'],
  }),
  timeAdded: optional(pointer(time)),
});

const ResourceModelRange = struct('v1alpha1.ResourceModelRange', {
  name: required(text('v1.ResourceName')),
  min: required(quantity),
  max: required(quantity),
});

const ResourceModel = struct('v1alpha1.ResourceModel', {
  grade: optional(int),
  ranges: required(list(ResourceModelRange)),
});

export const ClusterSpec = struct('v1alpha1.ClusterSpec', {
  id: optional(string),
  syncMode: optional(text<'Push' | 'Pull'>('v1alpha1.ClusterSyncMode'), { enum: ['Push', 'Pull'] }),
  apiEndpoint: optional(string),
  provider: optional(string),
  region: optional(string),
  /** deprecated in favour of zones, never both in practice */
  zone: optional(string),
  zones: optional(list(string)),
  taints: optional(list(Taint)),
  resourceModels: optional(list(ResourceModel)),
});

const APIResource = struct('v1alpha1.APIResource', { name: optional(string), kind: required(string) });

const APIEnablement = struct('v1alpha1.APIEnablement', {
  groupVersion: required(string),
  resources: optional(list(APIResource)),
});

const AllocatableModeling = struct('v1alpha1.AllocatableModeling', {
  grade: optional(int),
  count: optional(int),
});

const ResourceSummary = struct('v1alpha1.ResourceSummary', {
  allocatable: optional(ResourceList),
  allocating: optional(ResourceList),
  allocated: optional(ResourceList),
  allocatableModelings: optional(list(AllocatableModeling)),
});

/** Karmada's own API server accepts any condition status: no CRD limits it to Kubernetes' three. */
const ClusterCondition = struct('v1.Condition', {
  ...Condition.fields,
  status: required(text<ConditionStatus>('v1.ConditionStatus')),
});

const ClusterStatus = struct('v1alpha1.ClusterStatus', {
  kubernetesVersion: optional(string),
  apiEnablements: optional(list(APIEnablement)),
  conditions: optional(list(ClusterCondition)),
  nodeSummary: optional(
    pointer(struct('v1alpha1.NodeSummary', { totalNum: optional(int32), readyNum: optional(int32) })),
  ),
  resourceSummary: optional(pointer(ResourceSummary)),
});

/** cluster.karmada.io/v1alpha1 Cluster */
export const Cluster = kindOf('v1alpha1.Cluster', {
  spec: optional(ClusterSpec),
  status: optional(ClusterStatus),
});

export type Cluster = Data<typeof Cluster>;
export type ClusterSpec = Data<typeof ClusterSpec>;
export type ClusterStatus = Data<typeof ClusterStatus>;
export type ResourceModel = Data<typeof ResourceModel>;
type ResourceModelRange = Data<typeof ResourceModelRange>;
export type ResourceSummary = Data<typeof ResourceSummary>;
export type AllocatableModeling = Data<typeof AllocatableModeling>;
