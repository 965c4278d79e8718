import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { ownsSpecField } from '../../kubernetes/ownedFields.ts';

/**
 * What is kept of managedFields: of a Cluster the entry of whoever changed its taints last, without its other fields.
 * Undefined if there is none, and for other kinds, of which nobody asks.
 */
export function taintsWriterOf(
  { kind }: Partial<Pick<KubernetesObject, 'kind'>>,
  managedFields: unknown,
): object[] | undefined {
  if (kind !== 'Cluster' || !Array.isArray(managedFields)) return undefined;
  const entry = (managedFields as unknown[]).find((one) => ownsSpecField(one, 'taints'));
  return entry === undefined
    ? undefined
    : [{ ...(entry as object), fieldsV1: { 'f:spec': { 'f:taints': {} } } }];
}
