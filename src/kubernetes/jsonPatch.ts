import { deepEqual } from './deepEqual.ts';
import { isObject, memberOf, setMember, type JsonObject } from './json.ts';

/** An operation of a JSON Patch (RFC 6902); we do not use the others. */
export type PatchOperation =
  { op: 'add' | 'replace'; path: string; value: unknown } | { op: 'remove'; path: string };

/**
 * The JSON Patch (RFC 6902) that turns one JSON value into another, empty if nothing differs. Common beginnings and
 * ends of lists are kept; the items between are changed one by one if both sides have equally many, and otherwise
 * replaced.
 */
export function createJsonPatch(before: unknown, after: unknown): PatchOperation[] {
  const patch: PatchOperation[] = [];
  compare(before, after, '', patch);
  return patch;
}

function compare(before: unknown, after: unknown, path: string, patch: PatchOperation[]): void {
  if (deepEqual(before, after)) return;
  if (isObject(before) && isObject(after)) compareMembers(before, after, path, patch);
  else if (Array.isArray(before) && Array.isArray(after)) compareItems(before, after, path, patch);
  else patch.push({ op: 'replace', path, value: after });
}

function compareMembers(before: JsonObject, after: JsonObject, path: string, patch: PatchOperation[]): void {
  for (const name of Object.keys(before))
    if (before[name] !== undefined && memberOf(after, name) === undefined)
      patch.push({ op: 'remove', path: `${path}/${escaped(name)}` });
  for (const [name, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const known = memberOf(before, name);
    if (known === undefined) patch.push({ op: 'add', path: `${path}/${escaped(name)}`, value });
    else compare(known, value, `${path}/${escaped(name)}`, patch);
  }
}

function compareItems(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  patch: PatchOperation[],
): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && deepEqual(before[start], after[start])) start++;
  let same = 0;
  while (same < shorter - start && deepEqual(before.at(-1 - same), after.at(-1 - same))) same++;
  const [had, has] = [before.length - start - same, after.length - start - same];
  const both = Math.min(had, has);
  for (let at = start; at < start + both; at++) compare(before[at], after[at], `${path}/${at}`, patch);
  for (let at = start + had - 1; at >= start + both; at--)
    patch.push({ op: 'remove', path: `${path}/${at}` });
  for (let at = start + both; at < start + has; at++)
    patch.push({ op: 'add', path: `${path}/${at}`, value: after[at] });
}

/**
 * Applies a JSON Patch to a value and returns the result. The original is unchanged; the result shares what the patch
 * does not touch. Throws a PatchError for an operation that does not fit.
 */
export function applyJsonPatch(target: unknown, patch: readonly PatchOperation[]): unknown {
  let value = target;
  for (const [index, operation] of patch.entries()) {
    const [first, ...steps] = operation.path.split('/').map(unescaped);
    if (first !== '') throw new PatchError(index, `its path ${operation.path} does not begin with /`);
    value = changed(value, steps, operation, index);
  }
  return value;
}

/** A patch with an operation that does not fit its target. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
  /** index of the operation, from 0 */
  readonly index: number;

  constructor(index: number, message: string) {
    super(message);
    this.index = index;
  }
}

function changed(
  value: unknown,
  [step, ...rest]: readonly string[],
  operation: PatchOperation,
  index: number,
): unknown {
  const refuse = (why: string) => new PatchError(index, `there is ${why} at ${operation.path}`);
  if (step === undefined) {
    if (operation.op === 'remove') throw refuse('nothing that may be removed');
    return operation.value;
  }
  const isLast = rest.length === 0;
  if (Array.isArray(value)) {
    const at = step === '-' ? value.length : /^(?:0|[1-9]\d{0,8})$/.test(step) ? Number(step) : NaN;
    const exists = at < value.length;
    if (!exists && !(isLast && operation.op === 'add' && at === value.length)) throw refuse('no such item');
    if (isLast && operation.op === 'add') return value.toSpliced(at, 0, operation.value);
    if (isLast && operation.op === 'remove') return value.toSpliced(at, 1);
    return value.with(at, changed(value[at], rest, operation, index));
  }
  if (!isObject(value)) throw refuse('no object or list');
  const known = memberOf(value, step);
  if (known === undefined && !(isLast && operation.op === 'add')) throw refuse('no such field');
  if (isLast && operation.op === 'remove')
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== step));
  const copy: JsonObject = { ...value };
  setMember(copy, step, changed(known, rest, operation, index));
  return copy;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
