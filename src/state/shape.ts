import type { Shape, Shaped } from '../karmada/shape.ts';
import { isObject } from '../kubernetes/json.ts';
import { instant } from '../kubernetes/time.ts';
import { isQuantity, show } from './schema/check.ts';

/** The path of the first wrong field, and why; undefined if there is none. */
export function problemIn(value: unknown, wanted: Shape, path: string): string | undefined {
  if (wanted === 'any') return undefined;
  if (typeof wanted === 'string')
    return isOf(wanted, value)
      ? undefined
      : `${path}: ${shown(value)} is not ${wanted.startsWith('RFC') ? 'an' : 'a'} ${wanted}`;
  if ('oneOf' in wanted)
    return typeof value === 'string' && wanted.oneOf.includes(value)
      ? undefined
      : `${path}: ${shown(value)} is not one of ${wanted.oneOf.join(', ')}`;
  if ('orNull' in wanted) return value === null ? undefined : problemIn(value, wanted.orNull, path);
  if ('list' in wanted || 'tuple' in wanted) {
    if (!Array.isArray(value)) return `${path}: ${shown(value)} is not a list`;
    if ('list' in wanted)
      return firstProblem(value.entries(), ([at, item]) => problemIn(item, wanted.list, `${path}[${at}]`));
    return firstProblem(wanted.tuple.entries(), ([at, item]) => problemIn(value[at], item, `${path}[${at}]`));
  }
  if (!isObject(value)) return `${path}: ${shown(value)} is not an object`;
  if ('record' in wanted)
    return firstProblem(Object.entries(value), ([key, item]) =>
      problemIn(item, wanted.record, `${path}[${JSON.stringify(key)}]`),
    );
  if ('types' in wanted) {
    const type = problemIn(value.type, { oneOf: Object.keys(wanted.types) }, `${path}.type`);
    return type ?? problemIn(value, wanted.types[value.type as string]!, path);
  }
  return firstProblem(Object.entries(wanted.fields), ([name, field]) =>
    value[name] === undefined && wanted.optional?.includes(name)
      ? undefined
      : problemIn(value[name], field, `${path}.${name}`),
  );
}

/** A value of this shape, or the problem of the first wrong field. */
export function shapedAs<S extends Shape>(
  value: unknown,
  wanted: S,
  path: string,
): { value: Shaped<S> } | { problem: string } {
  const problem = problemIn(value, wanted, path);
  return problem === undefined ? { value: value as Shaped<S> } : { problem };
}

const YEAR_2200 = Date.UTC(2200);

/** Whether an instant (epoch milliseconds) is plausible for a control plane: between 1970 and 2200. */
export function isPresentable(time: number): boolean {
  return time >= 0 && time < YEAR_2200;
}

function isOf(wanted: Exclude<Extract<Shape, string>, 'any'>, value: unknown): boolean {
  switch (wanted) {
    case 'string':
    case 'boolean':
      return typeof value === wanted;
    case 'scalar':
      return ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
    case 'number':
      return Number.isFinite(value);
    case 'count':
      return Number.isSafeInteger(value) && Number(value) >= 0;
    case 'duration':
    case 'time':
      return typeof value === 'number' && isPresentable(value);
    case 'RFC 3339 time':
      return typeof value === 'string' && !Number.isNaN(instant(value));
    case 'quantity':
      // no request and no remaining capacity is negative
      return isQuantity(value) && !String(value).startsWith('-');
  }
}

/** A value for messages, cut off if it is long. */
function shown(value: unknown): string {
  return value === undefined ? 'nothing' : show(value);
}

/** The problem of the first item with one. */
export function firstProblem<T, P>(items: Iterable<T>, problem: (item: T) => P | undefined): P | undefined {
  for (const item of items) {
    const found = problem(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
