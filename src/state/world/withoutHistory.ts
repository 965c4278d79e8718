import { isList, isObject } from '../../kubernetes/json.ts';
import { ownsSpecField } from '../../kubernetes/ownedFields.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Sharing } from '../schema/sharing.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The object without managedFields and the last-applied annotation, which repeat most of it and affect no decision;
 * the last writer of a Cluster's taints is kept. The times in managedFields are recorded.
 */
export function withoutHistory(value: unknown, sharing: Sharing): unknown {
  if (!isObject(value) || !isObject(value.metadata)) return value;
  const { annotations } = value.metadata;
  const isApplied = isObject(annotations) && LAST_APPLIED in annotations;
  if (!isApplied && value.metadata.managedFields === undefined) return value;
  const { managedFields, ...metadata } = value.metadata;
  if (isApplied) {
    const { [LAST_APPLIED]: _, ...rest } = annotations;
    metadata.annotations = rest;
  }
  if (isList(managedFields))
    for (const entry of managedFields) if (isObject(entry)) recordTime(entry.time, sharing);
  const kept = taintsWriterOf(value, managedFields);
  return { ...value, metadata: kept ? { ...metadata, managedFields: kept } : metadata };
}

/** Records a time if it is the newest. */
export function recordTime(time: unknown, sharing: Sharing): void {
  if (typeof time === 'string' && time !== '' && !Number.isNaN(instant(time))) sharing.time(time);
}

/**
 * The part of managedFields to keep: for a Cluster, the entry of the last writer of its taints, without its other
 * fields. Undefined if there is none, and for other kinds, whose writers are not needed.
 */
export function taintsWriterOf({ kind }: { kind?: unknown }, managedFields: unknown): object[] | undefined {
  if (kind !== 'Cluster' || !isList(managedFields)) return undefined;
  const entry = managedFields.filter(isObject).find((one) => ownsSpecField(one, 'taints'));
  return entry && [{ ...entry, fieldsV1: { 'f:spec': { 'f:taints': {} } } }];
}
