import { deepEqual } from './deepEqual.ts';
import { isObject, memberOf } from './json.ts';

/**
 * The first field of a change from `before` to `after` that an object does not show; undefined if it shows all of it.
 * Fields that servers omit as empty, or add as defaults or in admission, are ignored. Entries added to a list must be
 * present, and removed ones absent.
 */
export function missingChange(
  before: unknown,
  after: unknown,
  found: unknown,
  path: string = '',
): string | undefined {
  if (deepEqual(before, after)) return undefined;
  if (isList(before) && isList(after)) return listShows(before ?? [], after ?? [], found) ? undefined : path;
  if ((isObject(before) || isEmpty(before)) && (isObject(after) || isEmpty(after))) {
    for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
      const below = path === '' ? name : `${path}.${name}`;
      const missing = missingChange(member(before, name), member(after, name), member(found, name), below);
      if (missing !== undefined) return missing;
    }
    return undefined;
  }
  const shown = isEmpty(after) ? !deepEqual(found, before) : contains(found, after);
  return shown ? undefined : path;
}

function listShows(before: readonly unknown[], after: readonly unknown[], found: unknown): boolean {
  const there = Array.isArray(found) ? (found as unknown[]) : [];
  const added = after.filter((one) => !before.some((old) => deepEqual(old, one)));
  const removed = before.filter((one) => !after.some((now) => deepEqual(now, one)));
  return (
    added.every((one) => there.some((now) => contains(now, one))) &&
    !removed.some((one) => there.some((now) => deepEqual(now, one)))
  );
}

/** Whether a value contains the expected one; fields that Go omits as empty may be absent. */
function contains(found: unknown, wanted: unknown): boolean {
  if (isEmpty(wanted) || (isEmpty(found) && GO_EMPTY.has(wanted))) return true;
  if (isObject(wanted))
    return Object.entries(wanted).every(([name, value]) => contains(member(found, name), value));
  if (!Array.isArray(wanted)) return found === wanted;
  return (
    Array.isArray(found) &&
    found.length === wanted.length &&
    wanted.every((one, at) => contains(found[at], one))
  );
}

const GO_EMPTY: ReadonlySet<unknown> = new Set(['', 0, false]);

function member(value: unknown, name: string): unknown {
  return isObject(value) ? memberOf(value, name) : undefined;
}

function isList(value: unknown): value is readonly unknown[] | undefined {
  return value === undefined || Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
