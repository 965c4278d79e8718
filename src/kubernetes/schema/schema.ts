/**
 * How a type of the API is read and written as JSON: the Go type that components decode it into and, for custom
 * resources, what the CRD adds. It serves decoding with Go's error texts, printing values in messages, and the API
 * server's defaults and checks.
 */
export type Schema =
  | { kind: 'string'; goType: string }
  | { kind: 'boolean'; goType: 'bool' }
  | {
      kind: 'integer';
      goType: string;
      bits: 32 | 64;
      /** the API server's own check of a native kind */ least?: number;
    }
  | { kind: 'pointer'; to: Schema }
  | { kind: 'list'; items: Schema }
  | { kind: 'map'; values: Schema; goType: string }
  | { kind: 'time' }
  | { kind: 'quantity' }
  | { kind: 'raw' }
  | StructSchema;

export interface StructSchema {
  kind: 'struct';
  /** the type as Go prints it: "v1alpha1.Placement" */
  goType: string;
  /** in the order in which Go writes them */
  fields: Record<string, Field>;
}

export interface Field extends Constraints {
  schema: Schema;
  /** written even if empty (no omitempty); a CRD demands such a field */
  required: boolean;
  /** name of the embedded Go struct that the field belongs to; type errors mention it */
  embedded?: string;
  /** type of that struct, as Go prints it */
  embeddedType?: string;
  /** name of the Go field, if it is not the JSON name with a capital */
  goName?: string;
}

/** The markers of a CRD's property. */
export interface Constraints {
  default?: string | number;
  enum?: readonly string[];
  minimum?: number;
  minItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: RegExp;
}

export const string: Schema = { kind: 'string', goType: 'string' };
export const bool: Schema = { kind: 'boolean', goType: 'bool' };
export const int: Schema = { kind: 'integer', goType: 'int', bits: 64 };
export const int32: Schema = { kind: 'integer', goType: 'int32', bits: 32 };
export const int64: Schema = { kind: 'integer', goType: 'int64', bits: 64 };
/** A count in one of Kubernetes' own kinds: its API server accepts 0 and above. */
export const count32: Schema = { kind: 'integer', goType: 'int32', bits: 32, least: 0 };
/** metav1.Time */
export const time: Schema = { kind: 'time' };
export const quantity: Schema = { kind: 'quantity' };
/** any JSON, kept as it is */
export const raw: Schema = { kind: 'raw' };

/** A string type with a name of its own. */
export const text = (goType: string): Schema => ({ kind: 'string', goType });
export const pointer = (to: Schema): Schema => ({ kind: 'pointer', to });
export const list = (items: Schema): Schema => ({ kind: 'list', items });
export const map = (values: Schema, goType = `map[string]${goTypeName(values)}`): Schema => ({
  kind: 'map',
  values,
  goType,
});
export const struct = (goType: string, fields: Record<string, Field>): StructSchema => ({
  kind: 'struct',
  goType,
  fields,
});

type FieldMarkers = Constraints & Pick<Field, 'goName'>;

export const required = (schema: Schema, constraints: FieldMarkers = {}): Field => ({
  schema,
  required: true,
  ...constraints,
});
export const optional = (schema: Schema, constraints: FieldMarkers = {}): Field => ({
  schema,
  required: false,
  ...constraints,
});

/** The fields of a struct that Go embeds in another one; spread them there. */
export function embedded(name: string, { fields, goType }: StructSchema): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, { ...field, embedded: name, embeddedType: goType }]),
  );
}

/** The type as Go's reflection prints it. */
export function goTypeName(schema: Schema): string {
  switch (schema.kind) {
    case 'pointer':
      return `*${goTypeName(schema.to)}`;
    case 'list':
      return `[]${goTypeName(schema.items)}`;
    case 'time':
      return 'v1.Time';
    case 'quantity':
      return 'resource.Quantity';
    case 'raw':
      return 'runtime.RawExtension';
    default:
      return schema.goType;
  }
}
