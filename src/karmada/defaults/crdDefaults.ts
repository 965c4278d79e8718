import { applyStructuralDefaults } from '../../kubernetes/validation/structural.ts';
import type { ApiTypes } from '../api/kinds.ts';

/**
 * An object as the API server defaults it before webhooks see it: with the defaults of its CRD (priority 0,
 * replicaSchedulingType Divided, …) and without fields that the CRD lacks. Objects read from files need this. Returns
 * objects of other kinds as they are.
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
