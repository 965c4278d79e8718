import { deepEqual } from './deepEqual.ts';
import { type JsonObject, isObject, memberOf, setMember } from './json.ts';

/**
 * The JSON merge patch (RFC 7386) that turns one JSON value into another: objects are patched member by member, null
 * removes a member, lists are replaced whole. Undefined if nothing differs. A merge patch cannot express members that
 * are null in `after`: it removes them.
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

interface Manifest extends JsonObject {
  metadata?: JsonObject & { annotations?: Record<string, string> };
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The result of `kubectl apply` on an existing object: the manifest's fields, and existing fields that the last applied
 * manifest lacked. If that manifest is unknown, all metadata and the status are kept, and everything else comes from
 * the manifest. Lists are replaced.
 */
export function applyManifest<Existing extends object>(existing: Existing, manifest: object): Existing {
  const current = existing as Manifest;
  const last = lastApplied(current);
  if (last) return merged(last, manifest as JsonObject, current) as Existing;
  const { metadata, ...fields } = manifest as Manifest;
  const status = 'status' in current ? { status: current.status } : {};
  return { ...fields, ...status, metadata: merged({}, metadata ?? {}, current.metadata ?? {}) } as Existing;
}

function lastApplied({ metadata }: Manifest): JsonObject | undefined {
  const text = metadata?.annotations?.[LAST_APPLIED];
  if (!text) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function merged(last: JsonObject, manifest: JsonObject, current: JsonObject): JsonObject {
  const kept = Object.entries(current).filter(
    ([key]) => Object.hasOwn(manifest, key) || !Object.hasOwn(last, key),
  );
  const applied = Object.entries(manifest).map(([key, value]): [string, unknown] => {
    if (!isObject(value) || !isObject(current[key])) return [key, value];
    return [key, merged(isObject(last[key]) ? last[key] : {}, value, current[key])];
  });
  const members = Object.entries(Object.fromEntries([...kept, ...applied]));
  return Object.fromEntries(members.filter(([key]) => manifest[key] !== null));
}
