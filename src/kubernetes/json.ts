/** A JSON object whose fields are not known. */
export type JsonObject = Record<string, unknown>;

/** Whether a JSON value is an object; lists and null are none. */
export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
