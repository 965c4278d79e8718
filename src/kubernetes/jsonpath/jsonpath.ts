import { marshal, marshalIndented } from '../goJson.ts';
import { decodeRawBytes } from '../utf8.ts';
import { evaluate, type MissingMembers } from './evaluate.ts';
import { parseTemplate, TemplateError, type ListNode } from './template.ts';
import { formatValue, isMap } from './values.ts';

type Rendered = { text: string } | { error: string };

/** Parses a Kubernetes JSONPath template; the error is client-go's. */
export function parseJsonPath(template: string): { template: ListNode } | { error: string } {
  try {
    return { template: parseTemplate(template) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}

/**
 * Renders JSON data as client-go does when missing keys are errors. Visits members of objects sorted by name; Go has no
 * fixed order.
 */
export function renderJsonPath(template: ListNode, data: unknown): Rendered {
  return rendered(template, data, 'are-errors', (values) => values.map(printed).join(' '));
}

/**
 * Renders an object as kubectl's -o jsonpath does: missing keys print nothing. `asJson` is jsonpath-as-json: an array
 * per piece of the template. The object must be a result of `asKubectlValue`.
 */
export function renderAsKubectl(template: ListNode, object: unknown, asJson: boolean): Rendered {
  const print = (values: unknown[]) =>
    asJson ? `${marshalIndented(values)}\n` : values.map(printed).join(' ');
  return rendered(template, object, 'are-empty', print);
}

/**
 * All values that an expression such as "{.a[*].b}" selects in an object; missing keys select nothing. The object must
 * be a result of `asKubectlValue`.
 */
export function selectJsonPath(
  expression: ListNode,
  object: unknown,
): { values: unknown[] } | { error: string } {
  const evaluated = evaluate(expression, object, 'are-empty');
  if ('error' in evaluated) return { error: decodeRawBytes(evaluated.error) };
  return { values: evaluated.results.flat() };
}

/** A selected value as Go's fmt prints it. */
export function valueText(value: unknown): string {
  return decodeRawBytes(formatValue(value));
}

const RELAXED = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/;

/**
 * Parses an expression of --sort-by or custom-columns: "metadata.name", with a leading dot, in braces, or both. The
 * empty one selects nothing.
 */
export function parseRelaxedJsonPath(text: string): { template: ListNode } | { error: string } {
  if (text === '') return parseJsonPath('');
  const [, braced, bare] = RELAXED.exec(text) ?? [];
  const path = braced ?? bare;
  if (path === undefined) return { error: 'is not a path such as .name1.name2 or {.name1.name2}' };
  return parseJsonPath(`{.${path}}`);
}

/**
 * One of our documents as kubectl represents parsed JSON: whole numbers are integers (bigint), all others float64;
 * members that JSON omits are missing.
 */
export function asKubectlValue(value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 1e21 ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item) => asKubectlValue(item ?? null));
  if (value === null || typeof value !== 'object') return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return asKubectlValue(value.toJSON());
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, asKubectlValue(member)]));
}

function rendered(
  template: ListNode,
  data: unknown,
  missing: MissingMembers,
  print: (values: unknown[]) => string,
): Rendered {
  const evaluated = evaluate(template, data, missing);
  if ('error' in evaluated) return { error: decodeRawBytes(evaluated.error) };
  return { text: decodeRawBytes(evaluated.results.map(print).join('')) };
}

// Objects and arrays print as JSON, scalars as with Go's fmt.
function printed(value: unknown): string {
  if (value === undefined) return '<no value>';
  if (value === null) return 'null';
  return Array.isArray(value) || isMap(value) ? marshal(value) : formatValue(value);
}
