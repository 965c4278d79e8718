import { ResourceList, ResourceQuotaStatus } from '../../kubernetes/schema/core.ts';
import { kindOf } from '../../kubernetes/schema/meta.ts';
import {
  embeddedFields,
  list,
  optional,
  required,
  string,
  struct,
  type Data,
} from '../../kubernetes/schema/schema.ts';

// policy.karmada.io/v1alpha1 FederatedResourceQuota

const StaticClusterAssignment = struct('v1alpha1.StaticClusterAssignment', {
  clusterName: required(string),
  hard: required(ResourceList),
});

const FederatedResourceQuotaSpec = struct('v1alpha1.FederatedResourceQuotaSpec', {
  overall: required(ResourceList),
  staticAssignments: optional(list(StaticClusterAssignment)),
});

const ClusterQuotaStatus = struct('v1alpha1.ClusterQuotaStatus', {
  clusterName: required(string),
  ...embeddedFields('ResourceQuotaStatus', ResourceQuotaStatus),
});

const FederatedResourceQuotaStatus = struct('v1alpha1.FederatedResourceQuotaStatus', {
  overall: optional(ResourceList),
  overallUsed: optional(ResourceList),
  aggregatedStatus: optional(list(ClusterQuotaStatus)),
});

export const FederatedResourceQuota = kindOf('v1alpha1.FederatedResourceQuota', {
  spec: required(FederatedResourceQuotaSpec),
  status: optional(FederatedResourceQuotaStatus),
});

export type FederatedResourceQuota = Data<typeof FederatedResourceQuota>;
