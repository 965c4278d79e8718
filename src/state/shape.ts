import { isObject } from '../kubernetes/json.ts';
import { parseQuantity } from '../kubernetes/parseQuantity.ts';
import { InvalidQuantity } from '../kubernetes/quantity.ts';

/** What a field of a saved file has to be. */
export type Shape =
  | 'number'
  | 'string'
  | 'boolean'
  /** of Kubernetes: "500m" */
  | 'quantity'
  | 'any'
  | { list: Shape }
  | { record: Shape }
  | { fields: Record<string, Shape>; optional?: readonly string[] };

/** The first field that is not as it has to be, by its path, and why; undefined if all are. */
export function problemIn(value: unknown, wanted: Shape, path: string): string | undefined {
  if (wanted === 'any') return undefined;
  if (wanted === 'quantity')
    return isQuantity(value) ? undefined : `${path}: ${JSON.stringify(value) ?? 'nothing'} is no quantity`;
  if (typeof wanted === 'string')
    return typeof value === wanted && !(wanted === 'number' && !Number.isFinite(value))
      ? undefined
      : `${path}: ${JSON.stringify(value) ?? 'nothing'} is no ${wanted}`;
  if ('list' in wanted) {
    if (!Array.isArray(value)) return `${path}: is no list`;
    return first(value.entries(), ([at, item]) => problemIn(item, wanted.list, `${path}[${at}]`));
  }
  if (!isObject(value)) return `${path}: is no object`;
  if ('record' in wanted)
    return first(Object.entries(value), ([key, item]) =>
      problemIn(item, wanted.record, `${path}[${JSON.stringify(key)}]`),
    );
  return first(Object.entries(wanted.fields), ([name, field]) =>
    value[name] === undefined && wanted.optional?.includes(name)
      ? undefined
      : problemIn(value[name], field, `${path}.${name}`),
  );
}

function isQuantity(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  try {
    parseQuantity(value);
    return true;
  } catch (error) {
    if (error instanceof InvalidQuantity) return false;
    throw error;
  }
}

function first<T>(items: Iterable<T>, problem: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = problem(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
