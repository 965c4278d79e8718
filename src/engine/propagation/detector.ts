import type { FeatureGates } from '../../karmada/configuration.ts';
import type { KubernetesObject, ObjectIdentity, ObjectMeta } from '../../karmada/api/meta.ts';
import type { PropagationPolicy } from '../../karmada/api/policy.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../karmada/api/work.ts';
import {
  CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL,
  RESOURCE_BINDING_PERMANENT_ID_LABEL,
} from '../../karmada/names.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { decode } from '../../kubernetes/schema/decode.ts';
import { encodeText } from '../../kubernetes/schema/encode.ts';
import { newestBindingTypes } from '../../karmada/schema/binding.ts';
import type { Evidence } from '../evidence.ts';
import { claimed, claimOf, unclaimed, type Claim } from '../objects/claim.ts';
import { bindingKind, desiredBinding } from './desiredBinding.ts';
import { bindingName } from '../objects/bindingName.ts';
import { interpretReplicas, type InterpreterRules } from './interpretReplicas.ts';
import { matchingPolicy } from './matchingPolicy.ts';
import {
  isLazy,
  permanentId,
  permanentIdLabel,
  policyIdentity,
  policyKind,
  type PolicyKind,
} from '../objects/policies.ts';
import { isPropagatable } from './propagatable.ts';
import { closestSelector } from './resourceSelector.ts';

/** Gates of the controller manager that the detector asks for. Absent ones are off, as in v1.18. */
export type DetectorGates = Partial<
  Pick<
    FeatureGates,
    | 'MultiplePodTemplatesScheduling'
    | 'PriorityBasedScheduling'
    | 'PropagationPolicyPreemption'
    | 'ResourceQuotaEstimate'
    | 'WorkloadAffinity'
  >
>;

/** What the detector sees of a control plane. */
export interface PropagationInput {
  /** PropagationPolicies and ClusterPropagationPolicies */
  policies: Iterable<PropagationPolicy>;
  /** ResourceBindings and ClusterResourceBindings */
  bindings: Iterable<ResourceBinding>;
  /** all other objects: what policies select, and override policies, priority classes, customizations */
  templates: Iterable<KubernetesObject>;
  featureGates?: DetectorGates;
  /** of the version */
  rules: InterpreterRules;
  /** the UUID for the label of a binding that is made; by default one that tells it is simulated */
  permanentId?: (binding: ObjectIdentity) => string;
}

/** Something that the detector writes, or a reason why it writes nothing where it might have. */
export type PropagationChange =
  | { type: 'binding'; before?: ResourceBinding; after?: ResourceBinding; evidence: Evidence[] }
  | { type: 'template'; before: KubernetesObject; after: KubernetesObject; evidence: Evidence[] }
  | { type: 'held'; template: ObjectIdentity; reason: HoldReason; evidence: Evidence[] };

/**
 * Lazy: the policy waits for the template to change. NoPolicy: no policy selects it, and its binding stays as
 * it is. PolicyBeingDeleted, OverridesMissing, PriorityClassMissing, OwnerReplaced: Karmada tries again later.
 */
export type HoldReason =
  'Lazy' | 'NoPolicy' | 'PolicyBeingDeleted' | 'OverridesMissing' | 'PriorityClassMissing' | 'OwnerReplaced';

/** One run of the detector over a control plane: what it wrote so far lies over the input. */
export interface Detector {
  readonly policies: ReadonlyMap<string, PropagationPolicy>;
  readonly gates: DetectorGates;
  readonly changes: PropagationChange[];
  template(key: string): KubernetesObject | undefined;
  templates(): Iterable<KubernetesObject>;
  bindings(): Iterable<ResourceBinding>;
  bindingOf(template: KubernetesObject): ResourceBinding | undefined;
  /** what happens to a template that is new, changed or concerned by a policy */
  reconcile(key: string, changedByKarmada: boolean): void;
  /** gives a template to a policy; its binding follows */
  claim(template: KubernetesObject, policy: PropagationPolicy, evidence: Evidence[]): void;
  /**
   * takes the claim of a policy from a template and its binding; other policies may follow. Without an id it
   * takes that of any policy of the kind.
   */
  release(template: KubernetesObject, kind: PolicyKind, id: string | undefined, evidence: Evidence[]): void;
  removeBinding(binding: ResourceBinding, evidence: Evidence[]): void;
}

/** One text per object of a kind and version. */
export function templateKey(object: {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
}): string {
  return `${object.apiVersion}/${object.kind}/${object.namespace ?? ''}/${object.name}`;
}

export function keyOf({ apiVersion, kind, metadata: { namespace, name } }: KubernetesObject): string {
  return templateKey({ apiVersion, kind, namespace, name });
}

export function policyKey(kind: string, namespace: string | undefined, name: string): string {
  return `${kind}/${kind === 'PropagationPolicy' ? (namespace ?? '') : ''}/${name}`;
}

const keyOfPolicy = (policy: PropagationPolicy) =>
  policyKey(policyKind(policy), policy.metadata.namespace, policy.metadata.name);

const bindingKey = (namespace: string | undefined, name: string) => `${namespace ?? ''}/${name}`;

/** Sets a detector over a control plane. */
export function createDetector(input: PropagationInput): Detector {
  const policies = new Map(Array.from(input.policies, (policy) => [keyOfPolicy(policy), policy]));
  const bindings = new Map(
    Array.from(input.bindings, (binding) => [
      bindingKey(binding.metadata.namespace, binding.metadata.name),
      binding,
    ]),
  );
  const templates = new Map(Array.from(input.templates, (template) => [keyOf(template), template]));
  const gates = input.featureGates ?? {};
  const changes: PropagationChange[] = [];
  const ofKind = (wanted: string) => Array.from(templates.values()).filter(({ kind }) => kind === wanted);
  const customizations = lazily(() => ofKind('ResourceInterpreterCustomization'));
  const overridePolicies = lazily(() => [...ofKind('OverridePolicy'), ...ofKind('ClusterOverridePolicy')]);

  const detector: Detector = {
    policies,
    gates,
    changes,
    template: (key) => templates.get(key),
    templates: () => templates.values(),
    bindings: () => bindings.values(),
    bindingOf,
    reconcile,

    claim(template, policy, evidence) {
      const metadata = claimed(template.metadata, policy);
      if (!deepEqual(metadata, template.metadata))
        writeTemplate(template, { ...template, metadata }, evidence);
    },

    release(template, kind, id, evidence) {
      const holds = ({ labels = {} }: ObjectMeta) => {
        const held = labels[permanentIdLabel(kind)];
        return held !== undefined && (id === undefined || held === id);
      };
      const binding = bindingOf(template);
      if (binding && holds(binding.metadata))
        writeBinding(binding, { ...binding, metadata: unclaimed(binding.metadata, kind) }, evidence);
      if (!holds(template.metadata)) return;
      writeTemplate(template, { ...template, metadata: unclaimed(template.metadata, kind) }, evidence);
      reconcile(keyOf(template), false);
    },

    removeBinding(binding, evidence) {
      bindings.delete(bindingKey(binding.metadata.namespace, binding.metadata.name));
      changes.push({ type: 'binding', before: binding, evidence });
    },
  };
  return detector;

  function bindingOf({ kind, metadata }: KubernetesObject): ResourceBinding | undefined {
    return bindings.get(bindingKey(metadata.namespace, bindingName(kind, metadata.name)));
  }

  function writeTemplate(before: KubernetesObject, after: KubernetesObject, evidence: Evidence[]): void {
    templates.set(keyOf(after), after);
    changes.push({ type: 'template', before, after, evidence });
  }

  function writeBinding(
    before: ResourceBinding | undefined,
    after: ResourceBinding,
    evidence: Evidence[],
  ): void {
    bindings.set(bindingKey(after.metadata.namespace, after.metadata.name), after);
    changes.push({ type: 'binding', ...(before && { before }), after, evidence });
  }

  function hold(template: KubernetesObject, reason: HoldReason, evidence: Evidence[]): void {
    changes.push({ type: 'held', template: identity(template), reason, evidence });
  }

  function reconcile(key: string, changedByKarmada: boolean): void {
    const template = templates.get(key);
    if (!template || !isPropagatable(template)) return;
    const claim = claimOf(template.metadata);
    if (claim) reconcileClaimed(template, claim, changedByKarmada);
    else reconcileUnclaimed(template, changedByKarmada);
  }

  function reconcileClaimed(template: KubernetesObject, claim: Claim, changedByKarmada: boolean): void {
    const policy = policies.get(policyKey(claim.kind, claim.namespace, claim.name));
    if (!policy) {
      detector.release(template, claim.kind, claim.id, [
        {
          rule: 'the policy that the resource belonged to is gone',
          object: identity(template),
          value: claim,
        },
      ]);
      return;
    }
    if (policy.metadata.deletionTimestamp) {
      hold(template, 'PolicyBeingDeleted', [
        { rule: 'the policy is being deleted', object: policyIdentity(policy) },
      ]);
      return;
    }
    if (!closestSelector(template, policy.spec.resourceSelectors)) return;
    apply(template, policy, changedByKarmada, [
      { rule: 'the resource belongs to the policy', object: policyIdentity(policy) },
    ]);
  }

  function reconcileUnclaimed(template: KubernetesObject, changedByKarmada: boolean): void {
    const match = matchingPolicy(template, policies.values());
    if (match) apply(template, match.policy, changedByKarmada, match.evidence);
    else hold(template, 'NoPolicy', [{ rule: 'no policy selects the resource', object: identity(template) }]);
  }

  function apply(
    template: KubernetesObject,
    policy: PropagationPolicy,
    changedByKarmada: boolean,
    evidence: Evidence[],
  ): void {
    const missing = missingOverride(policy, overridePolicies);
    if (missing !== undefined) {
      const rule = `waits for the override policy ${missing}`;
      hold(template, 'OverridesMissing', [
        { rule, object: policyIdentity(policy), field: 'spec.dependentOverrides', value: missing },
      ]);
      return;
    }
    detector.claim(template, policy, evidence);
    if (changedByKarmada && isLazy(policy)) {
      const field = 'spec.activationPreference';
      const rule = 'the policy takes effect when the resource itself changes';
      hold(template, 'Lazy', [{ rule, object: policyIdentity(policy), field, value: 'Lazy' }]);
      return;
    }
    writeDesiredBinding(templates.get(keyOf(template))!, policy, evidence);
  }

  function writeDesiredBinding(
    template: KubernetesObject,
    policy: PropagationPolicy,
    evidence: Evidence[],
  ): void {
    const existing = bindingOf(template);
    const owner = existing?.metadata.ownerReferences?.find(({ controller }) => controller);
    if (owner?.uid && template.metadata.uid && owner.uid !== template.metadata.uid) {
      const rule = 'the binding belongs to an earlier resource of this name and is being removed';
      hold(template, 'OwnerReplaced', [
        { rule, object: identity(template), field: 'metadata.uid', value: template.metadata.uid },
      ]);
      return;
    }
    const priority = schedulePriority(template, policy);
    if (priority === 'missing') return;
    const replicas = interpretReplicas(template, {
      rules: input.rules,
      customizations: customizations(),
      ...(existing && { known: existing.spec }),
      ...gates,
    });
    const { WorkloadAffinity = false } = gates;
    const desired = desiredBinding(template, policy, existing, {
      replicas,
      WorkloadAffinity,
      ...(priority !== undefined && { schedulePriority: priority }),
    });
    const reasons = replicas.evidence ? [...evidence, replicas.evidence] : evidence;
    if (!existing) writeBinding(undefined, created(desired, template), reasons);
    else if (differs(existing, desired)) writeBinding(existing, nextGeneration(existing, desired), reasons);
  }

  /** What the API server and the webhook add to a binding that is made. */
  function created(binding: ResourceBinding, template: KubernetesObject): ResourceBinding {
    const kind = bindingKind(template);
    const label =
      kind === 'ResourceBinding'
        ? RESOURCE_BINDING_PERMANENT_ID_LABEL
        : CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL;
    const { namespace, name, labels } = binding.metadata;
    const id = (input.permanentId ?? simulatedId)({ kind, ...(namespace && { namespace }), name });
    return {
      ...binding,
      metadata: { ...binding.metadata, generation: 1, labels: { ...labels, [label]: id } },
    };
  }

  /** The value of the policy's priority class; undefined where the policy has no say in it. */
  function schedulePriority(
    template: KubernetesObject,
    policy: PropagationPolicy,
  ): number | undefined | 'missing' {
    const { schedulePriority: wanted } = policy.spec;
    if (!gates.PriorityBasedScheduling || !wanted || bindingKind(template) !== 'ResourceBinding')
      return undefined;
    const { priorityClassSource: source, priorityClassName: name = '' } = wanted;
    const priorityClass = templates.get(
      templateKey({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', name }),
    );
    if (source === 'KubePriorityClass' && priorityClass)
      return (priorityClass as KubernetesObject & { value?: number }).value ?? 0;
    const rule =
      source === 'KubePriorityClass'
        ? `the PriorityClass ${name} does not exist`
        : `Karmada does not support priority classes of ${source ?? 'no source'}`;
    hold(template, 'PriorityClassMissing', [
      { rule, object: policyIdentity(policy), field: 'spec.schedulePriority', value: wanted },
    ]);
    return 'missing';
  }
}

/** Do they mean different things? Quantities are compared by amount, what is empty is as good as absent. */
function differs(before: ResourceBinding, after: ResourceBinding): boolean {
  return !deepEqual(before.metadata, after.metadata) || specDiffers(before, after);
}

function specDiffers({ spec: before }: ResourceBinding, { spec: after }: ResourceBinding): boolean {
  const fields = Object.keys({ ...before, ...after }) as (keyof ResourceBindingSpec)[];
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

function nextGeneration(before: ResourceBinding, after: ResourceBinding): ResourceBinding {
  if (!specDiffers(before, after)) return after;
  const generation = (before.metadata.generation ?? 0) + 1;
  return { ...after, metadata: { ...after.metadata, generation } };
}

export function identity({ kind, metadata: { namespace, name } }: KubernetesObject): ObjectIdentity {
  return { kind, ...(namespace && { namespace }), name };
}

const simulatedId = ({ namespace, name }: ObjectIdentity) =>
  `simulated-${namespace ? `${namespace}.` : ''}${name}`;

/** A policy with dependentOverrides waits until they all exist. */
function missingOverride(
  policy: PropagationPolicy,
  overridePolicies: () => KubernetesObject[],
): string | undefined {
  const wanted = policy.spec.dependentOverrides ?? [];
  if (wanted.length === 0) return undefined;
  const isClusterWide = policyKind(policy) === 'ClusterPropagationPolicy';
  const present = overridePolicies()
    .filter(({ kind, metadata }) =>
      isClusterWide
        ? kind === 'ClusterOverridePolicy'
        : kind === 'OverridePolicy' && metadata.namespace === policy.metadata.namespace,
    )
    .map(({ metadata }) => metadata.name);
  return wanted.find((name) => !present.includes(name));
}

function lazily<T>(compute: () => T): () => T {
  let known: { value: T } | undefined;
  return () => (known ??= { value: compute() }).value;
}

/** Does the binding belong to the policy? A PropagationPolicy has bindings in its own namespace alone. */
export function belongsTo(binding: ResourceBinding, policy: PropagationPolicy): boolean {
  const kind = policyKind(policy);
  if (kind === 'PropagationPolicy' && binding.metadata.namespace !== policy.metadata.namespace) return false;
  return binding.metadata.labels?.[permanentIdLabel(kind)] === permanentId(policy);
}
