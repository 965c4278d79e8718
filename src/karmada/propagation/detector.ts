import { numberIn } from '../../kubernetes/json.ts';
import { unversioned } from '../objects/unversioned.ts';
import type { KubernetesObject } from '../api/meta.ts';
import type { PropagationPolicy } from '../api/policy.ts';
import type { ResourceBinding } from '../api/work.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Evidence } from '../evidence.ts';
import { applyPolicyChange, type PolicyChange } from './applyPolicyChange.ts';
import { claimOf, claimedBy } from '../objects/claims.ts';
import { bindingKey, identityOf, objectKey, referenceTo, workloadOf } from '../objects/identities.ts';
import { reconcile } from './followTemplate.ts';
import { matchingPolicy } from './matchingPolicy.ts';
import {
  explicitPriority,
  isLazy,
  permanentId,
  permanentIdLabel,
  type PolicyKind,
} from '../objects/policies.ts';
import { isPropagatable } from './propagatable.ts';
import {
  createPropagation,
  type HoldReason,
  type PropagationChange,
  type PropagationView,
} from './propagation.ts';
import { missingKind } from '../world.ts';
import type {
  Controller,
  Failure,
  ReconcileRequest,
  Note,
  Step,
  Wake,
  WakeContext,
} from '../controllers/controller.ts';
import { policyView, representsTemplate, templateView } from './detectorView.ts';
import type { View } from '../controllers/view.ts';
import type { ChangeOf, Write } from '../controllers/write.ts';
import { appendAll } from '../../kubernetes/longLists.ts';

// Its keys: "policy KEY", "policy KEY below PRIORITY" (the policy had that higher priority before), "template KEY".

/**
 * The detector (Karmada v1.18): bindings follow policies and templates that are created, changed or deleted. A binding
 * represents a template that the world lacks.
 */
export const detector: Controller = {
  wakes: { Policy: policyChanged, Object: templateChanged },
  resumes,
  reconcile(request) {
    const [kind, key = '', , priority] = request.key.split(' ');
    return kind === 'policy'
      ? followPolicy(request, key, priority === undefined ? undefined : Number(priority))
      : followTemplate(request, key);
  },
};

function* policyChanged({ key, before, after }: ChangeOf<'Policy'>): Iterable<Wake> {
  if (before && after && deepEqual(specOf(before), specOf(after))) return;
  const lowered = before && after && explicitPriority(after) < explicitPriority(before);
  yield { key: lowered ? `policy ${key} below ${explicitPriority(before)}` : `policy ${key}` };
}

function specOf({ metadata, spec }: PropagationPolicy): unknown {
  return [spec, metadata.labels, metadata.deletionTimestamp];
}

/** Wakes for a changed template, but not for the detector's own writes. */
function* templateChanged({ key, before, after }: ChangeOf<'Object'>): Iterable<Wake> {
  if (!after || !isPropagatable(after)) return;
  if (before && (!specificationChanged(before, after) || changedByKarmada(before, after))) return;
  yield { key: `template ${key}` };
}

/** Milliseconds until a claimed template has its binding. */
const JUST_CLAIMED = 3000;

/**
 * Templates that were created or scaled shortly before the capture: a policy selects them, and they have no binding, or
 * one with other replicas. A template claimed by a lazy policy waits for its next change; so does one whose binding was
 * deleted by another client, because deleted bindings do not wake the detector.
 */
function* resumes(view: View, context: WakeContext): Iterable<Wake> {
  const policies = [...view.all('Policy')];
  const byId = new Map(policies.map((policy) => [permanentId(policy), policy]));
  const awaitsBinding = (template: KubernetesObject, policy: PropagationPolicy | undefined): boolean => {
    if (policy && isLazy(policy)) return false;
    // A new process reconciles all templates.
    if (!context.unseen || [template, policy].some((one) => one && isNew(one, context.now))) return true;
    return isRetried(template, view, context);
  };
  for (const template of view.all('Object')) {
    if (!isPropagatable(template) || template.metadata.deletionTimestamp) continue;
    const identity = identityOf(template);
    const binding = view.bindingFor(identity);
    const claim = claimOf(template.metadata);
    const open = binding
      ? isScaled(template, binding)
      : claim
        ? awaitsBinding(template, byId.get(claim.id))
        : matchingPolicy(template, policies) !== undefined;
    if (open) yield { key: `template ${objectKey(identity)}` };
  }
}

/** Whether an object was created just now, or at an unknown time. */
function isNew(
  { metadata: { creationTimestamp } }: Pick<KubernetesObject, 'metadata'>,
  now: number,
): boolean {
  return !creationTimestamp || now - instant(creationTimestamp) < JUST_CLAIMED;
}

/** Whether the queue holds a template because its binding cannot be created. */
function isRetried(template: KubernetesObject, view: View, { configuration, now }: WakeContext): boolean {
  const key = objectKey(identityOf(template));
  const request = { key, view, configuration, now, memory: undefined, evidence: undefined };
  return followTemplate(request, key).failure !== undefined;
}

/** Bindings created by policies carry their templates' replicas; attached ones have none. */
function isScaled(template: KubernetesObject, { spec, metadata }: ResourceBinding): boolean {
  const replicas = numberIn(template.spec, 'replicas');
  return (
    replicas !== undefined &&
    spec.replicas !== undefined &&
    spec.replicas !== replicas &&
    spec.resource.apiVersion === template.apiVersion &&
    claimOf(metadata) !== undefined
  );
}

function followPolicy(
  request: ReconcileRequest<unknown>,
  key: string,
  before: number | undefined,
): Step<never> {
  const { view, configuration } = request;
  const { featureGates, rules } = configuration;
  const seen = policyView(view);
  const policy = view.get('Policy', key);
  const changes: PropagationChange[] = [];
  for (const change of policy ? [lowered(policy, before)] : deleted(seen, key))
    appendAll(changes, applyPolicyChange({ view: seen, featureGates, rules, change }));
  return written(request, changes);
}

function lowered(after: PropagationPolicy, priority: number | undefined): PolicyChange {
  if (priority === undefined) return { after };
  return { before: { ...after, spec: { ...after.spec, priority } }, after };
}

/** The changes for a deleted policy, found by the objects that it has claimed. */
function deleted(seen: PropagationView, key: string): PolicyChange[] {
  const [kind, namespace = '', name = ''] = key.split('/') as [PolicyKind, string?, string?];
  const held = new Map<string, KubernetesObject[]>();
  for (const template of seen.templatesIn(claimedBy(kind, namespace, name))) {
    const { id } = claimOf(template.metadata)!;
    const own = held.get(id);
    if (own) own.push(template);
    else held.set(id, [template]);
  }
  return Array.from(held, ([id, templates]) => ({
    before: {
      kind,
      metadata: { name, ...(namespace && { namespace }), labels: { [permanentIdLabel(kind)]: id } },
      spec: {
        resourceSelectors: templates.map(({ apiVersion, kind: own, metadata }) => ({
          apiVersion,
          kind: own,
          ...(metadata.namespace && { namespace: metadata.namespace }),
        })),
      },
    },
  }));
}

function followTemplate(request: ReconcileRequest<unknown>, key: string): Step<never> {
  const { view, configuration } = request;
  const template = view.get('Object', key);
  // The garbage collector removes the objects that a deleted template owns.
  if (!template) return {};
  const { featureGates, rules } = configuration;
  const propagation = createPropagation({ view: templateView(view), featureGates, rules });
  reconcile(propagation, referenceTo(template), false);
  return written(request, propagation.changes);
}

/**
 * The writes, notes and failures for a set of changes. Templates come last: reconciles start from their claims, so an
 * interrupted one is repeated in full.
 */
function written({ view, evidence }: ReconcileRequest<unknown>, changes: PropagationChange[]): Step<never> {
  const writes: Write[] = [];
  const claims: Write[] = [];
  const notes: Note[] = [];
  let failure: Failure | undefined;
  for (const change of changes) {
    if (evidence) appendAll(evidence, change.evidence);
    if (change.type === 'template') {
      const key = objectKey({ kind: change.after.kind, ...change.after.metadata });
      // Only existing templates can be written.
      if (view.get('Object', key))
        claims.push({
          verb: 'update',
          kind: 'Object',
          key,
          part: 'object',
          lock: true,
          base: change.before,
          object: change.after,
        });
    } else if (change.type === 'held') {
      const key = objectKey(change.template);
      notes.push({ type: 'PolicyWaits', object: key, reason: change.reason });
      failure ??= retried(change.reason, key, view.bindingFor(change.template));
    } else {
      const stoodIn = change.before && representsTemplate(change.before, view) ? change.before : undefined;
      if (stoodIn) evidence?.push(guess(stoodIn, view));
      appendAll(writes, bindingWrites(change, stoodIn !== undefined));
    }
  }
  return { writes: [...writes, ...claims], notes, ...(failure && { failure }) };
}

function bindingWrites(
  { before, after }: Extract<PropagationChange, { type: 'binding' }>,
  standsIn: boolean,
): Write[] {
  if (!after)
    return before ? [{ verb: 'delete', kind: 'Binding', key: bindingKey(before), base: before }] : [];
  const key = bindingKey(after);
  if (!before) return [{ verb: 'create', kind: 'Binding', key, object: after }];
  const object = standsIn ? { ...after, spec: withReplicasOf(before, after) } : after;
  return [{ verb: 'update', kind: 'Binding', key, part: 'object', lock: true, base: before, object }];
}

/** Failures that Karmada retries with back-off instead of waiting for a change. */
function retried(
  reason: HoldReason,
  template: string,
  binding: ResourceBinding | undefined,
): Failure | undefined {
  const message = `${reason}: ${template}`;
  switch (reason) {
    case 'OwnerReplaced':
      return {
        reason,
        message,
        unless: binding ? [{ kind: 'Binding', key: bindingKey(binding) }] : [{ kind: 'Binding' }],
      };
    case 'OverridesMissing':
    case 'PriorityClassMissing':
      return { reason, message, unless: [{ kind: 'Object' }] };
    case 'PolicyBeingDeleted':
      return { reason, message, unless: [{ kind: 'Policy' }] };
    default:
      return undefined;
  }
}

/** Keeps fields that only the template defines. */
function withReplicasOf(before: ResourceBinding, after: ResourceBinding): ResourceBinding['spec'] {
  const { replicas, replicaRequirements, components } = before.spec;
  return {
    ...after.spec,
    ...(replicas !== undefined && { replicas }),
    ...(replicaRequirements !== undefined && { replicaRequirements }),
    ...(components !== undefined && { components }),
  };
}

function guess(binding: ResourceBinding, { unread }: View): Evidence {
  const object = workloadOf(binding);
  const { kind, namespace, name } = object;
  return {
    rule: 'the resource is not in the state: the labels of its binding are used',
    object,
    certainty: 'estimate',
    missing: missingKind({ unread }, kind) ?? `the ${kind} ${namespace ? `${namespace}/` : ''}${name}`,
  };
}

const KARMADA = '.karmada.io';
/** a label with Karmada's prefix that users set */
const USER_LABEL = 'namespace.karmada.io/skip-auto-propagation';

/** Whether a template has changed beyond its status and resource version. */
export function specificationChanged(before: KubernetesObject, after: KubernetesObject): boolean {
  return !deepEqual(specification(before), specification(after));
}

/**
 * Whether Karmada itself made a template's change: only labels and annotations with its prefix differ. Lazy policies
 * wait for other changes.
 */
export function changedByKarmada(before: KubernetesObject, after: KubernetesObject): boolean {
  return deepEqual(withoutKarmadas(specification(before)), withoutKarmadas(specification(after)));
}

function specification(template: KubernetesObject): KubernetesObject {
  const { status: _, metadata, ...rest } = template;
  return { ...rest, metadata: unversioned(metadata) };
}

function withoutKarmadas(template: KubernetesObject): KubernetesObject {
  const { generation: _, labels, annotations, ...metadata } = template.metadata;
  return {
    ...template,
    metadata: {
      ...metadata,
      labels: keep(labels, (key) => !key.includes(KARMADA) || key === USER_LABEL),
      annotations: keep(annotations, (key) => !key.includes(KARMADA)),
    },
  };
}

/** undefined if empty */
function keep(
  values: Record<string, string> | undefined,
  wanted: (key: string) => boolean,
): Record<string, string> | undefined {
  const kept = Object.entries(values ?? {}).filter(([key]) => wanted(key));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
