export type JsonObject = Record<string, unknown>;

/** Whether a JSON value is an object; lists and null are not. */
export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** A numeric member of a JSON value; undefined if it has none with this name. */
export function numberIn(value: unknown, name: string): number | undefined {
  const member = isObject(value) ? value[name] : undefined;
  return typeof member === 'number' ? member : undefined;
}

/** Whether a JSON value is a list. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Whether a text is one of a list's known texts. */
export function isOneOf<T extends string>(list: readonly T[], text: string): text is T {
  return list.some((one) => one === text);
}

/** Sets a member, even one named `__proto__`. */
export function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

/** An object without the members that are undefined. */
export function definedFields(object: object): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** An own member by name; never one inherited by every object, such as `constructor`. */
export function memberOf<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The member names of an object whose type knows all of its members. */
export function keysOf<T extends object>(object: T): (keyof T & string)[] {
  return Object.keys(object) as (keyof T & string)[];
}
