import type { KubernetesObject } from '../../karmada/api/meta.ts';

/** Quotes in JSON strings are escaped, so this can only be a field. */
const FIELD = ',"managedFields":[{"';
/** The start of an entry: apiVersion for custom resources, manager for built-in ones. */
const ENTRY = /(?:apiVersion|manager)":/y;

const QUOTE = 34;
const OPEN = 91;
const BACKSLASH = 92;
const CLOSE = 93;

/**
 * Removes metadata.managedFields from the JSON text of objects: they make up half of many objects and are not needed.
 * They cost more to parse than the rest, because their field names differ in every object.
 */
export function cutManagedFields(text: string): string {
  let at = text.indexOf(FIELD);
  if (at === -1) return text;
  const kept: string[] = [];
  let from = 0;
  for (; at !== -1; at = text.indexOf(FIELD, at + 1)) {
    ENTRY.lastIndex = at + FIELD.length;
    if (!ENTRY.test(text)) continue;
    const end = endOfArray(text, at + FIELD.length - 3);
    if (end === -1) break;
    kept.push(text.slice(from, at));
    from = end + 1;
    at = end;
  }
  kept.push(text.slice(from));
  return kept.join('');
}

/** The end of the array that begins at `start`; -1 if it has none. */
function endOfArray(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      for (at++; text.charCodeAt(at) !== QUOTE; at++) {
        if (text.charCodeAt(at) === BACKSLASH) at++;
        if (at >= text.length) return -1;
      }
    } else if (character === OPEN) depth++;
    else if (character === CLOSE && --depth === 0) return at;
  }
  return -1;
}

/** `cutManagedFields` for a parsed object; changes it and returns it. */
export function withoutManagedFields(object: KubernetesObject): KubernetesObject {
  const metadata = object.metadata as KubernetesObject['metadata'] & { managedFields?: unknown };
  if (metadata.managedFields === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  object.metadata = rest;
  return object;
}
