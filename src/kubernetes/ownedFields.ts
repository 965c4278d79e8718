import { isObject } from './json.ts';

/** Whether a managedFields entry owns a spec field, such as "taints", or a part of it. False if malformed. */
export function ownsSpecField(entry: unknown, field: string): boolean {
  const fields = isObject(entry) ? entry['fieldsV1'] : undefined;
  const spec = isObject(fields) ? fields['f:spec'] : undefined;
  return isObject(spec) && spec[`f:${field}`] !== undefined;
}
