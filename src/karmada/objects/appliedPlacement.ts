import { marshal, unmarshal } from '../../kubernetes/goJson.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';
import type { ObjectMeta } from '../api/meta.ts';
import { APPLIED_PLACEMENT_ANNOTATION } from '../api/names.ts';
import type { Placement } from '../api/policy.ts';
import { isObject } from '../../kubernetes/json.ts';

/** The placement of a binding's last scheduling; undefined if no scheduler has written one. */
export type AppliedPlacement = { placement: Placement | undefined } | { error: string };

const NONE: AppliedPlacement = { placement: undefined };

/** Parsed annotations: the bindings of one policy share the text, and a simulation reads it repeatedly. */
const known = new Map<string, AppliedPlacement>();

/** The most texts to cache; beyond that the cache starts over. */
const REMEMBERED = 4096;

/**
 * Reads the applied-placement annotation, the taint manager's only source of tolerations. `error` is the text of Go's
 * JSON decoder. The result depends only on the text and is shared: do not write to it.
 */
export function appliedPlacement(metadata: ObjectMeta): AppliedPlacement {
  const text = metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION];
  if (!text) return NONE;
  const before = known.get(text);
  if (before) return before;
  if (known.size >= REMEMBERED) known.clear();
  const applied = read(text);
  known.set(text, applied);
  return applied;
}

function read(text: string): AppliedPlacement {
  const placement = unmarshalPlacement(text);
  if (placement) return { placement };
  const json = unmarshal(text);
  return 'error' in json ? json : { error: typeError(json.value) };
}

/** Go's text if the whole value has the wrong type; our own text if a field has. */
function typeError(value: unknown): string {
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  if (type === 'object') return 'json: cannot unmarshal a field of v1alpha1.Placement: it has another type';
  return `json: cannot unmarshal ${type} into Go value of type v1alpha1.Placement`;
}

// The Placement type as in Karmada's Go code: its fields, in order, and how each is written as JSON. The
// applied-placement annotation is this JSON, and only these fields decide whether the placement has changed: fields
// that the scheduler does not know are ignored.

type FieldType =
  'string' | 'integer' | 'optional integer' | { list: FieldType } | 'labels' | { struct: Field[] };

interface Field {
  name: string;
  type: FieldType;
  /** written even when it is zero */
  always?: true;
}

const requirement: FieldType = {
  struct: [
    { name: 'key', type: 'string', always: true },
    { name: 'operator', type: 'string', always: true },
    { name: 'values', type: { list: 'string' } },
  ],
};
const affinityFields: Field[] = [
  {
    name: 'labelSelector',
    type: {
      struct: [
        { name: 'matchLabels', type: 'labels' },
        { name: 'matchExpressions', type: { list: requirement } },
      ],
    },
  },
  {
    name: 'fieldSelector',
    type: { struct: [{ name: 'matchExpressions', type: { list: requirement } }] },
  },
  { name: 'clusterNames', type: { list: 'string' } },
  { name: 'exclude', type: { list: 'string' } },
];
const affinityName: Field = { name: 'affinityName', type: 'string', always: true };
const overflowAffinity: FieldType = { struct: [affinityName, ...affinityFields] };
const affinityTerm: FieldType = {
  struct: [affinityName, ...affinityFields, { name: 'overflowAffinities', type: { list: overflowAffinity } }],
};
const toleration: FieldType = {
  struct: [
    { name: 'key', type: 'string' },
    { name: 'operator', type: 'string' },
    { name: 'value', type: 'string' },
    { name: 'effect', type: 'string' },
    { name: 'tolerationSeconds', type: 'optional integer' },
  ],
};
const spreadConstraint: FieldType = {
  struct: [
    { name: 'spreadByField', type: 'string' },
    { name: 'spreadByLabel', type: 'string' },
    { name: 'maxGroups', type: 'integer' },
    { name: 'minGroups', type: 'integer' },
  ],
};
const staticWeight: FieldType = {
  struct: [
    { name: 'targetCluster', type: { struct: affinityFields }, always: true },
    { name: 'weight', type: 'integer', always: true },
  ],
};
const weightPreference: FieldType = {
  struct: [
    { name: 'staticWeightList', type: { list: staticWeight } },
    { name: 'dynamicWeight', type: 'string' },
  ],
};
const replicaScheduling: FieldType = {
  struct: [
    { name: 'replicaSchedulingType', type: 'string' },
    { name: 'replicaDivisionPreference', type: 'string' },
    { name: 'weightPreference', type: weightPreference },
  ],
};
const groupTerm: FieldType = {
  struct: [{ name: 'groupByLabelKey', type: 'string', always: true }],
};
const placementFields: Field[] = [
  { name: 'clusterAffinity', type: { struct: affinityFields } },
  { name: 'clusterAffinities', type: { list: affinityTerm } },
  { name: 'clusterTolerations', type: { list: toleration } },
  { name: 'spreadConstraints', type: { list: spreadConstraint } },
  { name: 'replicaScheduling', type: replicaScheduling },
  {
    name: 'workloadAffinity',
    type: {
      struct: [
        { name: 'affinity', type: groupTerm },
        { name: 'antiAffinity', type: groupTerm },
      ],
    },
  },
];

/** The placement as Karmada's json.Marshal writes it into the applied-placement annotation. */
export function marshalPlacement(placement: Placement): string {
  return marshalStruct(placementFields, placement, false);
}

/**
 * A text per top-level field of the placement (per affinity term for clusterAffinities). The texts of two placements
 * are equal exactly if the placements are deeply equal in Go, where nil and an empty list differ.
 */
export interface PlacementParts {
  whole: string;
  clusterAffinity: string;
  clusterTolerations: string;
  spreadConstraints: string;
  replicaScheduling: string;
  /** the first term of each name */
  affinityTerms: Map<string, string>;
}

/** The texts of a placement, see `PlacementParts`. */
export function placementParts(placement: Placement): PlacementParts {
  const exact = (name: keyof Placement): string => {
    const field = placementFields.find((candidate) => candidate.name === name)!;
    return marshalField(field.type, placement[name], true) ?? 'null';
  };
  const affinityTerms = new Map<string, string>();
  for (const term of placement.clusterAffinities ?? [])
    if (!affinityTerms.has(term.affinityName ?? ''))
      affinityTerms.set(term.affinityName ?? '', marshalField(affinityTerm, term, true)!);
  return {
    whole: marshalStruct(placementFields, placement, true),
    clusterAffinity: exact('clusterAffinity'),
    clusterTolerations: exact('clusterTolerations'),
    spreadConstraints: exact('spreadConstraints'),
    replicaScheduling: exact('replicaScheduling'),
    affinityTerms,
  };
}

/**
 * Reads an applied-placement annotation as Karmada does: undefined if it is not JSON, or if a field has another type
 * than in Karmada.
 */
export function unmarshalPlacement(text: string): Placement | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const read = readField({ struct: placementFields }, value);
  // Go reads null as absent
  return read === MISMATCH ? undefined : (read ?? {});
}

/** `exact` keeps empty lists and maps, which are not nil in Go; without it they are left out, like with omitempty. */
function marshalField(type: FieldType, value: unknown, exact: boolean): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (type === 'optional integer') return String(value);
  if (type === 'integer') return value === 0 ? undefined : String(value);
  if (type === 'string') return value === '' ? undefined : marshal(value);
  if (type === 'labels') {
    const labels = Object.entries(value).sort(([a], [b]) => compareUtf8(a, b));
    if (labels.length === 0 && !exact) return undefined;
    return `{${labels.map(([name, label]) => `${marshal(name)}:${marshal(label)}`).join(',')}}`;
  }
  if ('list' in type) {
    const items = value as unknown[];
    if (items.length === 0 && !exact) return undefined;
    return `[${items.map((item) => marshalField(type.list, item, exact) ?? zero(type.list)).join(',')}]`;
  }
  return marshalStruct(type.struct, value, exact);
}

function marshalStruct(fields: Field[], value: unknown, exact: boolean): string {
  const members: string[] = [];
  for (const { name, type, always } of fields) {
    const text = marshalField(type, (value as Record<string, unknown>)[name], exact);
    if (text !== undefined) members.push(`"${name}":${text}`);
    else if (always) members.push(`"${name}":${zero(type)}`);
  }
  return `{${members.join(',')}}`;
}

function zero(type: FieldType): string {
  if (type === 'string') return '""';
  if (type === 'integer') return '0';
  return typeof type === 'object' && 'struct' in type ? marshalStruct(type.struct, {}, false) : 'null';
}

const MISMATCH = Symbol('a JSON value of another type');

function readField(type: FieldType, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (type === 'string') return typeof value === 'string' ? value : MISMATCH;
  if (type === 'integer' || type === 'optional integer') return Number.isInteger(value) ? value : MISMATCH;
  if (typeof type === 'object' && 'list' in type) {
    if (!Array.isArray(value)) return MISMATCH;
    const items = value.map((item) => readField(type.list, item));
    return items.includes(MISMATCH) ? MISMATCH : items.map((item) => item ?? emptyItem(type.list));
  }
  if (!isObject(value)) return MISMATCH;
  if (type === 'labels') {
    const labels = Object.entries(value).map(([name, label]) => [name, readField('string', label) ?? '']);
    return labels.some(([, label]) => label === MISMATCH) ? MISMATCH : Object.fromEntries(labels);
  }
  const read: Record<string, unknown> = {};
  for (const name in value) {
    // Go prefers an exact match of names, else ignores case
    const field =
      type.struct.find((candidate) => candidate.name === name) ??
      type.struct.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (!field) continue;
    const memberValue = readField(field.type, value[name]);
    if (memberValue === MISMATCH) return MISMATCH;
    if (memberValue !== undefined) read[field.name] = memberValue;
  }
  return read;
}

function emptyItem(type: FieldType): unknown {
  return type === 'string' ? '' : {};
}
