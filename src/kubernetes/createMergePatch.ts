import { deepEqual } from './deepEqual.ts';

/**
 * The JSON merge patch (RFC 7386) that turns one JSON value into another: objects are patched member by member,
 * null removes a member, lists are replaced whole. Undefined where nothing differs. Members that are null in
 * `after` cannot be expressed and are removed.
 */
export function createMergePatch(before: unknown, after: unknown): unknown {
  if (deepEqual(before, after)) return undefined;
  if (!isObject(before) || !isObject(after)) return after;
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(before))
    if (after[key] === undefined && before[key] !== undefined) patch[key] = null;
  for (const [key, value] of Object.entries(after)) {
    const change = createMergePatch(before[key], value);
    if (change !== undefined) patch[key] = change;
  }
  return patch;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
