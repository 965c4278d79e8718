import type { Schema, StructSchema } from '../../kubernetes/schema/schema.ts';

type Fields = Record<string, unknown>;

/** The fields of a struct that a version lacks, nested ones included. */
interface Lacking {
  names: ReadonlySet<string>;
  inner: ReadonlyMap<string, Lacking>;
}

/** Drops fields from an object, and calls `dropped` with each path, such as "spec.failover.cluster". */
export type DropLaterFields = (object: Fields, dropped: (path: string) => void) => Fields;

/**
 * A function that drops the fields that `newest` has and `type`, the same struct in an older version, lacks; fields
 * that neither knows stay. It returns an object without such fields as it is. Undefined if the version lacks nothing.
 */
export function dropLaterFields(type: StructSchema, newest: StructSchema): DropLaterFields | undefined {
  const lacking = lackingIn(type, newest);
  return lacking && ((object, dropped) => without(object, lacking, '', dropped) as Fields);
}

function lackingIn(type: StructSchema, newest: StructSchema): Lacking | undefined {
  if (type === newest) return undefined;
  const names = Object.keys(newest.fields).filter((name) => !Object.hasOwn(type.fields, name));
  const inner = new Map<string, Lacking>();
  for (const [name, { schema }] of Object.entries(type.fields)) {
    const [ours, theirs] = [structOf(schema), structOf(newest.fields[name]?.schema)];
    const further = ours && theirs && lackingIn(ours, theirs);
    if (further) inner.set(name, further);
  }
  return names.length > 0 || inner.size > 0 ? { names: new Set(names), inner } : undefined;
}

/** The struct behind a pointer or in the items of a list. */
function structOf(schema: Schema | undefined): StructSchema | undefined {
  if (schema?.kind === 'pointer') return structOf(schema.to);
  if (schema?.kind === 'list') return structOf(schema.items);
  return schema?.kind === 'struct' ? schema : undefined;
}

function without(value: unknown, lacking: Lacking, path: string, dropped: (path: string) => void): unknown {
  if (Array.isArray(value)) {
    let items = value as unknown[];
    for (const [index, item] of value.entries()) {
      const kept = without(item, lacking, `${path}[]`, dropped);
      if (kept !== item) items = items.with(index, kept);
    }
    return items;
  }
  if (typeof value !== 'object' || value === null) return value;
  let result = value as Fields;
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const name of lacking.names)
    if (Object.hasOwn(value, name)) {
      const { [name]: _, ...rest } = result;
      result = rest;
      dropped(at(name));
    }
  for (const [name, further] of lacking.inner) {
    const before = (value as Fields)[name];
    if (before === undefined) continue;
    const after = without(before, further, at(name), dropped);
    if (after !== before) result = { ...result, [name]: after };
  }
  return result;
}
