import { claimOf } from '../../karmada/objects/claims.ts';
import { bindingIdentity, bindingKey, objectKey } from '../../karmada/objects/identities.ts';
import type { KubernetesObject, ObjectIdentity } from '../../karmada/api/meta.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { isObject } from '../../kubernetes/json.ts';
import { applyMergePatch, createMergePatch } from '../../kubernetes/mergePatch.ts';
import { isExpected } from '../errors.ts';
import { readPositioned } from '../../state/yaml/positions.ts';
import type { Editable, EditVerdict } from '../../terminal/dashboard/editing.ts';
import { objectIn } from '../../useCases/dashboard/objectIn.ts';
import { Problem } from '../../useCases/problem.ts';
import { EXPLAINED_TEMPLATES } from '../../useCases/explanation/explainFailover.ts';
import type { Ports } from '../../useCases/ports.ts';
import { makeScenario, type RequestedEvent } from '../../useCases/scenario/makeScenario.ts';
import { runScenario } from '../../useCases/scenario/runScenario.ts';
import { unknownFieldWarnings } from '../../useCases/scenario/unknownFields.ts';
import type { OpenedState } from '../../useCases/state/openState.ts';
import type { Place } from '../../views/dashboard/place.ts';
import type { PolicyEdit, WhatIf } from '../../views/dashboard/whatIf.ts';
import { objectText } from '../../views/words/names.ts';
import { toYaml } from '../../views/forms/yaml.ts';
import { problemText } from '../problemText.ts';
import { manifests } from '../scenario/namedFiles.ts';

const POLICIES: readonly string[] = ['PropagationPolicy', 'ClusterPropagationPolicy', 'ClusterTaintPolicy'];

/** The policy at a place, or the one that places its workload, as YAML; `why`: the reason that none can be edited. */
export function editablePolicy(
  place: Place,
  edits: WhatIf['edits'],
  { world, server }: OpenedState,
): Editable | { why: string } {
  const most = EXPLAINED_TEMPLATES.mostBindings;
  if (server && world.bindings.length > most)
    return {
      why: `The effect of a policy depends on resource templates, which are not read for more than ${most} bindings; use failover simulate --apply instead.`,
    };
  const target = policyAt(place, world);
  if (!target) return { why: 'E edits a policy, or that of a workload; here neither is chosen.' };
  const found = objectIn(world, target);
  if (!found) return { why: `${objectText(target)} is not in the state.` };
  const edit = edits.find((one) => objectKey(one.target) === objectKey(target));
  const original = toYaml(found);
  return { target, original, text: edit ? toYaml(applyMergePatch(found, edit.merge)) : original };
}

function policyAt(place: Place, world: OpenedState['world']): ObjectIdentity | undefined {
  if (place.view === 'object' && POLICIES.includes(place.object.kind)) return place.object;
  const binding =
    place.view === 'object'
      ? world.bindings.find((one) => objectKey(bindingIdentity(one)) === objectKey(place.object))
      : 'key' in place
        ? world.bindings.find((one) => bindingKey(one) === place.key)
        : undefined;
  const claim = binding && claimOf(binding.metadata);
  if (!claim) return undefined;
  const { kind, namespace, name } = claim;
  return namespace === undefined ? { kind, name } : { kind, namespace, name };
}

/**
 * Checks an edited policy: parsed and checked like manifests to apply, including Karmada's webhooks. Like kubectl edit,
 * it contains only the user's changes.
 */
export async function judgedPolicy(
  { target, original, text }: Editable,
  state: OpenedState,
  ports: Ports,
): Promise<EditVerdict> {
  try {
    const documents = readPositioned(text, 'edit').documents.map(({ value }) => value);
    const [edited] = documents;
    if (documents.length !== 1 || !isObject(edited)) return { problem: 'keep one object here' };
    const [before] = readPositioned(original, 'state').documents;
    if (!deepEqual(namesOf(edited), namesOf(before?.value)))
      return {
        problem: `this is another object; keep the apiVersion, kind, namespace and name of ${objectText(target)}`,
      };
    await manifests('-', Buffer.from(text));
    const known = new Set(unknownFields(before?.value as KubernetesObject, state));
    const misspelt = unknownFields(edited as unknown as KubernetesObject, state).find(
      (one) => !known.has(one),
    );
    if (misspelt !== undefined) return { problem: misspelt };
    const merge = createMergePatch(before?.value, edited);
    if (!isObject(merge)) return {};
    const edit: PolicyEdit = { target, merge };
    tryOut(edit, state, ports);
    return { edit };
  } catch (error) {
    if (error instanceof Problem) return { problem: problemText(error.data) };
    if (isExpected(error)) return { problem: error.message.replace(/^(?:edit|-|stdin):/, 'line ') };
    throw error;
  }
}

function namesOf(value: unknown): unknown {
  const { apiVersion, kind, metadata } = value as KubernetesObject;
  const { namespace, name } = isObject(metadata) ? metadata : {};
  return { apiVersion, kind, namespace, name };
}

function unknownFields(
  object: KubernetesObject,
  { karmadaVersion, configuration: { rules } }: OpenedState,
): string[] {
  return unknownFieldWarnings([[{ type: 'apply', objects: [object] }, undefined]], karmadaVersion, rules);
}

/** Throws a Problem if the edit cannot happen now. */
function tryOut(edit: PolicyEdit, { world, now, configuration }: OpenedState, ports: Ports): void {
  const wish: RequestedEvent = { type: 'patch', ...edit, after: 0, source: 'edit', file: 'edit' };
  const until = { moment: { after: 0 }, text: '0s' };
  const { scenario } = makeScenario({ events: [wish], until }, undefined, world, now, ports);
  runScenario(world, scenario, configuration, {}, ports);
}
