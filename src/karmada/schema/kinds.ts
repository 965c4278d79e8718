import { quote } from '../../kubernetes/goFormat.ts';
import { decode } from '../../kubernetes/schema/decode.ts';
import type { StructSchema } from '../../kubernetes/schema/schema.ts';
import { ClusterResourceBinding, ResourceBinding } from './binding.ts';
import { ClusterPropagationPolicy, ClusterTaintPolicy, PropagationPolicy } from './policy.ts';
import { FederatedResourceQuota } from './quota.ts';

export interface KindSchema {
  group: string;
  version: string;
  schema: StructSchema;
}

const policyKind = (schema: StructSchema): KindSchema => ({
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  schema,
});
const workKind = (schema: StructSchema): KindSchema => ({
  group: 'work.karmada.io',
  version: 'v1alpha2',
  schema,
});

/** The kinds that operators and Karmada write and that decide failover, as Karmada v1.18 stores them. */
export const kindSchemas = {
  PropagationPolicy: policyKind(PropagationPolicy),
  ClusterPropagationPolicy: policyKind(ClusterPropagationPolicy),
  ClusterTaintPolicy: policyKind(ClusterTaintPolicy),
  FederatedResourceQuota: policyKind(FederatedResourceQuota),
  ResourceBinding: workKind(ResourceBinding),
  ClusterResourceBinding: workKind(ClusterResourceBinding),
};

export type KnownKind = keyof typeof kindSchemas;

/** Is this one of the kinds that have a schema here? */
export function isKnownKind(kind: string): kind is KnownKind {
  return Object.hasOwn(kindSchemas, kind);
}

/**
 * Reads an object as the admission webhook for `kind` does: unknown fields dropped, times and quantities
 * normalized. `error` is the text of the refusal when it has another kind or a field another type.
 */
export function decodeObject(kind: KnownKind, data: unknown): { value: unknown } | { error: string } {
  if (data === undefined) return { error: 'there is no content to decode' };
  const interpreted = interpretKind(data);
  if ('error' in interpreted) return interpreted;
  const actual = withDefaults(interpreted, kind, kindSchemas[kind]);
  if (actual.version === '') return { error: `Object 'apiVersion' is missing in '${JSON.stringify(data)}'` };
  const schema = registered(actual);
  if (!schema) return { error: unknownKind(actual) };
  const decoded = decode(schema, data ?? {});
  if (schema === kindSchemas[kind].schema || 'error' in decoded) return decoded;
  const { goType } = kindSchemas[kind].schema;
  return { error: `unable to decode ${actual.group}/${actual.version}, Kind=${actual.kind} into *${goType}` };
}

function registered({ group, version, kind }: GroupVersionKind): StructSchema | undefined {
  if (!isKnownKind(kind)) return undefined;
  const known = kindSchemas[kind];
  return known.group === group && known.version === version ? known.schema : undefined;
}

function unknownKind({ group, version, kind }: GroupVersionKind): string {
  const groupVersion = group === '' ? version : `${group}/${version}`;
  return `no kind ${quote(kind)} is registered for version ${quote(groupVersion)} in scheme "pkg/runtime/scheme.go:111"`;
}

interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

const KIND_HOLDER =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const kindFields = ['apiVersion', 'kind'] as const;

/** apiVersion and kind, whose names the decoder matches in any case at this point. */
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

/** What an object leaves open it has from the type that it is read into. */
function withDefaults(actual: GroupVersionKind, kind: string, expected: KindSchema): GroupVersionKind {
  const bare = actual.version === '' && actual.group === '';
  const group = bare ? expected.group : actual.group;
  const version =
    bare || (actual.version === '' && group === expected.group) ? expected.version : actual.version;
  return { group, version, kind: actual.kind === '' ? kind : actual.kind };
}
