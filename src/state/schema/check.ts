import { isObject } from '../../kubernetes/json.ts';
import { redacted } from '../../kubernetes/redaction/redacted.ts';
import type { Schema, StructSchema } from '../../kubernetes/schema/schema.ts';
import { instant } from '../../kubernetes/time.ts';
import { isShort, type Sharing } from './sharing.ts';

/** The problem of a value, and its path: "spec.clusters[1].replicas", '"3" is a string, …'. */
export interface FieldProblem {
  path: string;
  message: string;
}

/**
 * Checks the fields in the schema; others pass. Undefined if the value is valid. Changes the value, which must be the
 * caller's own: equal parts are replaced by shared ones, and nulls are removed, as on the API server.
 */
type Check = (value: unknown, sharing: Sharing) => FieldProblem | undefined;

/** Fields of type JsonObject whose values are equal in many objects. */
const SHARED = new Set([
  'v1alpha2.ResourceBindingSpec.placement',
  'v1alpha2.ResourceBindingSpec.replicaRequirements',
  'v1alpha2.ResourceBindingSpec.failover',
  'v1alpha2.AggregatedStatusItem.status',
  'v1alpha1.ClusterSpec.resourceModels',
  'v1alpha1.ClusterStatus.apiEnablements',
]);

/** Fields of type JsonObject whose values differ in each object. */
const DISTINCT = new Set([
  'v1.ObjectMeta.name',
  'v1.ObjectMeta.uid',
  'v1.ObjectMeta.resourceVersion',
  'v1alpha2.ObjectReference.name',
  'v1alpha2.ObjectReference.uid',
  'v1alpha2.ObjectReference.resourceVersion',
]);

interface CompiledField {
  check: Check | undefined;
  /** for a shared text: the number of the field; else -1 */
  text: number;
  /** null has a meaning: an unset time */
  keepsNull: boolean;
  enum: ReadonlySet<string> | undefined;
  /** the name under which its values are shared */
  shared: string | undefined;
}

/** The number of fields with shared texts. */
let textFields = 0;

const compiled = new Map<Schema, Check | undefined>();

/** The check that a schema describes; created once per schema. */
export function checkOf(schema: StructSchema): Check {
  return compile(schema)!;
}

function compile(schema: Schema): Check | undefined {
  if (schema.kind === 'pointer') return compile(schema.to);
  if (!compiled.has(schema)) compiled.set(schema, compileFresh(schema));
  return compiled.get(schema);
}

function compileFresh(schema: Exclude<Schema, { kind: 'pointer' }>): Check | undefined {
  switch (schema.kind) {
    case 'raw':
      return undefined;
    case 'string':
      return (value) => (typeof value === 'string' ? undefined : typeProblem(value, 'a string'));
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? undefined : typeProblem(value, 'true or false'));
    case 'integer':
      return checkInteger(schema.bits, schema.least);
    case 'time':
      return schema.planned ? checkPlannedTime : checkTime;
    case 'quantity':
      return schema.least === undefined ? checkQuantity : checkCapacity;
    case 'list':
      return checkList(schema.items);
    case 'map':
      return checkMap(schema.values);
    case 'struct':
      return checkStruct(schema);
  }
}

function checkInteger(bits: 32 | 64, least?: number): Check {
  const limit = 2 ** (bits - 1);
  return (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return typeProblem(value, 'an integer');
    // JSON rounds the largest int64 up to the limit
    if (!(value < limit || (bits === 64 && value === limit)) || value < -limit)
      return typeProblem(value, `an integer of ${bits} bits`);
    return least === undefined || value >= least ? undefined : tooLow(value, least);
  };
}

function tooLow(value: unknown, least: number): FieldProblem {
  return { path: '', message: `${show(value)} is less than ${least}, which API servers refuse` };
}

const checkTime = timeCheck((text, sharing) => sharing.time(text));
const checkPlannedTime = timeCheck((text) => instant(text));

/** @param read the instant of a text, NaN if it is not one */
function timeCheck(read: (text: string, sharing: Sharing) => number): Check {
  return (value, sharing) => {
    if (typeof value !== 'string') return typeProblem(value, 'a time such as "2026-03-14T09:26:53Z"');
    return Number.isNaN(read(value, sharing))
      ? { path: '', message: `${show(value)} is not a time such as "2026-03-14T09:26:53Z"` }
      : undefined;
  };
}

const checkQuantity: Check = (value) => {
  if (typeof value !== 'string' && typeof value !== 'number')
    return typeProblem(value, 'a quantity such as "500m" or "2Gi"');
  return isQuantity(value)
    ? undefined
    : { path: '', message: `${show(value)} is not a quantity such as "500m" or "2Gi"` };
};

const checkCapacity: Check = (value, sharing) =>
  checkQuantity(value, sharing) ?? (/^-.*[1-9]/.test(String(value)) ? tooLow(value, 0) : undefined);

function checkList(items: Schema): Check {
  const check = compile(items);
  const isText = items.kind === 'string';
  return (value, sharing) => {
    if (!Array.isArray(value)) return typeProblem(value, 'a list');
    if (check === undefined) return undefined;
    for (let i = 0; i < value.length; i++) {
      const problem = check(value[i], sharing);
      if (problem !== undefined) return below(`[${i}]`, problem);
      if (isText && !isShort(value[i] as string)) value[i] = sharing.text(value[i] as string);
    }
    return undefined;
  };
}

function checkMap(values: Schema): Check {
  const check = compile(values)!;
  return (value, sharing) => {
    if (!isObject(value)) return typeProblem(value, 'an object');
    for (const name in value) {
      const inner = value[name];
      const problem = check(inner, sharing);
      if (problem !== undefined)
        return below(/^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`, problem);
      if (typeof inner === 'string' && !isShort(inner)) value[name] = sharing.text(inner);
    }
    return undefined;
  };
}

function checkStruct({ goType, fields }: StructSchema): Check {
  const known = Object.create(null) as Record<string, CompiledField>;
  const required: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const id = `${goType}.${name}`;
    const { schema } = field;
    const type = schema.kind === 'pointer' ? schema.to : schema;
    known[name] = {
      check: compile(type),
      text: type.kind === 'string' && !DISTINCT.has(id) ? textFields++ : -1,
      keepsNull: type.kind === 'time' || type.kind === 'raw',
      enum: field.enum && new Set(['', ...field.enum]),
      shared: SHARED.has(id) ? id : undefined,
    };
    if (field.required && field.presence === 'always') required.push(name);
  }
  return (value, sharing) => {
    if (!isObject(value)) return typeProblem(value, 'an object');
    for (const name in value) {
      const field = known[name];
      const inner = value[name];
      if (field === undefined || inner === undefined) continue;
      if (inner === null) {
        if (!field.keepsNull) Reflect.deleteProperty(value, name);
        continue;
      }
      const values = field.shared === undefined ? undefined : sharing.valuesOf(field.shared);
      if (values?.worthwhile === true && typeof inner === 'object') {
        const text = JSON.stringify(inner);
        const same = values.get(text);
        if (same !== undefined) value[name] = same;
        else {
          const problem = field.check?.(inner, sharing);
          if (problem !== undefined) return below(`.${name}`, problem);
          values.add(text, inner);
        }
        continue;
      }
      const problem = field.check?.(inner, sharing);
      if (problem !== undefined) return below(`.${name}`, problem);
      if (field.enum !== undefined && !field.enum.has(inner as string))
        return {
          path: `.${name}`,
          message: `${show(inner)} is not one of ${[...field.enum].slice(1).join(', ')}`,
        };
      if (field.text !== -1 && !isShort(inner as string))
        value[name] = sharing.textOf(field.text, inner as string);
    }
    for (const name of required)
      if (value[name] === undefined) return { path: `.${name}`, message: 'is missing' };
    return undefined;
  };
}

function below(step: string, { path, message }: FieldProblem): FieldProblem {
  return { path: step + path, message };
}

const LONGEST_SHOWN = 40;

/** A value as in the file, cut off if it is long; "nothing" if it is absent. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  // redact before cutting: part of a secret is not recognized as one
  const text = redacted(JSON.stringify(value));
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** '"3" is a string, expected an integer' */
export function typeProblem(value: unknown, expected: string): FieldProblem {
  const cannotBeShown = typeof value === 'object' || value === undefined || isEndless(value);
  const shown = cannotBeShown ? '' : `${show(value)} `;
  return { path: '', message: `${shown}is ${typeOf(value)}, expected ${expected}` };
}

/** 1e400 in JSON and .inf and .nan in YAML, which JSON cannot hold. */
function isEndless(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

/** "a string", "a list", … */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (isEndless(value)) return 'not a finite number';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a fraction';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const QUANTITY = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][-+]?\d+)?$/;
/** Sums of quantities are exact, so each digit costs time. No cluster has 10^1000 of anything. */
const MAX_DIGITS = 400;
const LARGEST_EXPONENT = 999;

/** Whether a value is a quantity that can be added up: "500m", "2Gi", "1e3", 4. */
export function isQuantity(value: unknown): value is string | number {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'string' || value.length > MAX_DIGITS || !QUANTITY.test(value)) return false;
  const exponent = /[eE]([-+]?\d+)$/.exec(value)?.[1];
  return exponent === undefined || Math.abs(Number(exponent)) <= LARGEST_EXPONENT;
}
