import { isObject } from '../../../src/kubernetes/json.ts';

/** An entry of metadata.managedFields. */
export interface ManagedFieldsEntry {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  subresource?: string;
  time: string;
  fieldsType: 'FieldsV1';
  fieldsV1: object;
}

/** Paths to leaves, as JSON texts of their keys: lists count as leaves, as in CRDs without list types. */
export type FieldSet = Set<string>;

/** Fields that are not managed. */
const UNMANAGED = new Set(['apiVersion', 'kind']);
const UNMANAGED_METADATA = new Set([
  ...['name', 'namespace', 'uid', 'resourceVersion', 'generation', 'managedFields'],
  ...['creationTimestamp', 'deletionTimestamp', 'selfLink'],
]);

/** The fields that an object sets. */
export function fieldsOf(object: object): FieldSet {
  const found: FieldSet = new Set();
  const walk = (value: unknown, path: string[]): void => {
    const entries = isObject(value) ? Object.entries(value) : [];
    if (entries.length === 0) {
      if (path.length > 0) found.add(JSON.stringify(path));
      return;
    }
    for (const [key, below] of entries) {
      if (path.length === 0 && UNMANAGED.has(key)) continue;
      if (path.length === 1 && path[0] === 'metadata' && UNMANAGED_METADATA.has(key)) continue;
      walk(below, [...path, key]);
    }
  };
  walk(object, []);
  found.delete('["metadata"]');
  return found;
}

/** fieldsV1 of a set, and back. */
export function encoded(fields: FieldSet): object {
  const root: Record<string, object> = {};
  for (const text of fields) {
    let at = root;
    for (const key of JSON.parse(text) as string[]) at = (at[`f:${key}`] ??= {}) as Record<string, object>;
  }
  return root;
}

export function decoded(fieldsV1: object): FieldSet {
  const found: FieldSet = new Set();
  const walk = (value: object, path: string[]): void => {
    const entries = Object.entries(value) as [string, object][];
    if (entries.length === 0 && path.length > 0) found.add(JSON.stringify(path));
    for (const [key, below] of entries) if (key.startsWith('f:')) walk(below, [...path, key.slice(2)]);
  };
  walk(fieldsV1, []);
  return found;
}

/** ".spec.taints" */
export function printed(field: string): string {
  return (JSON.parse(field) as string[]).map((key) => `.${key}`).join('');
}

export function valueAt(object: unknown, field: string): unknown {
  return (JSON.parse(field) as string[]).reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    object,
  );
}

/** The object without a field, and without parents that this leaves empty. */
export function without<T>(object: T, field: string): T {
  const drop = (value: unknown, [key = '', ...rest]: string[]): unknown => {
    if (!isObject(value) || !Object.hasOwn(value, key)) return value;
    const { [key]: below, ...others } = value;
    if (rest.length === 0) return others;
    const left = drop(below, rest);
    return isObject(left) && Object.keys(left).length === 0 ? others : { ...others, [key]: left };
  };
  return drop(object, JSON.parse(field) as string[]) as T;
}
