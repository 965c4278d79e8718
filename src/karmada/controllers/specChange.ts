import type { ObjectMeta } from '../api/meta.ts';

interface Versioned {
  metadata: Pick<ObjectMeta, 'generation' | 'deletionTimestamp'>;
}

/**
 * Whether an object is new, has another spec, or is newly being deleted. Karmada's predicates for bindings and Works
 * pass only such changes, not changes of only status or metadata.
 */
export function isSpecChange(before: Versioned | undefined, after: Versioned): boolean {
  if (!before) return true;
  const [was, is] = [before.metadata, after.metadata];
  return was.generation !== is.generation || was.deletionTimestamp !== is.deletionTimestamp;
}
