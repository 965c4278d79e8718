import type { KubernetesObject, ObjectMeta } from '../api/meta.ts';
import type { Placement, PropagationPolicy, Suspension } from '../api/policy.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../api/work.ts';
import { BINDING_FINALIZER, CLUSTER_RESOURCE_BINDING_FINALIZER } from '../api/names.ts';
import { withClaim, withoutClaim } from '../objects/claims.ts';
import type { InterpretedReplicas } from './interpretReplicas.ts';
import { policyKind } from '../objects/policies.ts';
import { bindingName, boundResource } from '../objects/identities.ts';
import { definedFields } from '../../kubernetes/json.ts';

/** Namespaced resources have ResourceBindings, others ClusterResourceBindings. */
export function bindingKind({ metadata }: KubernetesObject): 'ResourceBinding' | 'ClusterResourceBinding' {
  return metadata.namespace ? 'ResourceBinding' : 'ClusterResourceBinding';
}

interface BindingInputs {
  replicas: InterpretedReplicas;
  /** value of the policy's priority class, with the gate PriorityBasedScheduling */
  schedulePriority?: number;
  /** the gate of this name */
  WorkloadAffinity?: boolean;
}

/**
 * The binding of a template under a policy: a new one, or the existing one updated. The scheduler's result, the
 * eviction tasks and fields of other writers are kept. Mirrors the detector's ApplyPolicy and ApplyClusterPolicy.
 */
export function desiredBinding(
  template: KubernetesObject,
  policy: PropagationPolicy,
  existing: ResourceBinding | undefined,
  inputs: BindingInputs,
): ResourceBinding {
  const kind = bindingKind(template);
  return {
    ...(existing ?? { apiVersion: 'work.karmada.io/v1alpha2', kind }),
    metadata: desiredMetadata(template, policy, existing),
    spec: definedFields({
      ...existing?.spec,
      ...policyFields(template, policy),
      ...(kind === 'ResourceBinding' && namespacedFields(template, policy, inputs)),
      // a ClusterResourceBinding gets propagateDeps only when it is created
      ...(kind === 'ClusterResourceBinding' &&
        !existing && { propagateDeps: policy.spec.propagateDeps || undefined }),
      ...replicaFields(inputs.replicas),
      suspension: mergedSuspension(existing?.spec.suspension, policy.spec.suspension),
    }) as ResourceBindingSpec,
  };
}

function desiredMetadata(
  template: KubernetesObject,
  policy: PropagationPolicy,
  existing: ResourceBinding | undefined,
): ObjectMeta {
  const { namespace, name, uid } = template.metadata;
  const finalizer = namespace ? BINDING_FINALIZER : CLUSTER_RESOURCE_BINDING_FINALIZER;
  const finalizers = existing?.metadata.finalizers ?? [];
  const owner = {
    apiVersion: template.apiVersion,
    kind: template.kind,
    name,
    ...(uid !== undefined && { uid }),
    controller: true,
    blockOwnerDeletion: true,
  };
  const metadata: ObjectMeta = {
    name: bindingName(template.kind, name),
    ...(namespace && { namespace }),
    ...existing?.metadata,
    finalizers: finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer],
    ownerReferences: [owner],
  };
  const free =
    policyKind(policy) === 'PropagationPolicy'
      ? withoutClaim(metadata, 'ClusterPropagationPolicy')
      : metadata;
  return definedFields(withClaim(free, policy)) as ObjectMeta;
}

function policyFields(template: KubernetesObject, { spec }: PropagationPolicy) {
  return {
    resource: boundResource(template),
    schedulerName: spec.schedulerName || undefined,
    placement: spec.placement ?? {},
    failover: spec.failover,
    // the default of the binding's CRD
    conflictResolution: spec.conflictResolution || 'Abort',
    preserveResourcesOnDeletion: spec.preserveResourcesOnDeletion,
  };
}

function namespacedFields(
  template: KubernetesObject,
  { spec }: PropagationPolicy,
  { schedulePriority, WorkloadAffinity }: BindingInputs,
) {
  return {
    propagateDeps: spec.propagateDeps || undefined,
    schedulePriority: schedulePriority === undefined ? undefined : { priority: schedulePriority },
    workloadAffinityGroups: WorkloadAffinity
      ? workloadAffinityGroups(template, spec.placement?.workloadAffinity)
      : undefined,
  };
}

function replicaFields({ replicas, replicaRequirements, components }: InterpretedReplicas) {
  return { replicas: replicas || undefined, replicaRequirements, components };
}

/** A group's name consists of its grouping label and that label's value on the template. */
function workloadAffinityGroups(
  { metadata: { labels } }: KubernetesObject,
  workloadAffinity: Placement['workloadAffinity'],
): ResourceBindingSpec['workloadAffinityGroups'] {
  const group = (key: string | undefined) =>
    key !== undefined && labels?.[key] !== undefined ? `${key}=${labels[key]}` : undefined;
  const affinityGroup = group(workloadAffinity?.affinity?.groupByLabelKey);
  const antiAffinityGroup = group(workloadAffinity?.antiAffinity?.groupByLabelKey);
  if (!affinityGroup && !antiAffinityGroup) return undefined;
  return { ...(affinityGroup && { affinityGroup }), ...(antiAffinityGroup && { antiAffinityGroup }) };
}

/** Dispatching is set by the policy; the suspension of scheduling is the binding's own. */
function mergedSuspension(
  suspension: ResourceBindingSpec['suspension'],
  ofPolicy: Suspension | undefined,
): ResourceBindingSpec['suspension'] {
  const scheduling = suspension?.scheduling;
  if (!ofPolicy && scheduling === undefined) return undefined;
  return { ...ofPolicy, ...(scheduling !== undefined && { scheduling }) };
}
