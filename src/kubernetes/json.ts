/** A JSON object whose fields are not known. */
export type JsonObject = Record<string, unknown>;

/** Whether a JSON value is an object; lists and null are none. */
export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Sets a member whatever it is called: `__proto__` is a name like any other. */
export function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

/** The member of that name; never what all objects have by nature, such as `constructor`. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
