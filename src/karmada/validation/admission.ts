import { aggregateMessage, type FieldError } from '../../kubernetes/fieldErrors.ts';
import type { Rules } from '../dialects/rules.ts';
import { apiTypes, type ApiTypes } from '../schema/kinds.ts';

/** A version's admission: what its webhooks demand, and the types of its API. */
export interface Admission {
  rules: Rules['admission'];
  types: ApiTypes;
}

/** The admission of the version with these rules. */
export function admissionOf(rules: Rules): Admission {
  return { rules: rules.admission, types: apiTypes(rules) };
}

/** A request to create or change an object, as the API server hands it to an admission webhook. */
export interface AdmissionRequest {
  kind: string;
  operation: 'CREATE' | 'UPDATE';
  /** of the request; empty for cluster-scoped kinds */
  namespace?: string;
  /** as it came from outside: nothing is known of its shape */
  object: unknown;
  /** the stored object; UPDATE only */
  oldObject?: unknown;
}

/** A webhook's no. */
export interface Refusal {
  allowed: false;
  /** HTTP status: 403 against the rules, 400 not readable, 500 the webhook broke */
  code: number;
  message: string;
  /** where Karmada names one other than that of the status code */
  reason?: string;
  /** the rules that were broken, where fields can be named */
  errors: FieldError[];
}

export const allowed = { allowed: true } as const;

/** Refused for what a rule says. */
export function denied(message: string): Refusal {
  return { allowed: false, code: 403, message, errors: [] };
}

/** Refused if there are errors. */
export function admitUnless(errors: FieldError[]): typeof allowed | Refusal {
  if (errors.length === 0) return allowed;
  return { allowed: false, code: 403, message: aggregateMessage(errors), errors };
}

/** Refused because the webhook came upon something that it does not expect. */
export function broken(message: string): Refusal {
  return { allowed: false, code: 500, message, errors: [] };
}

/** Refused because the webhook followed a pointer to nothing. */
export const brokenByNil = broken(
  'panic: runtime error: invalid memory address or nil pointer dereference [recovered]',
);

/** Refused because the webhook could not read the object. */
export function unreadable(message: string): Refusal {
  return { allowed: false, code: 400, message, errors: [] };
}
