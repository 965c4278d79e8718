import { goQuote } from './goFormat.ts';
import { REDACTED } from './redaction/redacted.ts';
import { redactedData } from './redaction/redactedData.ts';
import { encodeText, integerText } from './schema/encode.ts';
import { type Field, type Schema, type StructSchema, goTypeName } from './schema/schema.ts';
import { compareUtf8 } from './utf8.ts';

// Validation errors as k8s.io/apimachinery/pkg/util/validation/field words them.
const titles = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTypeInvalid: 'Invalid value',
};

type FieldErrorType = keyof typeof titles;

/** A field that breaks a rule. */
export interface FieldError {
  type: FieldErrorType;
  /** the path: "spec.placement.clusterAffinities[0]" */
  field: string;
  /** the field's value, if the error names it */
  badValue?: unknown;
  /** the value's type, if printing depends on it */
  schema?: Schema;
  detail: string;
  /** the supported values, if it is none of them */
  supported?: readonly string[];
  /** the complete text as Kubernetes prints it */
  message: string;
}

/** A value with the type that printing depends on; primitives need none. */
interface TypedValue {
  schema: Schema;
  value: unknown;
}

/** A value of an API type to be named in an error: printed as JSON, unlike plain strings. */
export const typed = <T>(schema: Schema<T>, value: T | undefined): TypedValue => ({ schema, value });

type BadValue = string | number | boolean | null | TypedValue;

/** A malformed value. */
export function invalid(field: string, badValue: BadValue, detail: string): FieldError {
  return withValue('FieldValueInvalid', field, badValue, detail);
}

/** A value of the wrong JSON type. */
export function typeInvalid(field: string, badValue: BadValue, detail: string): FieldError {
  return withValue('FieldValueTypeInvalid', field, badValue, detail);
}

/** A value that must be unique and is not. */
export function duplicate(field: string, badValue: BadValue, detail = ''): FieldError {
  return withValue('FieldValueDuplicate', field, badValue, detail);
}

/** A value outside an enumeration. */
export function notSupported(field: string, badValue: BadValue, supported: readonly string[]): FieldError {
  const detail = `supported values: ${supported.map(goQuote).join(', ')}`;
  return { ...withValue('FieldValueNotSupported', field, badValue, detail), supported };
}

/** A value that is valid in general, but not here. */
export function forbidden(field: string, detail: string): FieldError {
  return withoutValue('FieldValueForbidden', field, detail);
}

/** A value that is missing. */
export function requiredValue(field: string, detail = ''): FieldError {
  return withoutValue('FieldValueRequired', field, detail);
}

/** A text with too many bytes. */
export function tooLong(field: string, maxLength: number): FieldError {
  const unit = maxLength === 1 ? 'byte' : 'bytes';
  return withoutValue('FieldValueTooLong', field, `may not be more than ${maxLength} ${unit}`);
}

/** The errors as one text: each once, in brackets if there are several (ErrorList.ToAggregate). */
export function aggregateMessage(errors: readonly FieldError[]): string {
  const messages = new Set(errors.map(({ message }) => message));
  const text = [...messages].join(', ');
  return messages.size === 1 ? text : `[${text}]`;
}

function withValue(type: FieldErrorType, field: string, badValue: BadValue, detail: string): FieldError {
  const value = isTyped(badValue) ? badValue.value : badValue;
  const message = withDetail(`${field}: ${titles[type]}: ${printed(badValue)}`, detail);
  return {
    type,
    field,
    badValue: value,
    ...(isTyped(badValue) ? { schema: badValue.schema } : {}),
    detail,
    message,
  };
}

/** The error in the wording of Kubernetes up to v1.33: values of an API type in Go syntax. */
export function inGoSyntax(error: FieldError): FieldError {
  const { type, field, badValue, schema, detail } = error;
  if (!schema) return error;
  const value = goSyntax(schema, badValue);
  return { ...error, message: withDetail(`${field}: ${titles[type]}: ${value}`, detail) };
}

/**
 * The error with the secrets in its value redacted, in its own syntax. A bare JSON value is redacted completely:
 * nothing says what it is.
 */
export function withoutSecrets(error: FieldError): FieldError {
  const { type, field, badValue, schema, detail, message } = error;
  if (!schema || badValue === undefined) return error;
  const value = schema.kind === 'raw' ? REDACTED : redactedData(badValue);
  const shown = withValue(type, field, typed(schema, value), detail);
  return message === inGoSyntax(error).message ? inGoSyntax(shown) : shown;
}

function withoutValue(type: FieldErrorType, field: string, detail: string): FieldError {
  return { type, field, detail, message: withDetail(`${field}: ${titles[type]}`, detail) };
}

const withDetail = (text: string, detail: string) => (detail === '' ? text : `${text}: ${detail}`);

const isTyped = (badValue: BadValue): badValue is TypedValue =>
  typeof badValue === 'object' && badValue !== null;

function printed(badValue: BadValue): string {
  if (isTyped(badValue)) return encodeText(badValue.schema, badValue.value);
  return typeof badValue === 'string' ? goQuote(badValue) : String(badValue);
}

/** Replaces a pointer's address, which Go prints and which differs each time. */
const SOMEWHERE = '0xc000000000';

/**
 * A decoded value as an error of Kubernetes up to v1.33 prints it: the value itself in Go syntax (`%#v`), inner
 * pointers as addresses, and a nil pointer as "null".
 */
function goSyntax(schema: Schema, value: unknown): string {
  if (schema.kind !== 'pointer') return syntax(schema, value);
  return value === undefined ? goQuote('null') : syntax(schema.to, value);
}

function syntax(schema: Schema, value: unknown): string {
  switch (schema.kind) {
    case 'pointer':
      // Times have their own format, even behind a pointer; a nil pointer has none.
      if (schema.to.kind === 'time') return value === undefined ? '<nil>' : syntax(schema.to, value);
      return `(${goTypeName(schema)})(${value === undefined ? 'nil' : SOMEWHERE})`;
    case 'string':
      return goQuote((value as string | undefined) ?? '');
    case 'boolean':
      return String(value ?? false);
    case 'integer':
      return integerText((value as number | undefined) ?? 0);
    case 'list': {
      if (value === undefined) return `${goTypeName(schema)}(nil)`;
      const items = (value as unknown[]).map((item) => syntax(schema.items, item));
      return `${goTypeName(schema)}{${items.join(', ')}}`;
    }
    case 'map': {
      if (value === undefined) return `${goTypeName(schema)}(nil)`;
      const members = Object.entries(value as object)
        .sort(([a], [b]) => compareUtf8(a, b))
        .map(([name, item]) => `${goQuote(name)}:${syntax(schema.values, item)}`);
      return `${goTypeName(schema)}{${members.join(', ')}}`;
    }
    case 'struct':
      return structSyntax(schema, (value ?? {}) as Record<string, unknown>);
    case 'raw':
      return schema.any ? jsonSyntax(value) : encodeText(schema, value);
    // no error of a webhook names one of these
    case 'quantity':
    case 'time':
      return encodeText(schema, value);
  }
}

/** apiextensions' JSON is the raw bytes of its text. */
function jsonSyntax(value: unknown): string {
  if (value === undefined) return 'v1.JSON{Raw:[]uint8(nil)}';
  const bytes = [...new TextEncoder().encode(encodeText({ kind: 'raw', any: true }, value))];
  return `v1.JSON{Raw:[]uint8{${bytes.map((byte) => `0x${byte.toString(16)}`).join(', ')}}}`;
}

function structSyntax({ goType, fields }: StructSchema, value: Record<string, unknown>): string {
  const own = Object.entries(fields);
  const embeddings = new Set<string>();
  const members = own.flatMap(([name, field]) => {
    const { embedded, embeddedType = '' } = field;
    if (embedded === undefined) return [`${goNameOf(name, field)}:${syntax(field.schema, value[name])}`];
    if (embeddings.has(embedded)) return [];
    embeddings.add(embedded);
    const inner = own.flatMap(([key, { embedded: into, embeddedType: _, ...rest }]) =>
      into === embedded ? [[key, rest] as const] : [],
    );
    const schema: StructSchema = { kind: 'struct', goType: embeddedType, fields: Object.fromEntries(inner) };
    return [`${embedded}:${structSyntax(schema, value)}`];
  });
  return `${goType}{${members.join(', ')}}`;
}

function goNameOf(name: string, { goName }: Field): string {
  return goName ?? name.slice(0, 1).toUpperCase() + name.slice(1);
}
