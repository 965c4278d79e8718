import { type FieldError, aggregateMessage } from '../../kubernetes/fieldErrors.ts';
import { goQuote } from '../../kubernetes/goFormat.ts';
import type { StructSchema } from '../../kubernetes/schema/schema.ts';
import { applyStructuralDefaults, structuralErrors } from '../../kubernetes/validation/structural.ts';
import { type ApiTypes, apiTypes } from '../api/kinds.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { AdmissionRequest, Refusal } from '../validation/admission.ts';
import { type WebhookSettings, validateObject } from '../validation/validateObject.ts';
import { type Defaulted, type MutatingSettings, defaultObject } from './defaultObject.ts';

/**
 * Admits an object that is written to Karmada: applies CRD defaults, the mutating webhook, CRD validation and the
 * validating webhook. Returns the stored object, or the first refusal.
 */
export function admitObject(
  request: AdmissionRequest &
    WebhookSettings &
    MutatingSettings & { object: Record<string, unknown>; permanentId: string },
): (Defaulted & { object: Record<string, unknown> }) | Refusal {
  const { kind } = request;
  const types = apiTypes(request.rules);
  const mutated = defaultObject({ ...request, object: crdDefaults(kind, request.object, types) });
  if (!mutated.allowed) return mutated;
  const object = crdDefaults(kind, mutated.object as Record<string, unknown>, types);
  // The API server applies the current CRD to the stored object.
  const before = request.oldObject as Record<string, unknown> | undefined;
  const stored = before && crdDefaults(kind, before, types);
  const errors = crdErrors(kind, object, types, stored);
  if (errors.length > 0) {
    const { metadata } = object as { metadata?: { name?: unknown } };
    const name = goQuote(String(metadata?.name ?? ''));
    const group = types.kinds.get(kind)?.group;
    const message = `${kind}${group === undefined ? '' : `.${group}`} ${name} is invalid: ${aggregateMessage(errors)}`;
    return { allowed: false, code: 422, reason: 'Invalid', message, errors };
  }
  const verdict = validateObject({ ...request, object });
  return verdict.allowed ? { allowed: true, object } : verdict;
}

/** The settings that the webhooks of a control plane were started with. */
export function admissionSettings({
  rules,
  featureGates,
  webhook,
}: Configuration): WebhookSettings & MutatingSettings {
  return {
    rules,
    featureGates,
    allowNoExecuteTaintPolicy: webhook['allow-no-execute-taint-policy'],
    defaultTolerations: {
      notReady: webhook['default-not-ready-toleration-seconds'],
      unreachable: webhook['default-unreachable-toleration-seconds'],
    },
  };
}

/**
 * An object as the API server defaults it before webhooks see it: with the defaults of its CRD (priority 0,
 * replicaSchedulingType Divided, …) and without fields that the CRD lacks. Objects read from files need this. Returns
 * objects of other kinds unchanged.
 */
export function crdDefaults(
  kind: string,
  object: Record<string, unknown>,
  { kinds }: ApiTypes,
): Record<string, unknown> {
  const known = kinds.get(kind);
  if (!known) return object;
  const { metadata } = object;
  const defaulted = applyStructuralDefaults(known.schema, object) as Record<string, unknown>;
  // the CRD says nothing about metadata
  return metadata === undefined ? defaulted : { ...defaulted, metadata };
}

/**
 * Violations of the CRD alone: wrong types, missing fields, values outside an enumeration. It checks this after
 * defaults and mutating webhooks, and before validating webhooks.
 *
 * @param stored the previous object, with defaults: unchanged values are not checked (CRDValidationRatcheting of
 *   Kubernetes v1.30). Older API servers need no other rule: until then, no CRD of Karmada lost a value.
 */
export function crdErrors(
  kind: string,
  object: Record<string, unknown>,
  { kinds }: ApiTypes,
  stored?: Record<string, unknown>,
): FieldError[] {
  const known = kinds.get(kind);
  if (!known) return [];
  const { metadata: _, ...fields } = known.schema.fields;
  const schema: StructSchema = { ...known.schema, fields };
  return structuralErrors(schema, object, '', stored);
}
