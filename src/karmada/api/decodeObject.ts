import { goQuote } from '../../kubernetes/goFormat.ts';
import { decode } from '../../kubernetes/schema/decode.ts';
import type { StructSchema } from '../../kubernetes/schema/schema.ts';
import type { ApiKinds, ApiTypes, KindSchema } from './kinds.ts';

/**
 * Decodes an object as the admission webhook for `kind` does: drops unknown fields, normalizes times and quantities.
 * `error` is the text of the refusal if the object has another kind or a field has another type. Throws for a `kind`
 * that has no type here.
 */
export function decodeObject<Kind extends keyof ApiKinds>(
  kind: Kind,
  data: unknown,
  types: ApiTypes,
): { value: ApiKinds[Kind] } | { error: string } {
  const expected: KindSchema<ApiKinds[Kind]> | undefined = types.known[kind];
  if (!expected) throw new Error(`unknown kind ${kind}`);
  if (data === undefined) return { error: 'there is no content to decode' };
  const interpreted = interpretKind(data);
  if ('error' in interpreted) return interpreted;
  const actual = withDefaults(interpreted, kind, expected);
  if (actual.version === '') return { error: `Object 'apiVersion' is missing in '${JSON.stringify(data)}'` };
  const schema = registered(actual, types);
  if (!schema) return { error: unknownKind(actual, types) };
  if (schema === expected.schema) return decode(expected.schema, data ?? {});
  const decoded = decode(schema, data ?? {});
  if ('error' in decoded) return decoded;
  const { goType } = expected.schema;
  return { error: `unable to decode ${actual.group}/${actual.version}, Kind=${actual.kind} into *${goType}` };
}

function registered(
  { group, version, kind }: GroupVersionKind,
  { kinds }: ApiTypes,
): StructSchema | undefined {
  const known = kinds.get(kind);
  return known?.group === group && known.version === version ? known.schema : undefined;
}

function unknownKind({ group, version, kind }: GroupVersionKind, { schemeSource }: ApiTypes): string {
  const groupVersion = group === '' ? version : `${group}/${version}`;
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(groupVersion)} in scheme ${goQuote(schemeSource)}`;
}

interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

const KIND_HOLDER =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const kindFields = ['apiVersion', 'kind'] as const;

/** Reads apiVersion and kind; this decoder matches field names in any case. */
function interpretKind(data: unknown): GroupVersionKind | { error: string } {
  const unreadable = (what: string) => ({
    error: `couldn't get version/kind; json parse error: json: cannot unmarshal ${what}`,
  });
  if (data !== null && (typeof data !== 'object' || Array.isArray(data)))
    return unreadable(
      `${Array.isArray(data) ? 'array' : typeof data === 'boolean' ? 'bool' : typeof data} into Go value of type ${KIND_HOLDER}`,
    );
  const found = { apiVersion: '', kind: '' };
  for (const [name, value] of Object.entries(data ?? {})) {
    const field = kindFields.find((known) => known.toLowerCase() === name.toLowerCase());
    if (field === undefined || value === null) continue;
    if (typeof value !== 'string') {
      const what = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
      return unreadable(`${what} into Go struct field .${field} of type string`);
    }
    found[field] = value;
  }
  const parts = found.apiVersion.split('/');
  if (parts.length > 2) return { error: `unexpected GroupVersion string: ${found.apiVersion}` };
  const [group = '', version = ''] = parts.length === 2 ? parts : ['', parts[0]];
  return { group, version, kind: found.kind };
}

/** Fills in missing apiVersion and kind from the target type. */
function withDefaults(actual: GroupVersionKind, kind: string, expected: KindSchema): GroupVersionKind {
  const bare = actual.version === '' && actual.group === '';
  const group = bare ? expected.group : actual.group;
  const version =
    bare || (actual.version === '' && group === expected.group) ? expected.version : actual.version;
  return { group, version, kind: actual.kind === '' ? kind : actual.kind };
}
