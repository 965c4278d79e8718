import { marshal } from '../goJson.ts';
import { compareUtf8 } from '../utf8.ts';
import type { Schema, StructSchema } from './schema.ts';

/**
 * A decoded value as Go's json.Marshal writes it: fields in the order of the struct, empty ones omitted if the type
 * says so (omitempty), members of maps sorted, HTML-safe.
 */
export function encodeText(schema: Schema, value: unknown): string {
  switch (schema.kind) {
    case 'pointer':
      return value === undefined ? 'null' : encodeText(schema.to, value);
    case 'string':
      return marshal(value ?? '');
    case 'boolean':
      return marshal(value ?? false);
    case 'integer':
      return integerText((value as number | undefined) ?? 0);
    case 'list':
      if (value === undefined) return 'null';
      return `[${(value as unknown[]).map((item) => encodeText(schema.items, item)).join(',')}]`;
    case 'map':
      return value === undefined ? 'null' : mapText(schema.values, value as Record<string, unknown>);
    case 'struct':
      return structText(schema, (value ?? {}) as Record<string, unknown>);
    case 'quantity':
      return marshal(value ?? '0');
    case 'time':
    case 'raw':
      return value === undefined ? 'null' : compact(value);
  }
}

/** The result of `encodeText` as data. */
export function encode(schema: StructSchema, value: unknown): Record<string, unknown> {
  return JSON.parse(encodeText(schema, value)) as Record<string, unknown>;
}

function structText({ fields }: StructSchema, value: Record<string, unknown>): string {
  const members = Object.entries(fields)
    .filter(([name, field]) => field.required || !isOmitted(field.schema, value[name]))
    .map(([name, field]) => `${marshal(name)}:${encodeText(field.schema, value[name])}`);
  return `{${members.join(',')}}`;
}

function mapText(values: Schema, value: Record<string, unknown>): string {
  const members = Object.entries(value)
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([name, item]) => `${marshal(name)}:${encodeText(values, item)}`);
  return `{${members.join(',')}}`;
}

/** Go's omitempty: a struct is never empty, whatever it holds. */
function isOmitted(schema: Schema, value: unknown): boolean {
  switch (schema.kind) {
    case 'pointer':
      return value === undefined;
    case 'struct':
    case 'quantity':
      return false;
    case 'list':
      return value === undefined || (value as unknown[]).length === 0;
    case 'map':
      return value === undefined || Object.keys(value as object).length === 0;
    case 'raw':
      // apiextensions' JSON is a struct
      return !schema.any && value === undefined;
    default:
      return value === undefined || value === '' || value === 0 || value === false;
  }
}

const LARGEST_INT64 = 2n ** 63n - 1n;

/** An integer with all digits, however large. */
export function integerText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const exact = BigInt(value);
  // in JavaScript the largest int64 equals 2^63; the former is common, the latter unlikely
  return String(exact === LARGEST_INT64 + 1n ? LARGEST_INT64 : exact);
}

function compact(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
