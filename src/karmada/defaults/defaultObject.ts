import { encode } from '../../kubernetes/schema/encode.ts';
import { utf8Length } from '../../kubernetes/utf8.ts';
import { decodeObject } from '../api/decodeObject.ts';
import { type ApiKinds, apiTypes } from '../api/kinds.ts';
import type { ObjectMeta, Toleration } from '../api/meta.ts';
import {
  CLUSTER_PROPAGATION_POLICY_FINALIZER,
  CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL,
  PROPAGATION_POLICY_FINALIZER,
  RESOURCE_BINDING_PERMANENT_ID_LABEL,
  TAINT_CLUSTER_NOT_READY,
  TAINT_CLUSTER_UNREACHABLE,
} from '../api/names.ts';
import type {
  ApplicationFailoverBehavior,
  Placement,
  PropagationPolicy,
  PropagationSpec,
  ResourceSelector,
  SpreadConstraint,
} from '../api/policy.ts';
import type { Rules } from '../dialects/rules.ts';
import { type AdmissionRequest, type Refusal, unreadable } from '../validation/admission.ts';
import { type PolicyKind, permanentIdLabels } from '../validation/propagationPolicy.ts';

/** Inputs of the mutating webhooks besides the request. */
export interface MutatingSettings {
  /** the rules of the version whose webhooks run */
  rules: Rules;
  /** tolerationSeconds of the tolerations that the webhook adds to policies, if its version adds any; absent: 300 */
  defaultTolerations?: { notReady: number; unreachable: number };
}

type MutatingRequest = AdmissionRequest & MutatingSettings & { permanentId: string };

/** The object after the webhook. */
export interface Defaulted {
  allowed: true;
  object: unknown;
}

const finalizers: Record<PolicyKind, string> = {
  PropagationPolicy: PROPAGATION_POLICY_FINALIZER,
  ClusterPropagationPolicy: CLUSTER_PROPAGATION_POLICY_FINALIZER,
};

const bindingLabels = {
  ResourceBinding: RESOURCE_BINDING_PERMANENT_ID_LABEL,
  ClusterResourceBinding: CLUSTER_RESOURCE_BINDING_PERMANENT_ID_LABEL,
};

/**
 * Mirrors Karmada's mutating webhook: returns the object with defaults and without unknown fields, or why it is
 * unreadable. `permanentId` is the UUID that a new object gets as its label. Returns objects of kinds without a
 * mutating webhook unchanged.
 */
export function defaultObject(request: MutatingRequest): Defaulted | Refusal {
  const { kind, permanentId } = request;
  switch (kind) {
    case 'PropagationPolicy':
    case 'ClusterPropagationPolicy':
      return rewritten(kind, request, (policy) => defaultPolicy(kind, policy, request));
    case 'OverridePolicy':
      return rewritten(kind, request, (policy) => ({
        ...policy,
        spec: {
          ...policy.spec,
          ...withSelectorNamespace(policy.spec?.resourceSelectors, request.namespace ?? ''),
        },
      }));
    case 'ResourceBinding':
    case 'ClusterResourceBinding':
      return rewritten(kind, request, (binding) =>
        binding.metadata?.labels?.[bindingLabels[kind]]
          ? binding
          : { ...binding, metadata: labelled(binding.metadata, bindingLabels[kind], permanentId) },
      );
    default:
      return { allowed: true, object: request.object };
  }
}

function rewritten<Kind extends keyof ApiKinds>(
  kind: Kind,
  { object, rules }: MutatingRequest,
  change: (object: ApiKinds[Kind]) => ApiKinds[Kind] | Refusal,
): Defaulted | Refusal {
  const types = apiTypes(rules);
  const decoded = decodeObject(kind, object, types);
  if ('error' in decoded) return unreadable(decoded.error);
  const changed = change(decoded.value);
  if ('allowed' in changed) return changed;
  return { allowed: true, object: encode(types.kinds.get(kind)!.schema, changed) };
}

function defaultPolicy(
  kind: PolicyKind,
  policy: PropagationPolicy,
  { operation, namespace = '', permanentId, rules: { admission }, defaultTolerations }: MutatingRequest,
): PropagationPolicy | Refusal {
  const { policyNameLimit } = admission;
  if (policyNameLimit !== undefined && utf8Length(policy.metadata?.name ?? '') > policyNameLimit)
    return unreadable(`${kind}'s name should be no more than ${policyNameLimit} characters`);
  // a selector without a namespace means the policy's own; a ClusterPropagationPolicy selects in all namespaces
  const selectorNamespace = kind === 'PropagationPolicy' ? namespace : '';
  const defaulted = {
    ...policy,
    spec: defaultPropagationSpec(policy.spec ?? {}, selectorNamespace, admission, defaultTolerations),
  };
  if (operation !== 'CREATE') return defaulted;
  const metadata = labelled(policy.metadata, permanentIdLabels[kind], permanentId);
  if (!admission.policyFinalizer) return { ...defaulted, metadata };
  return { ...defaulted, metadata: withFinalizer(metadata, finalizers[kind]) };
}

function labelled(metadata: ObjectMeta | undefined, label: string, value: string): ObjectMeta {
  return { ...metadata, name: metadata?.name ?? '', labels: { ...metadata?.labels, [label]: value } };
}

function withFinalizer(metadata: ObjectMeta, finalizer: string): ObjectMeta {
  const present = metadata.finalizers ?? [];
  return present.includes(finalizer) ? metadata : { ...metadata, finalizers: [...present, finalizer] };
}

const GRACE_PERIOD_SECONDS = 600;
const DEFAULT_TOLERATION_SECONDS = 300;

/**
 * The spec of a policy with the additions of Karmada's mutating webhook. Selectors without a namespace get
 * `selectorNamespace` unless it is empty.
 */
function defaultPropagationSpec(
  spec: PropagationSpec,
  selectorNamespace: string,
  rules: Rules['admission'],
  defaultTolerations = { notReady: DEFAULT_TOLERATION_SECONDS, unreachable: DEFAULT_TOLERATION_SECONDS },
): PropagationSpec {
  const { resourceSelectors, placement, failover } = spec;
  const defaulted = { ...spec, ...withSelectorNamespace(resourceSelectors, selectorNamespace) };
  if (resourceSelectors?.some(isServiceImport)) defaulted.propagateDeps = true;
  if (placement) defaulted.placement = defaultPlacement(placement);
  if (rules.defaultTolerations)
    defaulted.placement = tolerating(defaulted.placement ?? {}, defaultTolerations);
  if (failover?.application)
    defaulted.failover = {
      ...failover,
      application: defaultApplicationFailover(failover.application, rules),
    };
  return defaulted;
}

/** Gives selectors without a namespace this one, unless it is empty. */
function withSelectorNamespace(
  selectors: ResourceSelector[] | undefined,
  namespace: string,
): { resourceSelectors?: ResourceSelector[] } {
  if (!selectors || !namespace) return {};
  return { resourceSelectors: selectors.map((one) => (one.namespace ? one : { ...one, namespace })) };
}

function isServiceImport({ apiVersion, kind }: ResourceSelector): boolean {
  return kind === 'ServiceImport' && apiVersion === 'multicluster.x-k8s.io/v1alpha1';
}

function defaultPlacement(placement: Placement): Placement {
  const { spreadConstraints, replicaScheduling } = placement;
  const defaulted = { ...placement };
  if (spreadConstraints) defaulted.spreadConstraints = spreadConstraints.map(defaultSpreadConstraint);
  if (replicaScheduling?.replicaSchedulingType === 'Divided' && !replicaScheduling.replicaDivisionPreference)
    defaulted.replicaScheduling = { ...replicaScheduling, replicaDivisionPreference: 'Weighted' };
  return defaulted;
}

/** Adds tolerations of NoExecute taints with these keys, unless one exists already, whatever its tolerationSeconds. */
function tolerating(
  placement: Placement,
  { notReady, unreachable }: { notReady: number; unreachable: number },
): Placement {
  const wanted: Toleration[] = [
    { key: TAINT_CLUSTER_NOT_READY, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: notReady },
    {
      key: TAINT_CLUSTER_UNREACHABLE,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: unreachable,
    },
  ];
  const present = placement.clusterTolerations ?? [];
  const missing = wanted.filter(
    ({ key }) =>
      !present.some(
        (one) =>
          one.key === key &&
          one.effect === 'NoExecute' &&
          one.operator === 'Exists' &&
          (one.value ?? '') === '',
      ),
  );
  return missing.length === 0 ? placement : { ...placement, clusterTolerations: [...present, ...missing] };
}

/** Spreads over clusters by default, at least one. maxGroups does not change: 0 selects no cluster. */
function defaultSpreadConstraint(constraint: SpreadConstraint): SpreadConstraint {
  const byNothing = !constraint.spreadByField && !constraint.spreadByLabel;
  return {
    ...constraint,
    ...(byNothing && { spreadByField: 'cluster' }),
    ...(!constraint.minGroups && { minGroups: 1 }),
  };
}

function defaultApplicationFailover(
  application: ApplicationFailoverBehavior,
  { gracefulPurgeModes }: Rules['admission'],
): ApplicationFailoverBehavior {
  if (application.gracePeriodSeconds !== undefined) return application;
  if (!gracefulPurgeModes.includes(application.purgeMode ?? '')) return application;
  return { ...application, gracePeriodSeconds: GRACE_PERIOD_SECONDS };
}
