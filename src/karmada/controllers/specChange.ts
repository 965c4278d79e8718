import type { ObjectMeta } from '../api/meta.ts';
import type { Wake } from './controller.ts';
import type { ChangeOf } from './write.ts';

interface Versioned {
  metadata: Pick<ObjectMeta, 'generation' | 'deletionTimestamp'>;
}

/**
 * Whether an object is new, has another spec, or is newly being deleted. Karmada's predicates for bindings and Works
 * ignore all other changes, such as those of status or metadata.
 */
export function isSpecChange(before: Versioned | undefined, after: Versioned): boolean {
  if (!before) return true;
  const [was, is] = [before.metadata, after.metadata];
  return was.generation !== is.generation || was.deletionTimestamp !== is.deletionTimestamp;
}

/** Reconciles a binding or Work after such changes; deleted ones need nothing. */
export function specChanged({ key, before, after }: ChangeOf<'Binding'> | ChangeOf<'Work'>): Wake[] {
  return after && isSpecChange(before, after) ? [{ key }] : [];
}
