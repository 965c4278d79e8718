import { marshal, wellFormed } from '../goJson.ts';
import { GO_ZERO_TIME, parseGoTime } from '../goTime.ts';
import { type JsonObject, isObject } from '../json.ts';
import { parseQuantity } from '../parseQuantity.ts';
import { InvalidQuantity, formatQuantity } from '../quantity.ts';
import { rfc3339 } from '../time.ts';
import { integerText } from './encode.ts';
import type { Path } from '../fieldPath.ts';
import { type Fields, type ListSchema, type Schema, type StructSchema, goTypeName } from './schema.ts';

interface DecodeOptions {
  /** encoding/json ignores the case of field names; the API's own decoder does not */
  anyCase?: boolean;
}

/**
 * Decodes JSON data as the API's decoder does into a Go struct: drops nulls and fields that the type lacks, normalizes
 * times and quantities, keeps empty lists and objects. Missing fields stay absent, even those that are always set in
 * Go, as empty values. `error` is Go's text for data of another type, with the place ("json: cannot unmarshal string
 * into Go struct field PropagationSpec.spec.priority of type int32"); `steps` is its path in the data.
 */
export function decode<T>(
  schema: StructSchema<T> | ListSchema<T>,
  data: unknown,
  options: DecodeOptions = {},
): { value: T } | { error: string; steps: Path } {
  const decoder = new Decoder(options);
  try {
    const value = decoder.value(schema, data, { struct: '', path: [], steps: [] });
    return decoder.firstError ?? { value: value as T };
  } catch (error) {
    // an error from a type's own UnmarshalJSON ends the decoding and hides milder errors
    if (error instanceof Aborted) return { error: error.message, steps: error.steps };
    throw error;
  }
}

class Aborted extends Error {
  readonly steps: Path;

  constructor(message: string, steps: Path) {
    super(message);
    this.steps = steps;
  }
}

/** The innermost Go struct around a value, and the path to the value from the root. */
interface Place {
  struct: string;
  /** as Go prints it, without list positions */
  path: string[];
  /** as in the data */
  steps: (string | number)[];
}

class Decoder {
  firstError: { error: string; steps: Path } | undefined;
  readonly #anyCase: boolean;

  constructor({ anyCase = false }: DecodeOptions) {
    this.#anyCase = anyCase;
  }

  value(schema: Schema, data: unknown, place: Place): unknown {
    if (schema.kind === 'pointer') return data === null ? undefined : this.value(schema.to, data, place);
    if (schema.kind === 'raw') return data === null ? undefined : data;
    if (schema.kind === 'time') return decodeTime(data, place);
    if (schema.kind === 'quantity') return decodeQuantity(data, place);
    if (data === null || data === undefined) return undefined;
    switch (schema.kind) {
      case 'string':
        if (typeof data === 'string') return wellFormed(data);
        break;
      case 'boolean':
        if (typeof data === 'boolean') return data;
        break;
      case 'integer':
        if (typeof data !== 'number') break;
        if (isInteger(data, schema.bits)) return data;
        this.#refuse(`number ${numberText(data)}`, schema, place);
        return undefined;
      case 'list':
        if (Array.isArray(data))
          return data.map(
            (item, at) => this.value(schema.items, item, within(place, at)) ?? zeroValue(schema.items),
          );
        break;
      case 'map':
        if (isObject(data))
          return Object.fromEntries(
            Object.entries(data).map(([name, item]) => [
              wellFormed(name) as string,
              this.value(schema.values, item, within(place, name)) ?? zeroValue(schema.values),
            ]),
          );
        break;
      case 'struct':
        if (isObject(data)) return this.#struct(schema, data, place);
        break;
    }
    this.#refuse(jsonType(data), schema, place);
    return undefined;
  }

  #struct(schema: StructSchema, data: Record<string, unknown>, place: Place): Record<string, unknown> {
    const decoded: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(data)) {
      const fieldName = this.#fieldName(schema, name);
      if (fieldName === undefined) continue;
      const field = schema.fields[fieldName]!;
      const value = this.value(field.schema, member, {
        struct: schema.goType.slice(schema.goType.indexOf('.') + 1),
        path: [...place.path, ...(field.embedded === undefined ? [] : [field.embedded]), fieldName],
        steps: [...place.steps, name],
      });
      if (value !== undefined) decoded[fieldName] = value;
    }
    return decoded;
  }

  #fieldName({ fields }: StructSchema, name: string): string | undefined {
    if (Object.hasOwn(fields, name)) return name;
    if (!this.#anyCase) return undefined;
    return Object.keys(fields).find((field) => field.toLowerCase() === name.toLowerCase());
  }

  #refuse(what: string, schema: Schema, place: Place): void {
    this.firstError ??= { error: typeError(what, goTypeName(schema), place), steps: place.steps };
  }
}

function within(place: Place, step: string | number): Place {
  return { ...place, steps: [...place.steps, step] };
}

function typeError(what: string, goType: string, { struct, path }: Place): string {
  const where = path.length > 0 ? `struct field ${struct}.${path.join('.')}` : 'value';
  return `json: cannot unmarshal ${what} into Go ${where} of type ${goType}`;
}

function numberText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? integerText(value) : marshal(value);
}

const MAX_INT64 = 2 ** 63;

/** 2^63 counts as the largest int64; see `integerText`. */
function isInteger(value: number, bits: 32 | 64): boolean {
  if (!Number.isInteger(value)) return false;
  return bits === 32 ? value >= -(2 ** 31) && value < 2 ** 31 : value >= -MAX_INT64 && value <= MAX_INT64;
}

/** The replacement for a null element, or one of the wrong type, in a list or map. */
function zeroValue(schema: Schema): unknown {
  switch (schema.kind) {
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'integer':
      return 0;
    case 'struct':
      return {};
    default:
      return undefined;
  }
}

/** Go's name for a JSON value in the error for a wrong type. */
function jsonType(data: unknown): string {
  if (typeof data === 'boolean') return 'bool';
  if (typeof data === 'number' || typeof data === 'string') return typeof data;
  return Array.isArray(data) ? 'array' : 'object';
}

function decodeTime(data: unknown, place: Place): string | undefined {
  if (data === null || data === undefined) return undefined;
  if (typeof data !== 'string') throw new Aborted(typeError(jsonType(data), 'string', place), place.steps);
  const parsed = parseGoTime(wellFormed(data) as string);
  if ('error' in parsed) throw new Aborted(parsed.error, place.steps);
  return parsed.value === GO_ZERO_TIME ? undefined : rfc3339(parsed.value);
}

function decodeQuantity(data: unknown, { steps }: Place): string {
  const written =
    data === null || typeof data === 'string' || typeof data === 'number' ? data : marshal(data);
  try {
    return formatQuantity(parseQuantity(written));
  } catch (error) {
    if (error instanceof InvalidQuantity) throw new Aborted(error.message, steps);
    throw error;
  }
}

export interface UnknownField {
  name: string;
  value: unknown;
  /** the API server's name for it in strict field validation (kubectl's default): "spec.taints[0].efect" */
  path: string;
  steps: Path;
  /** the fields of the type, and those that the object has */
  fields: Fields;
  beside: JsonObject;
}

/** The fields that a type does not have, in the object's order. Ignores values of a wrong type. */
export function unknownFields(schema: Schema, data: unknown, path = '', steps: Path = []): UnknownField[] {
  switch (schema.kind) {
    case 'pointer':
      return unknownFields(schema.to, data, path, steps);
    case 'list':
      if (!Array.isArray(data)) return [];
      return data.flatMap((item, at) => unknownFields(schema.items, item, `${path}[${at}]`, [...steps, at]));
    case 'map':
      if (!isObject(data)) return [];
      return Object.entries(data).flatMap(([name, value]) =>
        unknownFields(schema.values, value, `${path}.${name}`, [...steps, name]),
      );
    case 'struct':
      return isObject(data) ? ofStruct(schema.fields, data, path, steps) : [];
    default:
      return [];
  }
}

function ofStruct(fields: Fields, data: JsonObject, path: string, steps: Path): UnknownField[] {
  return Object.entries(data).flatMap(([name, value]) => {
    const at = { path: path === '' ? name : `${path}.${name}`, steps: [...steps, name] };
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field
      ? unknownFields(field.schema, value, at.path, at.steps)
      : [{ name, value, ...at, fields, beside: data }];
  });
}
