import type { ObjectMeta } from '../api/meta.ts';

/** Metadata without the fields that every write changes: resourceVersion and managedFields. */
export function unversioned(metadata: ObjectMeta): ObjectMeta {
  const { managedFields: _fields, resourceVersion: _version, ...kept } = metadata;
  return kept;
}
