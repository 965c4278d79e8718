import { aggregateMessage } from '../../kubernetes/fieldErrors.ts';
import { quote } from '../../kubernetes/goFormat.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { apiTypes } from '../api/kinds.ts';
import type { AdmissionRequest, Refusal } from '../validation/admission.ts';
import { crdErrors } from '../validation/crdErrors.ts';
import { validateObject, type WebhookSettings } from '../validation/validateObject.ts';
import { crdDefaults } from './crdDefaults.ts';
import { defaultObject, type Defaulted, type MutatingSettings } from './defaultObject.ts';

/**
 * Admits an object that is written to Karmada: the defaults of its CRD, its mutating webhook, the CRD's rules, its
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
  // The API server applies the present CRD to the stored object.
  const before = request.oldObject as Record<string, unknown> | undefined;
  const stored = before && crdDefaults(kind, before, types);
  const errors = crdErrors(kind, object, types, stored);
  if (errors.length > 0) {
    const { metadata } = object as { metadata?: { name?: unknown } };
    const name = quote(String(metadata?.name ?? ''));
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
