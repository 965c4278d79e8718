import { deepEqual } from './deepEqual.ts';
import { isObject, memberOf, setMember, type JsonObject } from './json.ts';

/**
 * The JSON merge patch (RFC 7386) that turns one JSON value into another: objects are patched member by member, null
 * removes a member, lists are replaced whole. Undefined if nothing differs. A merge patch cannot express members that
 * are null in `after`: they are removed.
 */
export function createMergePatch(before: unknown, after: unknown): unknown {
  if (deepEqual(before, after)) return undefined;
  if (!isObject(before) || !isObject(after)) return after;
  const patch: JsonObject = {};
  for (const key of Object.keys(before))
    if (memberOf(after, key) === undefined && before[key] !== undefined) setMember(patch, key, null);
  for (const [key, value] of Object.entries(after)) {
    const change = createMergePatch(memberOf(before, key), value);
    if (change !== undefined) setMember(patch, key, change);
  }
  return patch;
}

/** Applies a JSON merge patch (RFC 7386): objects merge, null removes, everything else replaces. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const base = isObject(target) ? target : {};
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, applyMergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
