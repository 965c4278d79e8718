import type { FieldError } from '../../kubernetes/fieldErrors.ts';
import type { StructSchema } from '../../kubernetes/schema/schema.ts';
import { structuralErrors } from '../../kubernetes/validation/structural.ts';
import type { ApiTypes } from '../api/kinds.ts';

/**
 * What the API server refuses about an object by its CRD alone: wrong types, missing fields, values outside an
 * enumeration. It checks this after defaults and mutating webhooks, before validating webhooks.
 *
 * @param stored the object before, with defaults: unchanged values are not checked (CRDValidationRatcheting of
 *   Kubernetes v1.30). Older API servers need no other rule: before, no CRD of Karmada lost a value.
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
