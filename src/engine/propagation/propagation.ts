import type { KubernetesObject, ObjectIdentity } from '../../karmada/api/meta.ts';
import type { PropagationPolicy } from '../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { FeatureGates } from '../../karmada/configuration.ts';
import type { Evidence } from '../evidence.ts';
import { bindingName } from '../objects/bindingName.ts';
import { bindingKey, identityOf, simulatedId, snapshotKey } from '../objects/identities.ts';
import { policyKind } from '../objects/policies.ts';
import type { InterpreterRules } from './interpretReplicas.ts';

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
export interface Propagation {
  readonly policies: ReadonlyMap<string, PropagationPolicy>;
  readonly gates: DetectorGates;
  readonly rules: InterpreterRules;
  readonly changes: PropagationChange[];
  template(key: string): KubernetesObject | undefined;
  templates(): Iterable<KubernetesObject>;
  bindings(): Iterable<ResourceBinding>;
  bindingOf(template: KubernetesObject): ResourceBinding | undefined;
  /** ResourceInterpreterCustomizations */
  customizations(): readonly KubernetesObject[];
  overridePolicies(): readonly KubernetesObject[];
  permanentId(binding: ObjectIdentity): string;
  writeTemplate(before: KubernetesObject, after: KubernetesObject, evidence: Evidence[]): void;
  writeBinding(before: ResourceBinding | undefined, after: ResourceBinding, evidence: Evidence[]): void;
  /** nothing is written, for a reason that Karmada would give */
  hold(template: KubernetesObject, reason: HoldReason, evidence: Evidence[]): void;
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

/** `templateKey` of the object itself. */
export function keyOf({ apiVersion, kind, metadata: { namespace, name } }: KubernetesObject): string {
  return templateKey({ apiVersion, kind, namespace, name });
}

/** One text per policy, by kind, namespace and name. */
export function policyKey(kind: string, namespace: string | undefined, name: string): string {
  return `${kind}/${kind === 'PropagationPolicy' ? (namespace ?? '') : ''}/${name}`;
}

const keyOfPolicy = (policy: PropagationPolicy) =>
  policyKey(policyKind(policy), policy.metadata.namespace, policy.metadata.name);

/** A run over a control plane in which nothing has been written yet. */
export function createPropagation(input: PropagationInput): Propagation {
  const policies = new Map(Array.from(input.policies, (policy) => [keyOfPolicy(policy), policy]));
  const bindings = new Map(Array.from(input.bindings, (binding) => [bindingKey(binding), binding]));
  const templates = new Map(Array.from(input.templates, (template) => [keyOf(template), template]));
  const changes: PropagationChange[] = [];
  const ofKind = (wanted: string) => Array.from(templates.values()).filter(({ kind }) => kind === wanted);
  return {
    policies,
    gates: input.featureGates ?? {},
    rules: input.rules,
    changes,
    template: (key) => templates.get(key),
    templates: () => templates.values(),
    bindings: () => bindings.values(),
    bindingOf: ({ kind, metadata }) =>
      bindings.get(snapshotKey({ namespace: metadata.namespace, name: bindingName(kind, metadata.name) })),
    customizations: lazily(() => ofKind('ResourceInterpreterCustomization')),
    overridePolicies: lazily(() => [...ofKind('OverridePolicy'), ...ofKind('ClusterOverridePolicy')]),
    permanentId: input.permanentId ?? simulatedId,
    writeTemplate(before, after, evidence) {
      templates.set(keyOf(after), after);
      changes.push({ type: 'template', before, after, evidence });
    },
    writeBinding(before, after, evidence) {
      bindings.set(bindingKey(after), after);
      changes.push({ type: 'binding', ...(before && { before }), after, evidence });
    },
    hold(template, reason, evidence) {
      changes.push({ type: 'held', template: identityOf(template), reason, evidence });
    },
  };
}

function lazily<T>(compute: () => T): () => T {
  let known: { value: T } | undefined;
  return () => (known ??= { value: compute() }).value;
}
