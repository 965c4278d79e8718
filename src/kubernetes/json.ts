/** A JSON object whose fields are not known. */
export type JsonObject = Record<string, unknown>;

/** Whether a JSON value is an object; lists and null are not. */
export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** A number among the members of a JSON value; undefined if there is none of this name. */
export function numberIn(value: unknown, name: string): number | undefined {
  const member = isObject(value) ? value[name] : undefined;
  return typeof member === 'number' ? member : undefined;
}

/** Whether a JSON value is a list. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Whether a text is one of those that a list knows. */
export function isOneOf<T extends string>(list: readonly T[], text: string): text is T {
  return list.some((one) => one === text);
}

/** Sets a member, even one named `__proto__`. */
export function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

/** An own member by name; never one that every object inherits, such as `constructor`. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The names of the members of an object whose type knows all that it has. */
export function keysOf<T extends object>(object: T): (keyof T & string)[] {
  return Object.keys(object) as (keyof T & string)[];
}
