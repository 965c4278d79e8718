import type { FieldError } from '../../kubernetes/fieldErrors.ts';
import type { StructSchema } from '../../kubernetes/schema/schema.ts';
import { structuralErrors } from '../../kubernetes/schema/structural.ts';
import type { ApiTypes } from '../schema/kinds.ts';

/**
 * What the API server refuses about an object by its CRD alone: wrong types, missing fields, values outside
 * an enumeration. It asks this after defaults and mutating webhooks, before validating webhooks.
 *
 * @param stored the object before, with defaults: values that stay as they are, are let through (CRDValidationRatcheting of
 *   Kubernetes v1.30). No field of a shipped CRD had lost a value before such an API server came with Karmada.
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
