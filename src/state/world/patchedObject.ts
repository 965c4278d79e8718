import type { World } from '../../karmada/world.ts';
import type { KubernetesObject, ObjectIdentity } from '../../karmada/api/meta.ts';
import { applyMergePatch } from '../../kubernetes/mergePatch.ts';
import { worldKinds } from '../schema/kinds.ts';
import { negativeReplicas } from './contradictions.ts';
import { nameOf, validateObject } from './validateObject.ts';

/** Kinds that Karmada's webhooks check, with their own errors, when the patch is applied. */
const ADMITTED: ReadonlySet<string | undefined> = new Set(['policies', 'taintPolicies']);

/**
 * The problem of a patch for an object of the world: it breaks the type of a field, or the identity of the object.
 * Undefined if none, or if the object does not exist yet.
 */
export function problemOfPatch(world: World, target: ObjectIdentity, merge: unknown): string | undefined {
  const list = worldKinds.get(target.kind)?.list;
  const found = ((list ? world[list] : world.others) as KubernetesObject[]).find(
    ({ kind, metadata: { namespace = '', name } }) =>
      kind === target.kind && name === target.name && namespace === (target.namespace ?? ''),
  );
  if (!found) return undefined;
  const patched = applyMergePatch(structuredClone(found), merge) as KubernetesObject;
  const { apiVersion, kind, metadata } = patched;
  const judged = ADMITTED.has(list) ? { ...structuredClone(found), apiVersion, kind, metadata } : patched;
  const verdict = validateObject(judged);
  if ('problem' in verdict) return `once patched, ${verdict.problem}`;
  const negative = list === 'bindings' ? negativeReplicas(verdict.object) : undefined;
  if (negative) return `once patched, ${nameOf(verdict.object)} ${negative}; give 0 or more`;
  if (nameOf(verdict.object) === nameOf(found)) return undefined;
  return `the patch makes ${nameOf(found)} another object, ${nameOf(verdict.object)}; a patch changes no kind, namespace or name`;
}
