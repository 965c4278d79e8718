// Errors of validation as k8s.io/apimachinery/pkg/util/validation/field words them.
import { quote } from './goFormat.ts';
import { encodeText } from './schema/encode.ts';
import { goSyntax } from './schema/goSyntax.ts';
import type { Schema } from './schema/schema.ts';

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

export type FieldErrorType = keyof typeof titles;

/** A field that breaks a rule. */
export interface FieldError {
  type: FieldErrorType;
  /** the path: "spec.placement.clusterAffinities[0]" */
  field: string;
  /** the value found there, if the error names it */
  badValue?: unknown;
  /** the value's type, if it decides how the value is printed */
  schema?: Schema;
  detail: string;
  /** the whole text as Kubernetes prints it */
  message: string;
}

/** A value and the type that decides how it is printed; primitives need none. */
export interface TypedValue {
  schema: Schema;
  value: unknown;
}

/** A value of an API type for an error to name: printed as JSON, unlike plain strings. */
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
  return withValue(
    'FieldValueNotSupported',
    field,
    badValue,
    `supported values: ${supported.map(quote).join(', ')}`,
  );
}

/** A value that is valid, but not here. */
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
  const messages = [...new Set(errors.map(({ message }) => message))];
  return messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`;
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

/** The error as Kubernetes up to v1.33 words it: values of an API type in Go syntax. */
export function inGoSyntax(error: FieldError): FieldError {
  const { type, field, badValue, schema, detail } = error;
  if (!schema) return error;
  const value = goSyntax(schema, badValue);
  return { ...error, message: withDetail(`${field}: ${titles[type]}: ${value}`, detail) };
}

function withoutValue(type: FieldErrorType, field: string, detail: string): FieldError {
  return { type, field, detail, message: withDetail(`${field}: ${titles[type]}`, detail) };
}

const withDetail = (text: string, detail: string) => (detail === '' ? text : `${text}: ${detail}`);

const isTyped = (badValue: BadValue): badValue is TypedValue =>
  typeof badValue === 'object' && badValue !== null;

function printed(badValue: BadValue): string {
  if (isTyped(badValue)) return encodeText(badValue.schema, badValue.value);
  return typeof badValue === 'string' ? quote(badValue) : String(badValue);
}
