import { isObject } from './json.ts';

/** Whether an entry of managedFields owns a field of the spec, such as "taints", or something within it. False for what is no entry. */
export function ownsSpecField(entry: unknown, field: string): boolean {
  const fields = isObject(entry) ? entry['fieldsV1'] : undefined;
  const spec = isObject(fields) ? fields['f:spec'] : undefined;
  return isObject(spec) && spec[`f:${field}`] !== undefined;
}
