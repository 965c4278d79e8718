import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { ownsSpecField } from '../../kubernetes/ownedFields.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Sharing } from '../schema/sharing.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The object without managedFields and the last-applied annotation, which repeat most of it and decide
 * nothing; who changed a Cluster's taints last is kept. The times in managedFields are noted.
 */
export function withoutHistory(value: unknown, sharing: Sharing): unknown {
  const object = value as Partial<KubernetesObject> | null | undefined;
  let metadata = object?.metadata as Record<string, unknown> | undefined;
  if (typeof metadata !== 'object' || metadata === null) return value;
  const annotations = metadata.annotations as Record<string, unknown> | null | undefined;
  const isApplied = typeof annotations === 'object' && annotations !== null && LAST_APPLIED in annotations;
  if (!isApplied && metadata.managedFields === undefined) return value;
  if (isApplied) {
    const { [LAST_APPLIED]: _, ...rest } = annotations;
    metadata = { ...metadata, annotations: rest };
  }
  const { managedFields, ...rest } = metadata;
  if (Array.isArray(managedFields))
    for (const entry of managedFields as ({ time?: unknown } | null)[]) noteTime(entry?.time, sharing);
  const kept = taintsWriterOf(object!, managedFields);
  return { ...object, metadata: kept ? { ...rest, managedFields: kept } : rest };
}

/** Records a time if it is the newest. */
export function noteTime(time: unknown, sharing: Sharing): void {
  if (typeof time === 'string' && time !== '' && !Number.isNaN(instant(time))) sharing.time(time);
}

/**
 * What is kept of managedFields: of a Cluster the entry of whoever changed its taints last, without its other fields.
 * Undefined if there is none, and for other kinds, which nobody asks for.
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
