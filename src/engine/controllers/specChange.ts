import type { ObjectMeta } from '../../karmada/api/meta.ts';

interface Versioned {
  metadata: Pick<ObjectMeta, 'generation' | 'deletionTimestamp'>;
}

/**
 * Whether an object is new, has another spec, or has begun to be deleted: what Karmada's predicates for bindings and Works let
 * through. Changes of status or metadata alone wake nobody who filters by it.
 */
export function isSpecChange(before: Versioned | undefined, after: Versioned): boolean {
  if (!before) return true;
  const [was, is] = [before.metadata, after.metadata];
  return was.generation !== is.generation || was.deletionTimestamp !== is.deletionTimestamp;
}
