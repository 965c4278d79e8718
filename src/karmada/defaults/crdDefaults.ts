import { applyStructuralDefaults } from '../../kubernetes/schema/structural.ts';
import type { ApiTypes } from '../schema/kinds.ts';

/**
 * An object as the API server stores it before webhooks see it: with the defaults of its
 * CRD (priority 0, replicaSchedulingType Divided, …) and without fields that the CRD lacks. Objects read from
 * files need this; those of other kinds come back as they are.
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
  // what metadata holds is no matter of the CRD
  return metadata === undefined ? defaulted : { ...defaulted, metadata };
}
