import { isObject } from '../kubernetes/json.ts';
import { instant } from '../kubernetes/time.ts';
import { show } from './schema/check.ts';
import { isQuantity } from './schema/quantityText.ts';

/** What a field of a saved file has to be. */
export type Shape =
  | 'number'
  | 'string'
  | 'boolean'
  /** a number, a text, true or false */
  | 'scalar'
  /** a whole number that is not negative */
  | 'count'
  /** milliseconds that are not negative, and no centuries */
  | 'duration'
  /** epoch milliseconds between 1970 and 2200 */
  | 'time'
  | 'RFC 3339 time'
  /** of Kubernetes: "500m" */
  | 'quantity'
  | 'any'
  | { oneOf: readonly string[] }
  | { orNull: Shape }
  | { list: Shape }
  | { tuple: readonly Shape[] }
  | { record: Shape }
  /** what else it has to be follows from its field `type` */
  | { types: Record<string, Shape> }
  | { fields: Record<string, Shape>; optional?: readonly string[] };

/** The first field that is not as it has to be, by its path, and why; undefined if all are. */
export function problemIn(value: unknown, wanted: Shape, path: string): string | undefined {
  if (wanted === 'any') return undefined;
  if (typeof wanted === 'string')
    return isOf(wanted, value) ? undefined : `${path}: ${shown(value)} is no ${wanted}`;
  if ('oneOf' in wanted)
    return typeof value === 'string' && wanted.oneOf.includes(value)
      ? undefined
      : `${path}: ${shown(value)} is none of ${wanted.oneOf.join(', ')}`;
  if ('orNull' in wanted) return value === null ? undefined : problemIn(value, wanted.orNull, path);
  if ('list' in wanted || 'tuple' in wanted) {
    if (!Array.isArray(value)) return `${path}: ${shown(value)} is no list`;
    if ('list' in wanted)
      return first(value.entries(), ([at, item]) => problemIn(item, wanted.list, `${path}[${at}]`));
    return first(wanted.tuple.entries(), ([at, item]) => problemIn(value[at], item, `${path}[${at}]`));
  }
  if (!isObject(value)) return `${path}: ${shown(value)} is no object`;
  if ('record' in wanted)
    return first(Object.entries(value), ([key, item]) =>
      problemIn(item, wanted.record, `${path}[${JSON.stringify(key)}]`),
    );
  if ('types' in wanted) {
    const type = problemIn(value.type, { oneOf: Object.keys(wanted.types) }, `${path}.type`);
    return type ?? problemIn(value, wanted.types[value.type as string]!, path);
  }
  return first(Object.entries(wanted.fields), ([name, field]) =>
    value[name] === undefined && wanted.optional?.includes(name)
      ? undefined
      : problemIn(value[name], field, `${path}.${name}`),
  );
}

const YEAR_2200 = Date.UTC(2200);

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
      return Number.isSafeInteger(value) && (value as number) >= 0;
    case 'duration':
    case 'time':
      return Number.isFinite(value) && (value as number) >= 0 && (value as number) < YEAR_2200;
    case 'RFC 3339 time':
      return typeof value === 'string' && !Number.isNaN(instant(value));
    case 'quantity':
      // what is used, or free, is not negative
      return isQuantity(value) && !String(value).startsWith('-');
  }
}

/** In a message, cut off if it is long. */
function shown(value: unknown): string {
  return value === undefined ? 'nothing' : show(value);
}

/** The first problem that any of the items has. */
export function first<T, P>(items: Iterable<T>, problem: (item: T) => P | undefined): P | undefined {
  for (const item of items) {
    const found = problem(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
