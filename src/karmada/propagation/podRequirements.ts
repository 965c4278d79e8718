import type { ResourceList, Toleration } from '../api/meta.ts';
import type { NodeClaim, ReplicaRequirements } from '../api/work.ts';
import {
  addResourceList,
  maxResourceList,
  toResourceList,
  type ResourceTotal,
} from '../validation/resourceTotal.ts';

export interface PodSpec {
  containers?: Container[];
  initContainers?: Container[];
  overhead?: ResourceList;
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
  affinity?: {
    nodeAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: NodeClaim['hardNodeAffinity'] | null };
  };
  priorityClassName?: string;
}

interface Container {
  resources?: { requests?: ResourceList; limits?: ResourceList };
}

/**
 * What one replica needs of a cluster, from its pod's spec: where it may run and what it requests. Undefined
 * when it needs nothing in particular. The priority class counts with the gate ResourceQuotaEstimate.
 */
export function podRequirements(
  podSpec: PodSpec | undefined,
  resourceQuotaEstimate = false,
): ReplicaRequirements | undefined {
  const nodeClaim = podSpec && claimOnNodes(podSpec);
  const resourceRequest = podSpec && toResourceList(podRequest(podSpec));
  if (!nodeClaim && !resourceRequest) return undefined;
  const { priorityClassName } = podSpec;
  return {
    ...(nodeClaim && { nodeClaim }),
    ...(resourceRequest && { resourceRequest }),
    ...(resourceQuotaEstimate && priorityClassName && { priorityClassName }),
  };
}

function claimOnNodes({ nodeSelector, tolerations, affinity }: PodSpec): NodeClaim | undefined {
  const hardNodeAffinity = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!nodeSelector && !hardNodeAffinity && !tolerations?.length) return undefined;
  return {
    ...(hardNodeAffinity !== undefined && hardNodeAffinity !== null && { hardNodeAffinity }),
    ...(nodeSelector && Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations?.length && { tolerations }),
  };
}

/** All containers together or the largest init container, whichever is more, and the overhead on top. */
function podRequest({ containers, initContainers, overhead }: PodSpec): ResourceTotal {
  let total: ResourceTotal = new Map();
  for (const container of containers ?? []) total = addResourceList(total, requests(container));
  for (const container of initContainers ?? []) total = maxResourceList(total, requests(container));
  return addResourceList(total, overhead);
}

/** A limit counts as the request if there is none. */
function requests({ resources }: Container): ResourceList {
  return { ...resources?.limits, ...resources?.requests };
}
