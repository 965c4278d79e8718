import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { checkOf, show, typeOf } from '../schema/check.ts';
import type { FieldProblem } from '../schema/check.ts';
import { anyKind, groupOf, worldKinds } from '../schema/kinds.ts';
import type { WorldKind } from '../schema/kinds.ts';
import { otherKinds } from '../../karmada/api/otherKinds.ts';
import { Sharing } from '../schema/sharing.ts';

/** A valid object, and its kind if decisions read it. */
interface ValidObject {
  object: KubernetesObject;
  kind: WorldKind | undefined;
}

interface InvalidObject {
  /** one line that names the object, if it has a name, and the field */
  problem: string;
  /** the field: ".spec.clusters[1].replicas"; absent: the object itself */
  path?: string;
}

/**
 * Checks that a value is a Kubernetes object whose fields have the types that the engine relies on. Returns the
 * object, or one line about the problem. The value must be the caller's own: equal parts are shared through
 * `sharing`, nulls are dropped.
 */
export function validateObject(value: unknown, sharing = new Sharing()): ValidObject | InvalidObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return {
      problem: `is ${typeOf(value)}, expected a Kubernetes object with apiVersion, kind and metadata`,
    };
  const { apiVersion, kind, metadata } = value as Partial<Record<string, unknown>>;
  for (const [field, found] of Object.entries({ apiVersion, kind }))
    if (typeof found !== 'string' || found === '')
      return {
        problem: `no ${field}, so not a Kubernetes object; give the output of kubectl get -o json|yaml`,
      };
  const name = (metadata as { name?: unknown } | null | undefined)?.name;
  if (typeof metadata !== 'object' || metadata === null)
    return { problem: `${kind as string}: metadata is missing; give the output of kubectl get -o json|yaml` };
  if (typeof name !== 'string' || name === '')
    return {
      problem: `${kind as string}: metadata.name ${name === undefined || name === null ? 'is missing' : `is ${name === '' ? 'empty' : typeOf(name)}, expected a name`}`,
    };
  const object = value as KubernetesObject;
  const breach = breachOfNames(object);
  if (breach) return described(object, breach);
  const known = worldKinds.get(object.kind);
  if (known === undefined || known.group !== groupOf(object.apiVersion)) {
    const schema = otherKinds.get(`${object.apiVersion}/${object.kind}`) ?? anyKind;
    const problem = checkOf(schema)(object, sharing);
    return problem ? described(object, problem) : { object, kind: undefined };
  }
  if (object.apiVersion !== `${known.group}/${known.version}`)
    return {
      problem: `${nameOf(object)}: ${object.apiVersion} is not read; print it as ${known.version}: kubectl get ${known.resource}.${known.version}.${known.group} -A -o json`,
    };
  const problem = checkOf(known.schema)(object, sharing);
  return problem ? described(object, problem) : { object, kind: known };
}

/**
 * API servers accept only names that are a single path segment (apimachinery, api/validation/path). Keys and requests
 * rely on it.
 */
function breachOfNames({ metadata }: KubernetesObject): FieldProblem | undefined {
  for (const field of ['name', 'namespace'] as const) {
    const name: unknown = metadata[field];
    if (typeof name !== 'string') continue;
    const path = `.metadata.${field}`;
    if (name === '.' || name === '..') return { path, message: `${show(name)} is not a valid name` };
    const sign = /[/%]/.exec(name)?.[0];
    if (sign !== undefined) return { path, message: `${show(name)} contains ${sign}, which names must not` };
  }
  return undefined;
}

function described(object: KubernetesObject, { path, message }: FieldProblem): InvalidObject {
  return { problem: `${nameOf(object)}: ${path.slice(1)}: ${message}`, path };
}

/** "ResourceBinding shop/web" */
export function nameOf({ kind, metadata }: KubernetesObject): string {
  const { namespace, name } = metadata;
  return `${kind} ${typeof namespace === 'string' && namespace !== '' ? `${namespace}/` : ''}${name}`;
}

/** A key for an object: the same for every version of it. */
export function identityOf({ apiVersion, kind, metadata }: KubernetesObject): string {
  return `${groupOf(apiVersion)}/${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
}
