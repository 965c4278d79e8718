import type { KubernetesObject } from '../api/meta.ts';
import type { PropagationPolicy } from '../api/policy.ts';
import type { ResourceBinding } from '../api/work.ts';
import { claimedWithId, claimOf, unclaimedFor } from '../objects/claims.ts';
import { referenceTo } from '../objects/identities.ts';
import {
  explicitPriority,
  isLazy,
  permanentId,
  permanentIdLabel,
  policyIdentity,
  policyKind,
  type PolicyKind,
} from '../objects/policies.ts';
import { reconcile, release, claim } from './followTemplate.ts';
import { isPropagatable } from './propagatable.ts';
import {
  createPropagation,
  type Propagation,
  type PropagationChange,
  type PropagationInput,
} from './propagation.ts';
import { highestPrioritySelector } from './resourceSelector.ts';
import {
  CLUSTER_PROPAGATION_POLICY_NAME_ANNOTATION,
  PROPAGATION_POLICY_NAME_ANNOTATION,
  PROPAGATION_POLICY_NAMESPACE_ANNOTATION,
} from '../api/names.ts';
import type { Evidence } from '../evidence.ts';

/** A policy is created (no `before`), changed, or deleted (no `after`). */
export interface PolicyChange {
  before?: PropagationPolicy;
  after?: PropagationPolicy;
}

/**
 * Karmada's propagation after a PropagationPolicy or ClusterPropagationPolicy is created, changed or deleted: new
 * claims of resources and changes of their bindings, in the order of writes. A binding's clusters and eviction tasks do
 * not change; the scheduler does the rest. The view shows the state after the change.
 */
export function applyPolicyChange(input: PropagationInput & { change: PolicyChange }): PropagationChange[] {
  const { before, after } = input.change;
  const changed = after ?? before;
  if (!changed) return [];
  const propagation = createPropagation(input);
  if (!after) {
    handleDeletion(propagation, changed);
    return propagation.changes;
  }
  if (after.metadata.deletionTimestamp) {
    handleDeletion(propagation, after);
    return propagation.changes;
  }
  handlePolicy(propagation, after);
  if (before && explicitPriority(after) < explicitPriority(before))
    preemptLowered(propagation, before, after);
  return propagation.changes;
}

function handlePolicy(propagation: Propagation, policy: PropagationPolicy): void {
  const kind = policyKind(policy);
  const ownResources = () =>
    propagation
      .bindingsAmong(claimedWithId(kind, permanentId(policy)))
      .filter((binding) => belongsTo(binding, policy))
      .map(({ spec: { resource } }) => resource);
  for (const resource of ownResources()) {
    const template = propagation.template(resource);
    if (!template || highestPrioritySelector(template, policy.spec.resourceSelectors)) continue;
    // even if a lazy policy has claimed the resource since and its binding does not show that yet
    release(propagation, template, kind, undefined, [
      {
        rule: 'the policy no longer selects the resource',
        object: policyIdentity(policy),
        field: 'spec.resourceSelectors',
        value: policy.spec.resourceSelectors,
      },
    ]);
  }
  for (const resource of ownResources()) reconcile(propagation, resource, isLazy(policy));
  for (const template of waitingTemplates(propagation, policy))
    reconcile(propagation, referenceTo(template), isLazy(policy));
  preempt(propagation, policy);
}

/** Resources without a policy that this policy selects. */
function waitingTemplates(propagation: Propagation, { spec }: PropagationPolicy): KubernetesObject[] {
  const groups = (spec.resourceSelectors ?? []).map(unclaimedFor);
  return propagation
    .templatesAmong(...groups)
    .filter(
      (template) =>
        highestPrioritySelector(template, spec.resourceSelectors) &&
        isPropagatable(template) &&
        !claimOf(template.metadata),
    );
}

/** Policies that were below the changed one and are now above it may preempt its resources, highest first. */
function preemptLowered(propagation: Propagation, before: PropagationPolicy, after: PropagationPolicy): void {
  if (!propagation.gates.PropagationPolicyPreemption) return;
  const sameScope = (policy: PropagationPolicy) =>
    policyKind(policy) === policyKind(after) &&
    (policyKind(after) === 'ClusterPropagationPolicy' ||
      policy.metadata.namespace === after.metadata.namespace);
  const between = Array.from(propagation.policies()).filter(
    (policy) =>
      sameScope(policy) &&
      policy.spec.priority !== undefined &&
      policy.spec.preemption === 'Always' &&
      explicitPriority(policy) > explicitPriority(after) &&
      explicitPriority(policy) < explicitPriority(before),
  );
  between.sort((a, b) => explicitPriority(b) - explicitPriority(a));
  for (const policy of between) handlePolicy(propagation, policy);
}

/** The policy's resources become available to other policies. Without another policy, their bindings do not change. */
function handleDeletion(propagation: Propagation, policy: PropagationPolicy): void {
  const kind = policyKind(policy);
  const id = permanentId(policy);
  const selectors = policy.spec.resourceSelectors ?? [];
  const selected = ({ apiVersion, kind: templateKind, metadata }: KubernetesObject) =>
    selectors.some(
      (selector) =>
        selector.apiVersion === apiVersion &&
        selector.kind === templateKind &&
        (!selector.namespace || selector.namespace === metadata.namespace),
    ) && metadata.labels?.[permanentIdLabel(kind)] === id;
  for (const template of propagation.templatesAmong(claimedWithId(kind, id)).filter(selected))
    release(propagation, template, kind, id, [
      { rule: 'the policy is deleted', object: policyIdentity(policy) },
    ]);
}

/** Whether the binding belongs to the policy. A PropagationPolicy has bindings only in its own namespace. */
function belongsTo(binding: ResourceBinding, policy: PropagationPolicy): boolean {
  const kind = policyKind(policy);
  if (kind === 'PropagationPolicy' && binding.metadata.namespace !== policy.metadata.namespace) return false;
  return binding.metadata.labels?.[permanentIdLabel(kind)] === permanentId(policy);
}

/**
 * A policy with preemption Always takes the resources that it names from policies of lower priority (gate
 * PropagationPolicyPreemption). A PropagationPolicy takes those of ClusterPropagationPolicies regardless of priority; a
 * ClusterPropagationPolicy takes none from PropagationPolicies.
 */
function preempt(propagation: Propagation, policy: PropagationPolicy): void {
  if (policy.spec.preemption !== 'Always' || !propagation.gates.PropagationPolicyPreemption) return;
  for (const { apiVersion, kind, namespace, name = '' } of policy.spec.resourceSelectors ?? []) {
    const template = propagation.template({ apiVersion, kind, ...(namespace && { namespace }), name });
    if (!template || template.metadata.deletionTimestamp) continue;
    const evidence = preemptionReason(propagation, template, policy);
    if (!evidence) continue;
    claim(propagation, template, policy, [evidence]);
    reconcile(propagation, referenceTo(template), isLazy(policy));
  }
}

/** Why a policy with preemption Always takes a template from its current policy; undefined if it may not. */
export function preemptionReason(
  propagation: Pick<Propagation, 'policy'>,
  { metadata: { annotations = {} } }: KubernetesObject,
  policy: PropagationPolicy,
): Evidence | undefined {
  const isClusterWide = policyKind(policy) === 'ClusterPropagationPolicy';
  const holderNamespace = annotations[PROPAGATION_POLICY_NAMESPACE_ANNOTATION];
  const holderName = annotations[PROPAGATION_POLICY_NAME_ANNOTATION];
  const clusterHolderName = annotations[CLUSTER_PROPAGATION_POLICY_NAME_ANNOTATION];
  const outranked = (kind: PolicyKind, namespace: string | undefined, name: string) => {
    const holder = propagation.policy(kind, namespace, name);
    return holder !== undefined && explicitPriority(policy) > explicitPriority(holder);
  };
  const byPriority = (holder: string): Evidence => ({
    rule: `preempts ${holder}, whose priority is lower`,
    object: policyIdentity(policy),
    field: 'spec.priority',
    value: explicitPriority(policy),
  });
  if (isClusterWide) {
    if (!clusterHolderName || clusterHolderName === policy.metadata.name) return undefined;
    if (!outranked('ClusterPropagationPolicy', undefined, clusterHolderName)) return undefined;
    return byPriority(`ClusterPropagationPolicy ${clusterHolderName}`);
  }
  const own = holderNamespace === policy.metadata.namespace && holderName === policy.metadata.name;
  if (holderNamespace && holderName && !own && outranked('PropagationPolicy', holderNamespace, holderName))
    return byPriority(`PropagationPolicy ${holderName}`);
  if (!clusterHolderName) return undefined;
  return {
    rule: `preempts ClusterPropagationPolicy ${clusterHolderName}, as PropagationPolicies do`,
    object: policyIdentity(policy),
    field: 'spec.preemption',
    value: 'Always',
  };
}
