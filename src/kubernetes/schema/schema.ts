declare const described: unique symbol;

/** The data type that a schema describes. Only for the type checker: no schema has this field at run time. */
interface Describes<T> {
  readonly [described]?: T;
}

/**
 * How a type of the API is read and written as JSON: the Go type that components decode it into and, for custom
 * resources, the CRD's additions. Used for decoding with Go's error texts, printing values in messages, the API
 * server's defaults and checks, and our own types: `Data`.
 */
export type Schema<T = unknown> = (
  | { kind: 'string'; goType: string }
  | { kind: 'boolean'; goType: 'bool' }
  | {
      kind: 'integer';
      goType: string;
      bits: 32 | 64;
      /** the API server's own check of a native kind */ least?: number;
    }
  | { kind: 'pointer'; to: Schema }
  | ListShape
  | { kind: 'map'; values: Schema; goType: string }
  | {
      kind: 'time';
      /** a future time, which says nothing about the age of the state */ planned?: true;
    }
  | {
      kind: 'quantity';
      /** the API server's own check of a native kind */ least?: 0;
    }
  | {
      kind: 'raw';
      /** any type, such as a string, number or list; absent: an object */ any?: true;
    }
  | StructShape
) &
  Describes<T>;

interface ListShape {
  kind: 'list';
  items: Schema;
}

interface StructShape {
  kind: 'struct';
  /** the type as Go prints it: "v1alpha1.Placement" */
  goType: string;
  /** in the order in which Go writes them */
  fields: Fields;
}

export type ListSchema<T = unknown> = ListShape & Describes<T>;
export type StructSchema<T = unknown> = StructShape & Describes<T>;

interface Struct<F extends Fields> extends StructShape, Describes<StructData<F>> {
  fields: F;
}

export type Fields = Record<string, Field>;

export interface Field<
  T = unknown,
  Presence extends 'always' | 'maybe' = 'always' | 'maybe',
> extends Constraints {
  schema: Schema<T>;
  /** written even if empty (no omitempty); a CRD requires such a field */
  required: boolean;
  /** whether every object that passed validation at the border (state/world) has it */
  presence: Presence;
  /** name of the embedded Go struct that the field belongs to; type errors mention it */
  embedded?: string;
  /** type of that struct, as Go prints it */
  embeddedType?: string;
  /** name of the Go field, if it is not the capitalized JSON name */
  goName?: string;
}

/** The data that a schema describes. Untrusted objects have more fields, which are all kept. */
export type Data<S> = S extends Describes<infer T> ? T : never;

type FieldData<F> = F extends { schema: Describes<infer T> } ? T : never;
type AlwaysThere<F> = { [K in keyof F]-?: F[K] extends Field<unknown, 'always'> ? K : never }[keyof F];
type There<F, K extends keyof F> = { [Name in K]-?: FieldData<F[Name]> };
type MaybeThere<F, K extends keyof F> = { [Name in K]?: FieldData<F[Name]> };
type Flat<T> = { [Name in keyof T]: T[Name] };
/** The data of a struct, derived so that editors keep the fields' comments. */
type StructData<F> = Flat<There<F, AlwaysThere<F>> & MaybeThere<F, Exclude<keyof F, AlwaysThere<F>>>>;

/** The markers of a CRD property. */
export interface Constraints {
  default?: string | number;
  enum?: readonly string[];
  minimum?: number;
  minItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: RegExp;
}

export const string: Schema<string> = { kind: 'string', goType: 'string' };
export const bool: Schema<boolean> = { kind: 'boolean', goType: 'bool' };
export const int: Schema<number> = { kind: 'integer', goType: 'int', bits: 64 };
export const int32: Schema<number> = { kind: 'integer', goType: 'int32', bits: 32 };
export const int64: Schema<number> = { kind: 'integer', goType: 'int64', bits: 64 };
/** A count in one of Kubernetes' own kinds: its API server accepts 0 and above. */
export const count32: Schema<number> = { kind: 'integer', goType: 'int32', bits: 32, least: 0 };
/** metav1.Time, as RFC 3339; null if it is not set */
export const time: Schema<string | null> = { kind: 'time' };
/** The same for future times, which say nothing about the capture time of a state. */
export const plannedTime: Schema<string | null> = { kind: 'time', planned: true };
/** as the API prints it: "250m", "1Gi", 3 */
export const quantity: Schema<string | number> = { kind: 'quantity' };
/** The same for requests and limits in Kubernetes' own kinds: its API server accepts 0 and above. */
export const positiveQuantity: Schema<string | number> = { kind: 'quantity', least: 0 };
/** any JSON object, kept unchanged */
export const raw: Schema = { kind: 'raw' };
/** apiextensions' JSON: a value of any type */
export const json: Schema = { kind: 'raw', any: true };
/** Unchecked JSON: only controllers write it, as T. */
export const unchecked = <T>(): Schema<T> => ({ kind: 'raw' });

/** A string type with a name of its own. */
export const text = <T extends string = string>(goType: string): Schema<T> => ({ kind: 'string', goType });
export const pointer = <T>(to: Schema<T>): Schema<T> => ({ kind: 'pointer', to });
export const list = <T>(items: Schema<T>): ListSchema<T[]> => ({ kind: 'list', items });
export const map = <T>(
  values: Schema<T>,
  goType = `map[string]${goTypeName(values)}`,
): Schema<Record<string, T>> => ({ kind: 'map', values, goType });
export const struct = <F extends Fields>(goType: string, fields: F): Struct<F> => ({
  kind: 'struct',
  goType,
  fields,
});

export type FieldMarkers = Constraints & Pick<Field, 'goName'>;

export const required = <T>(schema: Schema<T>, constraints: FieldMarkers = {}): Field<T, 'always'> => ({
  schema,
  required: true,
  presence: 'always',
  ...constraints,
});
/** A field that the API server requires but no decision reads, so a hand-written state may omit it. */
export const requiredByServer = <T>(
  schema: Schema<T>,
  constraints: FieldMarkers = {},
): Field<T, 'maybe'> => ({
  schema,
  required: true,
  presence: 'maybe',
  ...constraints,
});
export const optional = <T>(schema: Schema<T>, constraints: FieldMarkers = {}): Field<T, 'maybe'> => ({
  schema,
  required: false,
  presence: 'maybe',
  ...constraints,
});
/** A field that Go may omit, but that validation at the border requires in every object. */
export const requiredField = <T>(schema: Schema<T>): Field<T, 'always'> => ({
  schema,
  required: false,
  presence: 'always',
});

/** The fields of a struct that Go embeds in another one; spread them there. */
export function embeddedFields<F extends Fields>(name: string, { fields, goType }: Struct<F>): F {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, { ...field, embedded: name, embeddedType: goType }]),
  ) as F;
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
      return schema.any ? 'v1.JSON' : 'runtime.RawExtension';
    default:
      return schema.goType;
  }
}
