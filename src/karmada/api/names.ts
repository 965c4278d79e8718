import { utf8Bytes } from '../../kubernetes/utf8.ts';
import type { ObjectIdentity } from './meta.ts';

/** Names defined by Karmada: labels, annotations, taints, finalizers, producers, reasons. */

export const APPLIED_PLACEMENT_ANNOTATION = 'policy.karmada.io/applied-placement';
export const DEPENDENCIES_ANNOTATION = 'resourcebinding.karmada.io/dependencies';
export const BINDING_MANAGED_BY_LABEL = 'binding.karmada.io/managed-by';

export const RESOURCE_BINDING_PERMANENT_ID_LABEL = 'resourcebinding.karmada.io/permanent-id';
export const CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL = 'clusterresourcebinding.karmada.io/permanent-id';
export const PROPAGATION_POLICY_PERMANENT_ID_LABEL = 'propagationpolicy.karmada.io/permanent-id';
export const CLUSTER_PROPAGATION_POLICY_PERMANENT_ID_LABEL =
  'clusterpropagationpolicy.karmada.io/permanent-id';

export const PROPAGATION_POLICY_NAMESPACE_ANNOTATION = 'propagationpolicy.karmada.io/namespace';
export const PROPAGATION_POLICY_NAME_ANNOTATION = 'propagationpolicy.karmada.io/name';
export const CLUSTER_PROPAGATION_POLICY_NAME_ANNOTATION = 'clusterpropagationpolicy.karmada.io/name';

export const RESOURCE_BINDING_NAMESPACE_ANNOTATION = 'resourcebinding.karmada.io/namespace';
export const RESOURCE_BINDING_NAME_ANNOTATION = 'resourcebinding.karmada.io/name';
export const CLUSTER_RESOURCE_BINDING_NAME_ANNOTATION = 'clusterresourcebinding.karmada.io/name';

export const MANAGED_BY_KARMADA_LABEL = 'karmada.io/managed';
export const WORK_NAMESPACE_ANNOTATION = 'work.karmada.io/namespace';
export const WORK_NAME_ANNOTATION = 'work.karmada.io/name';
export const CONFLICT_RESOLUTION_ANNOTATION = 'work.karmada.io/conflict-resolution';
export const RESOURCE_TEMPLATE_UID_ANNOTATION = 'resourcetemplate.karmada.io/uid';
export const RESOURCE_TEMPLATE_GENERATION_ANNOTATION = 'resourcetemplate.karmada.io/generation';

export const TAINT_CLUSTER_UNSCHEDULABLE = 'cluster.karmada.io/unschedulable';
export const TAINT_CLUSTER_NOT_READY = 'cluster.karmada.io/not-ready';
export const TAINT_CLUSTER_UNREACHABLE = 'cluster.karmada.io/unreachable';
export const TAINT_CLUSTER_TERMINATING = 'cluster.karmada.io/terminating';

export const CLUSTER_CONDITION_READY = 'Ready';
export const CLUSTER_CONDITION_COMPLETE_API_ENABLEMENTS = 'CompleteAPIEnablements';

export const EVICTION_REASON_TAINT_UNTOLERATED = 'TaintUntolerated';
export const EVICTION_REASON_APPLICATION_FAILURE = 'ApplicationFailure';
export const EVICTION_PRODUCER_TAINT_MANAGER = 'TaintManager';
export const RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER =
  'resource-binding-application-failover-controller';
export const CLUSTER_RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER =
  'cluster-resource-binding-application-failover-controller';

/**
 * The condition that reports whether a binding is in the eviction queue of the design optimize-cluster-failover. The
 * design asks for conditions but does not name them.
 */
export const EVICTION_QUEUED_CONDITION = 'EvictionQueued';

export const PROPAGATION_POLICY_FINALIZER = 'karmada.io/propagation-policy-controller';
export const CLUSTER_PROPAGATION_POLICY_FINALIZER = 'karmada.io/cluster-propagation-policy-controller';
export const BINDING_FINALIZER = 'karmada.io/binding-controller';
export const EXECUTION_FINALIZER = 'karmada.io/execution-controller';
export const CLUSTER_RESOURCE_BINDING_FINALIZER = 'karmada.io/cluster-resource-binding-controller';

export const DEFAULT_SCHEDULER_NAME = 'default-scheduler';

const EXECUTION_NAMESPACE_PREFIX = 'karmada-es-';

/** The execution namespace of a cluster: it holds the cluster's Works on the control plane. */
export function executionNamespace(cluster: string): string {
  return EXECUTION_NAMESPACE_PREFIX + cluster;
}

/** The cluster of an execution namespace; undefined for any other namespace. */
export function executionCluster(namespace: string): string | undefined {
  return namespace.startsWith(EXECUTION_NAMESPACE_PREFIX)
    ? namespace.slice(EXECUTION_NAMESPACE_PREFIX.length)
    : undefined;
}

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * The name of a resource's Works, the same in the execution namespace of every cluster: the resource's name and a hash
 * of namespace, name and kind (Karmada v1.18, pkg/util/names).
 */
export function workName({ kind, namespace, name }: ObjectIdentity): string {
  const own = name.replaceAll(':', '.').toLowerCase();
  const hashed = `${namespace ? `${namespace}-` : ''}${own}-${kind}`.toLowerCase();
  const digits = String(fnv32a(hashed));
  let suffix = '';
  for (let at = 0; at < digits.length; at++) suffix += ALPHABET[digits.charCodeAt(at) % ALPHABET.length]!;
  return `${own}-${suffix}`;
}

/** The 32-bit FNV-1a hash of a text's bytes. */
function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return fnv32aOf(utf8Bytes(text));
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash >>> 0;
}

function fnv32aOf(bytes: readonly number[]): number {
  return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
}
