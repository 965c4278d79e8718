// The values of a template. Data is as JSON.parse returns it. Go compares and prints other values by their types, so
// each has its own type here: integers of a template are bigint (numbers of the data are float64), bytes of a string
// are Uint8, and undefined is an empty reflect.Value: the root "null", and the elements of a range over null.
import { isObject, type JsonObject } from '../json.ts';
import { formatFloat } from '../goFormat.ts';
import { compareUtf8, utf8Bytes } from '../utf8.ts';

/** A byte of a string: what a wildcard selects in it. */
export class Uint8 {
  readonly byte: number;
  constructor(byte: number) {
    this.byte = byte;
  }
}

/** Whether a template treats a value as a map; a byte is not one. */
export function isMap(value: unknown): value is JsonObject {
  return isObject(value) && !(value instanceof Uint8);
}

/**
 * What a wildcard selects: elements, members, the bytes of a string. Members are sorted by name; Go has no fixed order.
 */
export function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return utf8Bytes(value).map((byte) => new Uint8(byte));
  if (!isMap(value)) return [];
  return memberNames(value).map((name) => value[name]);
}

/** Member names in the order in which Go's fmt and encoding/json print them. */
function memberNames(object: JsonObject): string[] {
  return Object.keys(object)
    .filter((name) => object[name] !== undefined)
    .sort(compareUtf8);
}

/** Go's name for the type of a value. */
export function typeName(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (value instanceof Uint8) return 'uint8';
  if (isMap(value)) return 'map[string]interface {}';
  const names = { string: 'string', number: 'float64', bigint: 'int', boolean: 'bool' };
  return names[typeof value as keyof typeof names];
}

/** `%v` of a value inside other text. */
export function formatValue(value: unknown): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return formatFloat(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(' ')}]`;
  if (value instanceof Uint8) return String(value.byte);
  if (isMap(value))
    return `map[${memberNames(value)
      .map((name) => `${name}:${formatValue(value[name])}`)
      .join(' ')}]`;
  return String(value);
}
