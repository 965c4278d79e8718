import type { KubernetesObject } from '../karmada/api/meta.ts';
import { checkOf, typeOf } from './schema/check.ts';
import type { FieldProblem } from './schema/check.ts';
import { anyKind, groupOf, worldKinds } from './schema/kinds.ts';
import type { WorldKind } from './schema/kinds.ts';
import { workloadKinds } from './schema/workloads.ts';
import { Sharing } from './schema/sharing.ts';

/** An object whose shape is as its kind demands, and the kind where decisions read it. */
export interface ValidObject {
  object: KubernetesObject;
  kind: WorldKind | undefined;
}

export interface InvalidObject {
  /** one line, which names the object as far as it has a name, and the field */
  problem: string;
  /** of the field: ".spec.clusters[1].replicas"; absent: the object itself */
  path?: string;
}

/**
 * Whether a value is a Kubernetes object whose fields have the types that the engine relies on. Gives the
 * object or one line of what is wrong with it, which names the object as far as it has a name, and the
 * field. The value has to be the caller's own: equal parts are shared through `sharing`, nulls dropped.
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
        problem: `no ${field}, so not a Kubernetes object; give what kubectl get -o json|yaml prints`,
      };
  const name = (metadata as { name?: unknown } | null | undefined)?.name;
  if (typeof metadata !== 'object' || metadata === null)
    return { problem: `${kind as string}: metadata is missing; give what kubectl get -o json|yaml prints` };
  if (typeof name !== 'string' || name === '')
    return {
      problem: `${kind as string}: metadata.name ${name === undefined || name === null ? 'is missing' : `is ${typeOf(name)}${name === '' ? ' without content' : ''}, expected a name`}`,
    };
  const object = value as KubernetesObject;
  const known = worldKinds.get(object.kind);
  if (known === undefined || known.group !== groupOf(object.apiVersion)) {
    const schema = workloadKinds.get(`${object.apiVersion}/${object.kind}`) ?? anyKind;
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

function described(object: KubernetesObject, { path, message }: FieldProblem): InvalidObject {
  return { problem: `${nameOf(object)}: ${path.slice(1)}: ${message}`, path };
}

/** "ResourceBinding shop/web" */
export function nameOf({ kind, metadata }: KubernetesObject): string {
  const { namespace, name } = metadata;
  return `${kind} ${typeof namespace === 'string' && namespace !== '' ? `${namespace}/` : ''}${name}`;
}

/** The same for two versions of one object, different for different objects. */
export function identityOf({ apiVersion, kind, metadata }: KubernetesObject): string {
  return `${groupOf(apiVersion)}/${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
}
