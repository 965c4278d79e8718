import type { KubernetesObject, ObjectIdentity } from '../api/meta.ts';
import type { PropagationPolicy } from '../api/policy.ts';
import type { ObjectReference, ResourceBinding } from '../api/work.ts';
import type { FeatureGates } from '../configuration/configuration.ts';
import type { Evidence } from '../evidence.ts';
import { bindingKey, bindingName, identityOf, referenceTo, snapshotKey } from '../objects/identities.ts';
import type { ClaimGroup } from '../objects/claims.ts';
import type { PolicyKind } from '../objects/policies.ts';
import type { InterpreterRules } from './interpretReplicas.ts';

/** The controller manager's gates that the detector reads. Absent ones are off, as in v1.18. */
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

/** The detector's view of a control plane; all lookups are indexed. */
export interface PropagationView {
  policies(): Iterable<PropagationPolicy>;
  policy(kind: PolicyKind, namespace: string | undefined, name: string): PropagationPolicy | undefined;
  template(reference: ObjectReference): KubernetesObject | undefined;
  /** those in one of these groups (`claimGroups`), in a fixed order */
  templatesIn(...groups: ClaimGroup[]): readonly KubernetesObject[];
  binding(key: string): ResourceBinding | undefined;
  /** those in a group (`claimGroups`), in a fixed order */
  bindingsIn(group: ClaimGroup): readonly ResourceBinding[];
  /** override policies and customizations, by their kind */
  objectsOf(kind: string): readonly KubernetesObject[];
}

/** The inputs of the detector's decisions. */
export interface PropagationInput {
  view: PropagationView;
  featureGates?: DetectorGates;
  /** of the version */
  rules: InterpreterRules;
}

/** A write of the detector, or the reason for none. */
export type PropagationChange =
  | { type: 'binding'; before?: ResourceBinding; after?: ResourceBinding; evidence: Evidence[] }
  | { type: 'template'; before: KubernetesObject; after: KubernetesObject; evidence: Evidence[] }
  | { type: 'held'; template: ObjectIdentity; reason: HoldReason; evidence: Evidence[] };

/**
 * Lazy: the policy waits for the template to change. NoPolicy: no policy selects it, and its binding does not change.
 * PolicyBeingDeleted, OverridesMissing, PriorityClassMissing, OwnerReplaced: Karmada retries later.
 */
export type HoldReason =
  'Lazy' | 'NoPolicy' | 'PolicyBeingDeleted' | 'OverridesMissing' | 'PriorityClassMissing' | 'OwnerReplaced';

/** One run of the detector over a control plane: it sees its own writes instead of the original objects. */
export interface Propagation extends Pick<PropagationView, 'policies' | 'policy' | 'template' | 'objectsOf'> {
  readonly gates: DetectorGates;
  readonly rules: InterpreterRules;
  readonly changes: PropagationChange[];
  /** those in one of these groups, including written ones */
  templatesAmong(...groups: ClaimGroup[]): readonly KubernetesObject[];
  bindingsAmong(group: ClaimGroup): readonly ResourceBinding[];
  bindingOf(template: KubernetesObject): ResourceBinding | undefined;
  writeTemplate(before: KubernetesObject, after: KubernetesObject, evidence: Evidence[]): void;
  writeBinding(before: ResourceBinding | undefined, after: ResourceBinding, evidence: Evidence[]): void;
  /** records why Karmada writes nothing */
  hold(template: KubernetesObject, reason: HoldReason, evidence: Evidence[]): void;
}

/** A run over a control plane, before its first write. */
export function createPropagation({ view, featureGates = {}, rules }: PropagationInput): Propagation {
  const templates = createWritten<KubernetesObject>(templateKey);
  const bindings = createWritten(bindingKey);
  const changes: PropagationChange[] = [];
  return {
    policies: () => view.policies(),
    policy: (kind, namespace, name) => view.policy(kind, namespace, name),
    objectsOf: (kind) => view.objectsOf(kind),
    gates: featureGates,
    rules,
    changes,
    template: (reference) => templates.get(referenceKey(reference)) ?? view.template(reference),
    templatesAmong: (...groups) => templates.over(view.templatesIn(...groups)),
    bindingsAmong: (group) => bindings.over(view.bindingsIn(group)),
    bindingOf({ kind, metadata: { namespace, name } }) {
      const key = snapshotKey({ namespace, name: bindingName(kind, name) });
      return bindings.get(key) ?? view.binding(key);
    },
    writeTemplate(before, after, evidence) {
      templates.add(after);
      changes.push({ type: 'template', before, after, evidence });
    },
    writeBinding(before, after, evidence) {
      bindings.add(after);
      changes.push({ type: 'binding', ...(before && { before }), after, evidence });
    },
    hold(template, reason, evidence) {
      changes.push({ type: 'held', template: identityOf(template), reason, evidence });
    },
  };
}

function referenceKey({ apiVersion, kind, namespace, name }: ObjectReference): string {
  return `${apiVersion}/${kind}/${namespace ?? ''}/${name}`;
}

const templateKey = (template: KubernetesObject) => referenceKey(referenceTo(template));

/** Objects that have been written, by key. */
function createWritten<T>(keyOf: (object: T) => string) {
  const written = new Map<string, T>();
  return {
    get: (key: string) => written.get(key),
    add: (object: T) => void written.set(keyOf(object), object),
    /** Overlays the original objects: each at its position, new ones last. */
    over(objects: readonly T[]): readonly T[] {
      if (written.size === 0) return objects;
      const all = new Map(objects.map((one) => [keyOf(one), one]));
      for (const [key, one] of written) all.set(key, one);
      return [...all.values()];
    },
  };
}
