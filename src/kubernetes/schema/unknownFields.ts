import { isObject, type JsonObject } from '../json.ts';
import type { Schema } from './schema.ts';

/**
 * Paths of the fields that a type does not have, in the order of the object, as the API server names them with strict
 * field validation (kubectl's default): "spec.taints[0].efect". Ignores values of a wrong type.
 */
export function unknownFields(schema: Schema, data: unknown, path = ''): string[] {
  switch (schema.kind) {
    case 'pointer':
      return unknownFields(schema.to, data, path);
    case 'list':
      if (!Array.isArray(data)) return [];
      return data.flatMap((item, index) => unknownFields(schema.items, item, `${path}[${index}]`));
    case 'map':
      if (!isObject(data)) return [];
      return Object.entries(data).flatMap(([name, value]) =>
        unknownFields(schema.values, value, `${path}.${name}`),
      );
    case 'struct':
      return isObject(data) ? ofStruct(schema.fields, data, path) : [];
    default:
      return [];
  }
}

function ofStruct(fields: Record<string, { schema: Schema }>, data: JsonObject, path: string): string[] {
  return Object.entries(data).flatMap(([name, value]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field ? unknownFields(field.schema, value, at) : [at];
  });
}
