import { isOtherKind } from '../api/otherKinds.ts';
import type { KubernetesObject, ObjectMeta } from '../api/meta.ts';
import type { PropagationPolicy } from '../api/policy.ts';
import {
  type ObjectReference,
  type ResourceBinding,
  type ResourceBindingSpec,
  newestBindingTypes,
} from '../api/work.ts';
import {
  CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL,
  RESOURCE_BINDING_PERMANENT_ID_LABEL,
} from '../api/names.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { Evidence } from '../evidence.ts';
import { identityOf, referenceTo, simulatedId } from '../objects/identities.ts';
import { withClaim, claimOf, withoutClaim, type Claim } from '../objects/claims.ts';
import {
  isLazy,
  permanentIdLabel,
  policyIdentity,
  policyKind,
  type PolicyKind,
} from '../objects/policies.ts';
import { bindingKind, desiredBinding } from './desiredBinding.ts';
import { interpretReplicas } from './interpretReplicas.ts';
import { matchingPolicy } from './matchingPolicy.ts';
import { isPropagatable } from './propagatable.ts';
import type { Propagation } from './propagation.ts';
import { highestPrioritySelector } from './resourceSelector.ts';
import { decode } from '../../kubernetes/schema/decode.ts';
import { encodeText } from '../../kubernetes/schema/encode.ts';
import { keysOf } from '../../kubernetes/json.ts';

/**
 * Reconciles a template that is new, changed or affected by a policy: a policy claims it, and its binding is created or
 * updated. Mirrors the detector's Reconcile (Karmada v1.18).
 *
 * @param changedByKarmada only its claim has changed: a lazy policy waits for another change
 */
export function reconcile(
  propagation: Propagation,
  reference: ObjectReference,
  changedByKarmada: boolean,
): void {
  const template = propagation.template(reference);
  if (!template || !isPropagatable(template)) return;
  const holder = claimOf(template.metadata);
  if (holder) reconcileClaimed(propagation, template, holder, changedByKarmada);
  else reconcileUnclaimed(propagation, template, changedByKarmada);
}

function reconcileClaimed(
  propagation: Propagation,
  template: KubernetesObject,
  holder: Claim,
  changedByKarmada: boolean,
): void {
  const policy = propagation.policy(holder.kind, holder.namespace, holder.name);
  if (!policy) {
    release(propagation, template, holder.kind, holder.id, [
      {
        rule: 'the policy of the resource is deleted',
        object: identityOf(template),
        value: holder,
      },
    ]);
    return;
  }
  if (policy.metadata.deletionTimestamp) {
    propagation.hold(template, 'PolicyBeingDeleted', [
      { rule: 'the policy is being deleted', object: policyIdentity(policy) },
    ]);
    return;
  }
  if (!highestPrioritySelector(template, policy.spec.resourceSelectors)) return;
  apply(propagation, template, policy, changedByKarmada, [
    { rule: 'the resource belongs to the policy', object: policyIdentity(policy) },
  ]);
}

function reconcileUnclaimed(
  propagation: Propagation,
  template: KubernetesObject,
  changedByKarmada: boolean,
): void {
  const match = matchingPolicy(template, propagation.policies());
  if (match) apply(propagation, template, match.policy, changedByKarmada, match.evidence);
  else
    propagation.hold(template, 'NoPolicy', [
      { rule: 'no policy selects the resource', object: identityOf(template) },
    ]);
}

function apply(
  propagation: Propagation,
  template: KubernetesObject,
  policy: PropagationPolicy,
  changedByKarmada: boolean,
  evidence: Evidence[],
): void {
  const missing = missingOverride(policy, (kind) => propagation.objectsOf(kind));
  if (missing !== undefined) {
    const rule = `waits for the override policy ${missing}`;
    propagation.hold(template, 'OverridesMissing', [
      { rule, object: policyIdentity(policy), field: 'spec.dependentOverrides', value: missing },
    ]);
    return;
  }
  claim(propagation, template, policy, evidence);
  if (changedByKarmada && isLazy(policy)) {
    const field = 'spec.activationPreference';
    const rule = 'the policy takes effect when the resource itself changes';
    propagation.hold(template, 'Lazy', [{ rule, object: policyIdentity(policy), field, value: 'Lazy' }]);
    return;
  }
  writeDesiredBinding(propagation, propagation.template(referenceTo(template))!, policy, evidence);
}

function writeDesiredBinding(
  propagation: Propagation,
  template: KubernetesObject,
  policy: PropagationPolicy,
  evidence: Evidence[],
): void {
  const existing = propagation.bindingOf(template);
  const owner = existing?.metadata.ownerReferences?.find(({ controller }) => controller);
  if (owner?.uid && template.metadata.uid && owner.uid !== template.metadata.uid) {
    const rule = 'the binding belongs to an earlier resource of this name, and is being deleted';
    propagation.hold(template, 'OwnerReplaced', [
      { rule, object: identityOf(template), field: 'metadata.uid', value: template.metadata.uid },
    ]);
    return;
  }
  const priority = schedulePriority(propagation, template, policy);
  if (priority === 'missing') return;
  const replicas = interpretReplicas(template, {
    rules: propagation.rules,
    customizations: propagation.objectsOf('ResourceInterpreterCustomization'),
    ...(existing && { known: existing.spec }),
    ...propagation.gates,
  });
  const { WorkloadAffinity = false } = propagation.gates;
  const desired = desiredBinding(template, policy, existing, {
    replicas,
    WorkloadAffinity,
    ...(priority !== undefined && { schedulePriority: priority }),
  });
  const reasons = replicas.evidence ? [...evidence, replicas.evidence] : evidence;
  if (!existing) propagation.writeBinding(undefined, created(desired, template), reasons);
  else if (bindingDiffers(existing, desired))
    propagation.writeBinding(existing, nextGeneration(existing, desired), reasons);
}

/** A new binding with the fields that the API server and the webhook add. */
function created(binding: ResourceBinding, template: KubernetesObject): ResourceBinding {
  const kind = bindingKind(template);
  const label =
    kind === 'ResourceBinding'
      ? RESOURCE_BINDING_PERMANENT_ID_LABEL
      : CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL;
  const { namespace, name, labels } = binding.metadata;
  const id = simulatedId({ namespace, name });
  return {
    ...binding,
    metadata: { ...binding.metadata, generation: 1, labels: { ...labels, [label]: id } },
  };
}

/** The value of the policy's priority class; undefined if the policy does not set the priority. */
function schedulePriority(
  propagation: Propagation,
  template: KubernetesObject,
  policy: PropagationPolicy,
): number | undefined | 'missing' {
  const { schedulePriority: wanted } = policy.spec;
  if (!propagation.gates.PriorityBasedScheduling || !wanted || bindingKind(template) !== 'ResourceBinding')
    return undefined;
  const { priorityClassSource: source, priorityClassName: name = '' } = wanted;
  const priorityClass = propagation.template({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    name,
  });
  if (source === 'KubePriorityClass' && isOtherKind(priorityClass, 'PriorityClass'))
    return priorityClass.value ?? 0;
  const rule =
    source === 'KubePriorityClass'
      ? `the PriorityClass ${name} does not exist`
      : `Karmada does not support priority classes of ${source ?? 'no source'}`;
  propagation.hold(template, 'PriorityClassMissing', [
    { rule, object: policyIdentity(policy), field: 'spec.schedulePriority', value: wanted },
  ]);
  return 'missing';
}

/** Gives a template to a policy. */
export function claim(
  propagation: Propagation,
  template: KubernetesObject,
  policy: PropagationPolicy,
  evidence: Evidence[],
): void {
  const metadata = withClaim(template.metadata, policy);
  if (!deepEqual(metadata, template.metadata))
    propagation.writeTemplate(template, { ...template, metadata }, evidence);
}

/**
 * Removes a policy's claim from a template and its binding; other policies may then claim them. Without an id, removes
 * that of any policy of the kind.
 */
export function release(
  propagation: Propagation,
  template: KubernetesObject,
  kind: PolicyKind,
  id: string | undefined,
  evidence: Evidence[],
): void {
  const holds = ({ labels = {} }: ObjectMeta) => {
    const held = labels[permanentIdLabel(kind)];
    return held !== undefined && (id === undefined || held === id);
  };
  const binding = propagation.bindingOf(template);
  if (binding && holds(binding.metadata))
    propagation.writeBinding(
      binding,
      { ...binding, metadata: withoutClaim(binding.metadata, kind) },
      evidence,
    );
  if (!holds(template.metadata)) return;
  propagation.writeTemplate(
    template,
    { ...template, metadata: withoutClaim(template.metadata, kind) },
    evidence,
  );
  reconcile(propagation, referenceTo(template), false);
}

/** The override that a policy waits for: one with dependentOverrides is not applied until all of them exist. */
export function missingOverride(
  policy: PropagationPolicy,
  objectsOf: (kind: string) => readonly KubernetesObject[],
): string | undefined {
  const wanted = policy.spec.dependentOverrides ?? [];
  if (wanted.length === 0) return undefined;
  const isClusterWide = policyKind(policy) === 'ClusterPropagationPolicy';
  const present = objectsOf(isClusterWide ? 'ClusterOverridePolicy' : 'OverridePolicy')
    .filter(({ metadata }) => isClusterWide || metadata.namespace === policy.metadata.namespace)
    .map(({ metadata }) => metadata.name);
  return wanted.find((name) => !present.includes(name));
}

/** Whether two bindings differ in meaning: quantities compare by amount, and empty equals absent. */
function bindingDiffers(before: ResourceBinding, after: ResourceBinding): boolean {
  return !deepEqual(before.metadata, after.metadata) || specDiffers(before, after);
}

function specDiffers({ spec: before }: ResourceBinding, { spec: after }: ResourceBinding): boolean {
  const fields = keysOf({ ...before, ...after });
  const unequal = fields.filter((field) => !deepEqual(before[field], after[field]));
  const parts = (spec: ResourceBindingSpec) =>
    Object.fromEntries(unequal.map((field) => [field, spec[field]]));
  return unequal.length > 0 && canonical(parts(before)) !== canonical(parts(after));
}

function canonical(spec: object): string {
  const decoded = decode(newestBindingTypes.ResourceBindingSpec, spec);
  return 'error' in decoded
    ? JSON.stringify(spec)
    : encodeText(newestBindingTypes.ResourceBindingSpec, decoded.value);
}

/** The new binding with the generation that the API server gives it. */
function nextGeneration(before: ResourceBinding, after: ResourceBinding): ResourceBinding {
  if (!specDiffers(before, after)) return after;
  const generation = (before.metadata.generation ?? 0) + 1;
  return { ...after, metadata: { ...after.metadata, generation } };
}
