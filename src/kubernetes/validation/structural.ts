// The API server's processing of custom resources by their CRD's structural schema, before any webhook.
import { deepEqual } from '../deepEqual.ts';
import {
  invalid,
  notSupported,
  requiredValue,
  tooLong,
  typed,
  typeInvalid,
  type FieldError,
} from '../fieldErrors.ts';
import { goQuote } from '../goFormat.ts';
import { parseGoTime } from '../goTime.ts';
import { isObject, type JsonObject, isList } from '../json.ts';
import { raw, type Constraints, type Schema, type StructSchema } from '../schema/schema.ts';

/** Data without nulls and without fields that the schema lacks, and with the defaults of absent fields. */
export function applyStructuralDefaults(schema: Schema, data: unknown): unknown {
  switch (schema.kind) {
    case 'pointer':
      return applyStructuralDefaults(schema.to, data);
    case 'list':
      if (Array.isArray(data)) return data.map((item) => applyStructuralDefaults(schema.items, item));
      return withoutFields(data);
    case 'map':
      if (!isObject(data)) return data;
      return Object.fromEntries(
        Object.entries(data)
          .filter(([, value]) => value !== null)
          .map(([name, value]) => [name, applyStructuralDefaults(schema.values, value)]),
      );
    case 'struct':
      return isObject(data) ? defaultFields(schema, data) : data;
    case 'raw':
      return data;
    default:
      return withoutFields(data);
  }
}

/** An object in place of another type loses all its fields, since none is known. */
const withoutFields = (data: unknown) => (isObject(data) ? {} : data);

function defaultFields({ fields }: StructSchema, data: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(data)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field && value !== null) result[name] = applyStructuralDefaults(field.schema, value);
  }
  for (const [name, field] of Object.entries(fields))
    if (field.default !== undefined && result[name] === undefined) result[name] = field.default;
  return result;
}

/**
 * Schema violations of data at `path`, in the API server's words: types, required fields, enumerations, limits and
 * patterns. The API server lists them in no fixed order.
 *
 * @param stored the stored value, if any: one that is deeply equal to it is not checked (CRDValidationRatcheting, on by
 *   default since Kubernetes v1.30)
 */
export function structuralErrors(
  schema: Schema,
  data: unknown,
  path: string,
  stored?: unknown,
  constraints: Constraints = {},
): FieldError[] {
  const errors = errorsOf(schema, data, path, stored, constraints);
  return errors.length > 0 && stored !== undefined && deepEqual(data, stored) ? [] : errors;
}

function errorsOf(
  schema: Schema,
  data: unknown,
  path: string,
  stored: unknown,
  constraints: Constraints,
): FieldError[] {
  switch (schema.kind) {
    case 'pointer':
      return errorsOf(schema.to, data, path, stored, constraints);
    case 'raw':
      return schema.any ? [] : typeErrors('object', data, path);
    case 'boolean':
      return typeErrors('boolean', data, path);
    case 'quantity':
      return quantityErrors(data, path);
    case 'time':
      return orElse(typeErrors('string', data, path), () => timeErrors(data as string, path));
    case 'string':
      if (typeof data === 'string') return textErrors(data, path, constraints);
      return [...typeErrors('string', data, path), ...enumErrors(data, path, constraints)];
    case 'integer':
      return orElse(typeErrors('integer', data, path), () =>
        minimumErrors(data as number, path, constraints),
      );
    case 'list':
      // Items are not compared with stored ones: the lists of Karmada's CRDs are atomic.
      if (!isList(data)) return typeErrors('array', data, path);
      return [
        ...minItemsErrors(data, path, constraints),
        ...data.flatMap((item, index) => structuralErrors(schema.items, item, `${path}[${index}]`)),
      ];
    case 'map':
      if (!isObject(data)) return typeErrors('object', data, path);
      return Object.entries(data).flatMap(([name, value]) =>
        structuralErrors(schema.values, value, `${path}.${name}`, memberOf(stored, name)),
      );
    case 'struct':
      return isObject(data) ? fieldErrors(schema, data, path, stored) : typeErrors('object', data, path);
  }
}

const memberOf = (stored: unknown, name: string) => (isObject(stored) ? stored[name] : undefined);

function fieldErrors(
  { fields }: StructSchema,
  data: JsonObject,
  path: string,
  stored: unknown,
): FieldError[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const fieldPath = path === '' ? name : `${path}.${name}`;
    if (data[name] === undefined) return field.required ? [requiredValue(fieldPath)] : [];
    return structuralErrors(field.schema, data[name], fieldPath, memberOf(stored, name), field);
  });
}

const orElse = (errors: FieldError[], next: () => FieldError[]) => (errors.length > 0 ? errors : next());

function jsonType(data: unknown): string {
  if (data === null) return 'null';
  if (Array.isArray(data)) return 'array';
  if (typeof data === 'number') return fitsInt64(data) ? 'integer' : 'number';
  return typeof data;
}

const fitsInt64 = (value: number) => Number.isInteger(value) && Math.abs(value) <= 2 ** 63;

function typeErrors(expected: string, data: unknown, path: string): FieldError[] {
  const actual = jsonType(data);
  if (actual === expected || (expected === 'integer' && Number.isInteger(data))) return [];
  return [typeInvalid(path, actual, `${path} in body must be of type ${expected}: ${goQuote(actual)}`)];
}

function textErrors(text: string, path: string, constraints: Constraints): FieldError[] {
  const { minLength = 0, maxLength = Infinity, pattern } = constraints;
  return [...lengthOrPatternErrors(), ...enumErrors(text, path, constraints)];

  /** only the first of them */
  function lengthOrPatternErrors(): FieldError[] {
    const length = [...text].length;
    if (length > maxLength) return [tooLong(path, maxLength)];
    if (length < minLength)
      return [invalid(path, text, `${path} in body should be at least ${minLength} chars long`)];
    if (!pattern || pattern.test(text)) return [];
    const source = pattern.source.replaceAll('\\/', '/');
    return [invalid(path, text, `${path} in body should match '${source}'`)];
  }
}

function enumErrors(data: unknown, path: string, { enum: values }: Constraints): FieldError[] {
  if (!values || values.includes(data as string)) return [];
  return [notSupported(path, typeof data === 'object' ? typed(raw, data) : (data as string), values)];
}

function minimumErrors(value: number, path: string, { minimum = -Infinity }: Constraints): FieldError[] {
  if (value >= minimum) return [];
  return [invalid(path, value, `${path} in body should be greater than or equal to ${minimum}`)];
}

function minItemsErrors(
  items: readonly unknown[],
  path: string,
  { minItems = 0 }: Constraints,
): FieldError[] {
  if (items.length >= minItems) return [];
  return [invalid(path, items.length, `${path} in body should have at least ${minItems} items`)];
}

function timeErrors(text: string, path: string): FieldError[] {
  if ('value' in parseGoTime(text)) return [];
  return [typeInvalid(path, text, `${path} in body must be of type date-time: ${goQuote(text)}`)];
}

const QUANTITY =
  /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/;

function quantityErrors(data: unknown, path: string): FieldError[] {
  const type = jsonType(data);
  if (type === 'string') return textErrors(data as string, path, { pattern: QUANTITY });
  if (type === 'integer') return [];
  return [typeInvalid(path, type, `${path} in body must be of type integer,string: ${goQuote(type)}`)];
}
