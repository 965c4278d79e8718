import type { KubernetesObject } from '../karmada/api/meta.ts';
import { isObject } from '../kubernetes/json.ts';

/**
 * What is kept of managedFields: of a Cluster the entry of whoever changed its taints last, without its other fields.
 * Undefined if there is none, and for other kinds, of which nobody asks.
 */
export function taintsWriterOf(
  { kind }: Partial<Pick<KubernetesObject, 'kind'>>,
  managedFields: unknown,
): object[] | undefined {
  if (kind !== 'Cluster' || !Array.isArray(managedFields)) return undefined;
  const entry = (managedFields as unknown[]).find((one) => {
    const fields = isObject(one) ? one['fieldsV1'] : undefined;
    const spec = isObject(fields) ? fields['f:spec'] : undefined;
    return isObject(spec) && spec['f:taints'] !== undefined;
  });
  return entry === undefined
    ? undefined
    : [{ ...(entry as object), fieldsV1: { 'f:spec': { 'f:taints': {} } } }];
}
