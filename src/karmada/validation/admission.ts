import { aggregateMessage, inGoSyntax, type FieldError } from '../../kubernetes/fieldErrors.ts';
import type { Rules } from '../dialects/rules.ts';
import { apiTypes, type ApiTypes } from '../api/kinds.ts';

/** A version's admission: its webhooks' rules, and its API types. */
export interface Admission {
  rules: Rules['admission'];
  types: ApiTypes;
}

/** The admission of the version with these rules. */
export function admissionOf(rules: Rules): Admission {
  return { rules: rules.admission, types: apiTypes(rules) };
}

/** A request to create or change an object, as the API server sends it to an admission webhook. */
export interface AdmissionRequest {
  kind: string;
  operation: 'CREATE' | 'UPDATE';
  /** the namespace of the request; empty for cluster-scoped kinds */
  namespace?: string;
  /** untrusted, of any shape */
  object: unknown;
  /** the stored object; UPDATE only */
  oldObject?: unknown;
}

export interface Refusal {
  allowed: false;
  /** HTTP status: 403 a rule is broken, 400 unreadable, 500 the webhook failed */
  code: number;
  message: string;
  /** if Karmada gives a reason other than that of the status code */
  reason?: string;
  /** the broken rules that name a field */
  errors: FieldError[];
}

export const allowed = { allowed: true } as const;

/** A refusal because a rule is broken. */
export function ruleRefusal(message: string): Refusal {
  return { allowed: false, code: 403, message, errors: [] };
}

/** A refusal if there are errors. */
export function admitUnless(errors: FieldError[]): typeof allowed | Refusal {
  if (errors.length === 0) return allowed;
  return { allowed: false, code: 403, message: aggregateMessage(errors), errors };
}

/** Errors in a version's wording: how they print values depends on its Kubernetes version. */
export function inWordsOf(
  errors: FieldError[],
  { valuesInErrors }: Pick<Admission['rules'], 'valuesInErrors'>,
): FieldError[] {
  return valuesInErrors === 'goSyntax' ? errors.map(inGoSyntax) : errors;
}

/** A refusal because the webhook failed unexpectedly. */
export function webhookFailure(message: string): Refusal {
  return { allowed: false, code: 500, message, errors: [] };
}

/** A refusal because the webhook dereferenced a nil pointer. */
export const nilPointerFailure = webhookFailure(
  'panic: runtime error: invalid memory address or nil pointer dereference [recovered]',
);

/** A refusal because the webhook could not read the object. */
export function unreadable(message: string): Refusal {
  return { allowed: false, code: 400, message, errors: [] };
}
