import { aggregateMessage } from '../../kubernetes/fieldErrors.ts';
import { quote } from '../../kubernetes/goFormat.ts';
import { isKnownKind, kindSchemas } from '../schema/kinds.ts';
import type { AdmissionRequest, Refusal } from '../validation/admission.ts';
import { crdErrors } from '../validation/crdErrors.ts';
import { validateObject, type WebhookSettings } from '../validation/validateObject.ts';
import { crdDefaults } from './crdDefaults.ts';
import { defaultObject, type Defaulted } from './defaultObject.ts';

/**
 * What becomes of an object that is written to Karmada: the defaults of its CRD, its mutating webhook, the
 * CRD's rules, its validating webhook. The stored object, or the first refusal.
 */
export function admitObject(
  request: AdmissionRequest & WebhookSettings & { object: Record<string, unknown>; permanentId: string },
): (Defaulted & { object: Record<string, unknown> }) | Refusal {
  const { kind } = request;
  const mutated = defaultObject({ ...request, object: crdDefaults(kind, request.object) });
  if (!mutated.allowed) return mutated;
  const object = crdDefaults(kind, mutated.object as Record<string, unknown>);
  const errors = crdErrors(kind, object);
  if (errors.length > 0) {
    const { metadata } = object as { metadata?: { name?: string } };
    const name = quote(metadata?.name ?? '');
    const message = `${groupKind(kind)} ${name} is invalid: ${aggregateMessage(errors)}`;
    return { allowed: false, code: 422, reason: 'Invalid', message, errors };
  }
  const verdict = validateObject({ ...request, object });
  return verdict.allowed ? { allowed: true, object } : verdict;
}

const groupKind = (kind: string) => (isKnownKind(kind) ? `${kind}.${kindSchemas[kind].group}` : kind);
