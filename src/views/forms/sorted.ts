import { parseRelaxedJsonPath, selectJsonPath } from '../../kubernetes/jsonpath/jsonpath.ts';
import { parseQuantity } from '../../kubernetes/parseQuantity.ts';
import { compareQuantities, InvalidQuantity, type Quantity } from '../../kubernetes/quantity.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';

class Unsortable extends Error {}

/**
 * The positions of items, sorted by a field with kubectl's rules: items without the field first, then null values; numbers by value,
 * quantities ("500m", "2Gi", "10") as quantities, other strings by bytes. Equal items keep their order. The items are as returned by
 * `asKubectlValue`.
 */
export function sortedPositions(
  items: readonly unknown[],
  field: string,
): { positions: number[] } | { error: string } {
  const parsed = parseRelaxedJsonPath(field);
  if ('error' in parsed) return { error: `"${field}": ${parsed.error}` };
  const values: unknown[] = [];
  for (const item of items) {
    const selected = selectJsonPath(parsed.template, item);
    if ('error' in selected) return { error: `"${field}": ${selected.error}` };
    values.push(selected.values[0]);
  }
  if (items.length > 0 && values.every((value) => value === undefined))
    return { error: `"${field}": no item has this field; -o json shows the fields` };
  const positions = values.map((_, index) => index);
  try {
    return { positions: positions.sort((a, b) => compareValues(values[a], values[b])) };
  } catch (error) {
    if (error instanceof Unsortable) return { error: `"${field}" cannot be sorted by: ${error.message}` };
    throw error;
  }
}

function compareValues(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  const [first, second] = [typeText(a), typeText(b)];
  throw new Unsortable(
    first === second ? `it is ${first}` : `it is ${first} in one place and ${second} in another`,
  );
}

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

function typeText(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isNumber(value)) return 'a number';
  return { string: 'a text', boolean: 'true or false' }[typeof value as string] ?? 'an object';
}

function compareTexts(a: string, b: string): number {
  const [first, second] = [quantity(a), quantity(b)];
  return first && second ? compareQuantities(first, second) : compareUtf8(a, b);
}

function quantity(text: string): Quantity | undefined {
  try {
    return parseQuantity(text);
  } catch (error) {
    if (error instanceof InvalidQuantity) return undefined;
    throw error;
  }
}
