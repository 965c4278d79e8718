import { applyStructuralDefaults } from '../../kubernetes/schema/structural.ts';
import { isKnownKind, kindSchemas } from '../schema/kinds.ts';

/**
 * An object as the API server of Karmada v1.18 stores it before webhooks see it: with the defaults of its
 * CRD (priority 0, replicaSchedulingType Divided, …) and without fields that the CRD lacks. Objects read from
 * files need this; those of other kinds come back as they are.
 */
export function crdDefaults(kind: string, object: Record<string, unknown>): Record<string, unknown> {
  if (!isKnownKind(kind)) return object;
  const { metadata } = object;
  const defaulted = applyStructuralDefaults(kindSchemas[kind].schema, object) as Record<string, unknown>;
  // what metadata holds is no matter of the CRD
  return metadata === undefined ? defaulted : { ...defaulted, metadata };
}
