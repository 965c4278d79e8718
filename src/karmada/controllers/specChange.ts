import type { ObjectMeta } from '../api/meta.ts';

interface Versioned {
  metadata: Pick<ObjectMeta, 'generation' | 'deletionTimestamp'>;
}

/**
 * Whether an object is new, has another spec, or has begun to be deleted: only such changes pass Karmada's predicates
 * for bindings and Works, not those of status or metadata alone.
 */
export function isSpecChange(before: Versioned | undefined, after: Versioned): boolean {
  if (!before) return true;
  const [was, is] = [before.metadata, after.metadata];
  return was.generation !== is.generation || was.deletionTimestamp !== is.deletionTimestamp;
}
